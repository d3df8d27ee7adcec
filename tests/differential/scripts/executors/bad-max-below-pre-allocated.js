// mask: errors
// Refused: max below pre allocated.
export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 1, duration: '1s', preAllocatedVUs: 5, maxVUs: 2 } } };
export default function () {}
