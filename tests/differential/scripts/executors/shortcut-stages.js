// seconds: 4
// args: --stage 1s:2 --stage 500ms:0
// mask: samples samples:iterations
// Stages on the command line make a ramping scenario named default.
import { sleep } from 'k6';
import exec from 'k6/execution';

export default function () {
  if (__ITER === 0) console.log(exec.scenario.name, exec.scenario.executor);
  sleep(0.1);
}
