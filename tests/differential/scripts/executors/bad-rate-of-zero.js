// mask: errors
// Refused: rate of zero.
export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 0, duration: '1s', preAllocatedVUs: 1 } } };
export default function () {}
