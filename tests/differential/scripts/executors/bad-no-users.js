// mask: errors
// Refused: no users.
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 0, duration: '1s' } } };
export default function () {}
