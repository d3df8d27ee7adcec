// test.fail() marks the run as failed (110) but lets it go on.
import exec from 'k6/execution';

export const options = { iterations: 3 };

export default function () {
  if (__ITER === 0) exec.test.fail('marked');
  console.log('iteration', __ITER);
}
