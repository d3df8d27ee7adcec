// What setup and teardown can learn of the test.
import exec from 'k6/execution';
const tell = (where) => {
  const told = (name, read) => {
    try {
      console.log(where, name, JSON.stringify(read()));
    } catch (e) {
      console.log(where, name, 'throws');
    }
  };
  told('scenario', () => exec.scenario.name);
  told('ids', () => [exec.vu.idInTest, exec.vu.idInInstance, __VU]);
  told('iterations', () => [exec.vu.iterationInInstance, exec.vu.iterationInScenario]);
  told('tags', () => exec.vu.metrics.tags.group);
  told('options', () => exec.test.options.scenarios.default.executor);
};
export function setup() { tell('setup'); }
export default function () {}
export function teardown() { tell('teardown'); }
