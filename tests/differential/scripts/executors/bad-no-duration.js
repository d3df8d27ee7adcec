// mask: errors
// Refused: no duration.
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 1 } } };
export default function () {}
