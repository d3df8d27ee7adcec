// Every member of k6/execution.
import exec from 'k6/execution';
import * as everything from 'k6/execution';
import { cases, throws } from '../lib/cases.js';

const init = { vu: throws(() => exec.vu.idInTest), scenario: throws(() => exec.scenario.name), instance: throws(() => exec.instance.vusActive), options: throws(() => exec.test.options) };

export default cases({
  'what is exported': () => Object.keys(everything).filter((name) => name !== 'default').sort(),
  'in init': () => init,
  'names of all': () => Object.keys(exec).sort(),
  'names of scenario': () => Object.keys(exec.scenario).sort(),
  'names of instance': () => Object.keys(exec.instance).sort(),
  'names of vu': () => Object.keys(exec.vu).sort(),
  'names of test': () => Object.keys(exec.test).sort(),
  'names of metrics': () => Object.keys(exec.vu.metrics).sort(),
  'scenario.name': () => exec.scenario.name,
  'scenario.executor': () => exec.scenario.executor,
  'scenario.startTime': () => Math.abs(Date.now() - exec.scenario.startTime) < 600000,
  'scenario.progress': () => exec.scenario.progress >= 0 && exec.scenario.progress <= 1,
  'scenario.iterationInInstance': () => exec.scenario.iterationInInstance,
  'scenario.iterationInTest': () => exec.scenario.iterationInTest,
  'instance.iterationsInterrupted': () => exec.instance.iterationsInterrupted,
  'instance.iterationsCompleted': () => exec.instance.iterationsCompleted,
  'instance.vusActive': () => exec.instance.vusActive,
  'instance.vusInitialized': () => exec.instance.vusInitialized,
  'instance.currentTestRunDuration': () => exec.instance.currentTestRunDuration > 0,
  'vu.iterationInInstance': () => exec.vu.iterationInInstance,
  'vu.iterationInScenario': () => exec.vu.iterationInScenario,
  'vu.idInInstance': () => exec.vu.idInInstance,
  'vu.idInTest': () => exec.vu.idInTest,
  'the id is the global': () => exec.vu.idInTest === __VU && exec.vu.iterationInInstance === __ITER,
  'nothing can be written': () => { try { exec.scenario.name = 'x'; } catch (e) { /* either way */ } return exec.scenario.name; },
  'test.abort is a function': () => typeof exec.test.abort,
  'test.fail is a function': () => typeof exec.test.fail,
  'options are frozen': () => { try { exec.test.options.rps = 5; } catch (e) { /* either way */ } return exec.test.options.rps; },
});
