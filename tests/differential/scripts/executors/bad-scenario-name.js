// mask: errors
// Refused: scenario name.
export const options = { scenarios: { 'a b': { executor: 'per-vu-iterations' } } };
export default function () {}
