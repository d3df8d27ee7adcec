// mask: errors
// Refused: no pre allocated users.
export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 1, duration: '1s' } } };
export default function () {}
