// seconds: 4
// mask: samples samples:iterations requests wire checks
// abortOnFail stops the run early; teardown still runs and the exit code is 99.
import { sleep } from 'k6';
import { Counter } from 'k6/metrics';

const bad = new Counter('bad_things');

export const options = {
  vus: 1,
  duration: '30s',
  thresholds: { bad_things: [{ threshold: 'count<2', abortOnFail: true }] },
};

export default function () {
  bad.add(1);
  sleep(0.2);
}

export function teardown() {
  console.log('teardown ran');
}
