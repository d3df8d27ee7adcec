// seconds: 2
// args: --execution-segment 0:1/2 --execution-segment-sequence 0,1/2,1
// Half of a rate.
export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 10, duration: '1050ms', preAllocatedVUs: 4 } } };
export default function () {}
