// What k6/execution lets be read, written and listed.
import exec, * as all from 'k6/execution';
import { sleep } from 'k6';
import { cases } from '../lib/cases.js';

export const options = { scenarios: { only_one: { executor: 'shared-iterations', vus: 1, iterations: 2, tags: { s: '1' }, env: { E: 'v' } } } };

const tags = () => exec.vu.metrics.tags;
const set = (value) => { tags().probe = value; const result = tags().probe; delete tags().probe; return [typeof result, result]; };
const work = cases({
  'a tag of a number': () => set(1.5),
  'a tag of a large number': () => set(1e21),
  'a tag of true': () => set(true),
  'a tag of an empty text': () => set(''),
  'a tag of null': () => set(null),
  'a tag of undefined': () => set(undefined),
  'a tag of NaN': () => set(NaN),
  'a tag of a bigint': () => set(5n),
  'a tag of a list': () => set([1]),
  'keys': () => Object.keys(exec.vu.metrics.tags).sort(),
  'in': () => ['scenario' in exec.vu.metrics.tags, 'nothing' in exec.vu.metrics.tags],
  'of nothing': () => exec.vu.metrics.tags.nothing,
  'delete what is not there': () => delete exec.vu.metrics.tags.nothing,
  'delete the scenario': () => { const was = exec.vu.metrics.tags.scenario; delete exec.vu.metrics.tags.scenario; const now = exec.vu.metrics.tags.scenario; exec.vu.metrics.tags.scenario = was; return [was, now]; },
  'spread': () => Object.keys({ ...exec.vu.metrics.tags }).sort(),
  'for in': () => { const found = []; for (const name in exec.vu.metrics.tags) found.push(name); return found.sort(); }, // eslint-disable-line
  'as JSON': () => Object.keys(JSON.parse(JSON.stringify(exec.vu.metrics.tags))).sort(),
  'tags replaced': () => { exec.vu.metrics.tags = { mine: '1' }; return Object.keys(exec.vu.metrics.tags).sort(); },
  'tags of the old name replaced': () => { exec.vu.tags = { mine: '1' }; return Object.keys(exec.vu.tags).sort(); },
  'metadata': () => { exec.vu.metrics.metadata.m = 'v'; const seen = [Object.keys(exec.vu.metrics.metadata), exec.vu.metrics.metadata.m]; delete exec.vu.metrics.metadata.m; return seen; },
  'metadata of a number': () => { exec.vu.metrics.metadata.m = 5; const seen = exec.vu.metrics.metadata.m; delete exec.vu.metrics.metadata.m; return [typeof seen, seen]; },
  'metadata of an object': () => { exec.vu.metrics.metadata.m = {}; return 'kept'; },
  'writing an id': () => { exec.vu.idInTest = 99; return exec.vu.idInTest; },
  'writing a name': () => { exec.scenario.name = 'x'; return exec.scenario.name; },
  'writing the module': () => { exec.mine = 1; return exec.mine; },
  'deleting': () => { delete exec.vu.idInTest; return typeof exec.vu.idInTest; },
  'kinds': () => [typeof exec.scenario.startTime, typeof exec.scenario.progress, typeof exec.instance.currentTestRunDuration],
  'progress': () => exec.scenario.progress >= 0 && exec.scenario.progress <= 1,
  'startTime is near': () => Math.abs(exec.scenario.startTime - Date.now()) < 60000,
  'the duration grows': () => { const before = exec.instance.currentTestRunDuration; sleep(0.02); return exec.instance.currentTestRunDuration > before; },
  'iterations': () => [exec.scenario.iterationInInstance, exec.scenario.iterationInTest, exec.vu.iterationInInstance, exec.vu.iterationInScenario, __ITER],
  'ids': () => [exec.vu.idInInstance, exec.vu.idInTest, __VU],
  'as JSON whole': () => Object.keys(JSON.parse(JSON.stringify(exec))).sort(),
  'the scenario as JSON': () => Object.keys(JSON.parse(JSON.stringify(exec.scenario))).sort(),
  'the vu as JSON': () => Object.keys(JSON.parse(JSON.stringify(exec.vu))).sort(),
  'names of imports': () => Object.keys(all).filter((name) => name !== 'default').sort(),
  'options': () => JSON.stringify(exec.test.options.scenarios.only_one, Object.keys(exec.test.options.scenarios.only_one).sort()),
  'options are written': () => { 'use strict'; exec.test.options.vus = 5; return exec.test.options.vus; },
  'options inside are written': () => { exec.test.options.scenarios.only_one.vus = 5; return exec.test.options.scenarios.only_one.vus; },
  'variables': () => [__ENV.E, typeof __ENV.HOME],
});
export default work;
