// mask: errors
// Refused: no stages.
export const options = { scenarios: { a: { executor: 'ramping-vus' } } };
export default function () {}
