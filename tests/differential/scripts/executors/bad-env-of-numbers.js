// mask: errors
// Refused: env of numbers.
export const options = { scenarios: { a: { executor: 'per-vu-iterations', env: { A: 1 } } } };
export default function () {}
