// A number of iterations shared among VUs; the scenario's own function, env and tags.
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';

const seen = new Counter('seen');

export const options = {
  scenarios: {
    shared: {
      executor: 'shared-iterations',
      vus: 3,
      iterations: 20,
      exec: 'work',
      env: { GREETING: 'hello' },
      tags: { part: 'a' },
    },
  },
};

export function work() {
  seen.add(1, { greeting: __ENV.GREETING, scenario_name: exec.scenario.name, kind: exec.scenario.executor });
  seen.add(1, { index: String(exec.scenario.iterationInTest) });
}
