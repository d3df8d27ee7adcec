// Every scenario with its own function, variables and tags.
import exec from 'k6/execution';
export const options = {
  scenarios: {
    one: { executor: 'per-vu-iterations', exec: 'first', env: { WHO: 'one' }, tags: { kind: 'a' } },
    two: { executor: 'shared-iterations', exec: 'second', env: { WHO: 'two' }, tags: { kind: 'b' }, vus: 2, iterations: 2 },
  },
};
export function first() { console.log('first', __ENV.WHO, exec.vu.metrics.tags.kind, exec.scenario.name); }
export function second() { console.log('second', __ENV.WHO, exec.vu.metrics.tags.kind, exec.scenario.name); }
