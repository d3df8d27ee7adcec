// env: K6_ITERATIONS=3 K6_VUS=1 K6_TAGS=from:env
// The environment wins over the script.
import exec from 'k6/execution';

export const options = { iterations: 9 };

export default function () {
  if (__ITER === 0) console.log(exec.test.options.iterations, exec.scenario.executor, __ENV.K6_ITERATIONS);
}
