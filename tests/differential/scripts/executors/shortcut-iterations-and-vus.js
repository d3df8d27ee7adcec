// args: --vus 3 --iterations 7
// The command line wins over the script's options.
import exec from 'k6/execution';

export const options = { vus: 1, iterations: 100 };

export default function () {
  if (exec.scenario.iterationInTest === 0) console.log(exec.scenario.name, exec.scenario.executor);
}
