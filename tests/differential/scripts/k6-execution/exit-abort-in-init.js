// test.abort() in init code: 108.
import exec from 'k6/execution';

exec.test.abort('before anything');

export default function () {
  console.log('never');
}
