// What k6/execution says about instance, scenario, test and VU.
import exec from 'k6/execution';

export const options = {
  scenarios: { named: { executor: 'per-vu-iterations', vus: 1, iterations: 2, startTime: '0s' } },
  thresholds: { iterations: ['count>0'] },
  tags: { a: 'b' },
};

try {
  console.log(exec.vu.idInTest);
} catch (e) {
  if (__VU === 0) globalThis.initRefused = true;
}

export default function () {
  const { instance, scenario, vu, test } = exec;
  console.log(instance.vusActive, instance.vusInitialized, instance.iterationsInterrupted, instance.iterationsCompleted);
  console.log(scenario.name, scenario.executor, scenario.iterationInTest, scenario.iterationInInstance, scenario.progress >= 0 && scenario.progress <= 1);
  console.log(Math.abs(scenario.startTime - Date.now()) < 60000, instance.currentTestRunDuration >= 0);
  console.log(vu.idInTest, vu.idInInstance, vu.iterationInInstance, vu.iterationInScenario);
  console.log(JSON.stringify(test.options.scenarios.named.executor), JSON.stringify(test.options.tags), JSON.stringify(test.options.thresholds));
  vu.tags.mine = 'x';
  vu.tags.count = 5;
  console.log(vu.tags.mine, vu.tags.count, 'mine' in vu.tags, 'not' in vu.tags, vu.tags.scenario, vu.metrics.tags.mine);
  try {
    vu.tags.bad = { an: 'object' };
  } catch (e) {
    console.log('refused');
  }
  delete vu.tags.mine;
  console.log(vu.tags.mine);
}
