// seconds: 5
// mask: samples samples:iterations console
// Ramping up and down, with a jump; which VUs took part is compared.
import { sleep } from 'k6';
import { Counter } from 'k6/metrics';

const first = new Counter('vu_started');

export const options = {
  scenarios: {
    ramp: {
      executor: 'ramping-vus',
      startVUs: 1,
      stages: [
        { duration: '1s', target: 4 },
        { duration: '0s', target: 2 },
        { duration: '1s', target: 0 },
      ],
      gracefulRampDown: '2s',
    },
  },
  thresholds: { vu_started: ['count>=3', 'count<=4'] },
};

export default function () {
  if (__ITER === 0) {
    first.add(1);
    console.log('a vu started');
  }
  sleep(0.1);
}
