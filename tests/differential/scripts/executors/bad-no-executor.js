// mask: errors
// Refused: no executor.
export const options = { scenarios: { a: { vus: 1 } } };
export default function () {}
