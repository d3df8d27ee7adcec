// mask: errors
// Refused: start in the past.
export const options = { scenarios: { a: { executor: 'per-vu-iterations', startTime: '-1s' } } };
export default function () {}
