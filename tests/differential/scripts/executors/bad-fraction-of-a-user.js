// mask: errors
// Refused: fraction of a user.
export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 1.5 } } };
export default function () {}
