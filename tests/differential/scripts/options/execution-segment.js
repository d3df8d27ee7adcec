// args: --execution-segment 1/2:1 --execution-segment-sequence 0,1/2,1
// One half of the plan.
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';

const seen = new Counter('seen');

export const options = {
  scenarios: { shared: { executor: 'shared-iterations', vus: 4, iterations: 10 } },
};

export default function () {
  seen.add(1, { test: String(exec.scenario.iterationInTest), instance: String(exec.scenario.iterationInInstance) });
}
