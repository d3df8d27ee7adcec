// The same number of iterations for every VU; numbers of VU and iteration.
import exec from 'k6/execution';
import { Counter } from 'k6/metrics';

const seen = new Counter('seen');

export const options = {
  scenarios: { each: { executor: 'per-vu-iterations', vus: 3, iterations: 4 } },
};

export default function () {
  seen.add(1, {
    vu: String(__VU),
    iter: String(__ITER),
    inScenario: String(exec.vu.iterationInScenario),
    inInstance: String(exec.vu.iterationInInstance),
    idInTest: String(exec.vu.idInTest),
    idInInstance: String(exec.vu.idInInstance),
  });
}
