// seconds: 4
// mask: samples samples:dropped_iterations
// One VU cannot follow the rate: what started and what was dropped add up.
import { sleep } from 'k6';

export const options = {
  scenarios: {
    rate: {
      executor: 'constant-arrival-rate',
      rate: 10,
      duration: '1950ms',
      preAllocatedVUs: 1,
      gracefulStop: '3s',
    },
  },
  thresholds: { iterations: ['count>=3', 'count<=5'], dropped_iterations: ['count>=15', 'count<=17'] },
};

export default function () {
  sleep(0.45);
}
