// seconds: 2
// args: --stage 500ms:2 -s 500ms:0
// mask: values:iterations samples:iterations samples:iteration_duration samples:data_sent samples:data_received
// Stages from the command line.
import exec from 'k6/execution';
import { sleep } from 'k6';
export default function () {
  if (__VU === 1 && __ITER === 0) console.log(JSON.stringify(exec.test.options.scenarios));
  sleep(0.05);
}
