// seconds: 4
// mask: samples
// delayAbortEval keeps a failing threshold from stopping a short run.
import { sleep } from 'k6';
import { Rate } from 'k6/metrics';

const bad = new Rate('bad_rate');

export const options = {
  vus: 1,
  iterations: 6,
  thresholds: {
    bad_rate: [{ threshold: 'rate<0.5', abortOnFail: true, delayAbortEval: '1m' }],
  },
};

export default function () {
  bad.add(true);
  sleep(0.5);
  if (__ITER === 5) console.log('last iteration');
}
