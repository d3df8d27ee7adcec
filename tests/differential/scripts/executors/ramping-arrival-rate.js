// seconds: 4
// The area under the rate line: 1 s from 0 to 20 (10), 1.025 s at 20 (20.5).
export const options = {
  scenarios: {
    ramp: {
      executor: 'ramping-arrival-rate',
      startRate: 0,
      timeUnit: '1s',
      preAllocatedVUs: 8,
      stages: [
        { duration: '1s', target: 20 },
        { duration: '1025ms', target: 20 },
      ],
    },
  },
};

export default function () {}
