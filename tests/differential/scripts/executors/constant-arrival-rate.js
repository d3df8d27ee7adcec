// seconds: 3
// Ten starts a second for 1.95 s: exactly 20 iterations.
export const options = {
  scenarios: {
    rate: {
      executor: 'constant-arrival-rate',
      rate: 10,
      timeUnit: '1s',
      duration: '1950ms',
      preAllocatedVUs: 5,
      maxVUs: 10,
    },
  },
  thresholds: { dropped_iterations: ['count==0'] },
};

export default function () {}
