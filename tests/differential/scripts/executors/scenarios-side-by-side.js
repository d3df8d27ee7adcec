// seconds: 3
// Several scenarios with start times, functions and tags of their own.
import http from 'k6/http';
import exec from 'k6/execution';

export const options = {
  scenarios: {
    early: { executor: 'per-vu-iterations', vus: 2, iterations: 2, exec: 'early' },
    late: { executor: 'shared-iterations', vus: 2, iterations: 3, startTime: '1s', exec: 'late', tags: { when: 'late' } },
    alone: { executor: 'per-vu-iterations', exec: 'alone', env: { WHO: 'alone' } },
  },
};

export function early() {
  http.get(`${__ENV.BASE}/fast?early`);
}

export function late() {
  http.get(`${__ENV.BASE}/fast?late`);
}

export function alone() {
  console.log(exec.scenario.name, __ENV.WHO, typeof exec.scenario.startTime, exec.vu.iterationInScenario);
}
