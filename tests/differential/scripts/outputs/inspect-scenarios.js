// command: inspect --execution-requirements
// compare: stdout
// The requirements of several scenarios.
export const options = { scenarios: {
  a: { executor: 'constant-vus', vus: 5, duration: '10s' }, b: { executor: 'ramping-arrival-rate', startTime: '5s', preAllocatedVUs: 3, maxVUs: 20, stages: [{ duration: '1m', target: 5 }], exec: 'other' },
  c: { executor: 'ramping-vus', startTime: '20s', startVUs: 0, stages: [{ duration: '10s', target: 30 }, { duration: '10s', target: 0 }], gracefulRampDown: '5s', gracefulStop: '1s' } } };
export default function () {}
export function other() {}
