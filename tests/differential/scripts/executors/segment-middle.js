// args: --execution-segment 1/3:2/3 --execution-segment-sequence 0,1/3,2/3,1
// The second third of ten iterations and of seven users.
export const options = { scenarios: { shared: { executor: 'shared-iterations', vus: 7, iterations: 10 }, each: { executor: 'per-vu-iterations', vus: 7, iterations: 2 } } };
export default function () {}
