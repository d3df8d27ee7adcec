// mask: errors
// Refused: empty exec.
export const options = { scenarios: { a: { executor: 'per-vu-iterations', exec: '' } } };
export default function () {}
