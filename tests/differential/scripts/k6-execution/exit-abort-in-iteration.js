// test.abort() ends the run with 108; teardown runs.
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';

const before = new Counter('before_abort');

export const options = { iterations: 10, vus: 1 };

export default function () {
  if (exec.scenario.iterationInTest === 3) {
    exec.test.abort('enough');
    console.log('not reached');
  }
  before.add(1);
}

export function teardown() {
  console.log('teardown after abort');
}
