// mask: errors
// What a script sees of its scenarios, every executor with its defaults.
import exec from 'k6/execution';
import { optionCases } from '../lib/options.js';

export const options = {
  scenarios: {
    shared: { executor: 'shared-iterations', env: { A: 'b' }, tags: { t: 'u' } },
    each: { executor: 'per-vu-iterations', exec: 'other', startTime: '1m' },
    looping: { executor: 'constant-vus', duration: '1s', startTime: '1m', exec: 'other', gracefulStop: '1s' },
    ramping: { executor: 'ramping-vus', stages: [{ duration: '1s', target: 1 }], startTime: '1m', exec: 'other' },
    steady: { executor: 'constant-arrival-rate', rate: 1, duration: '1s', preAllocatedVUs: 1, startTime: '1m', exec: 'other' },
    rising: { executor: 'ramping-arrival-rate', stages: [{ duration: '1s', target: 1 }], preAllocatedVUs: 1, startTime: '1m', exec: 'other' },
  },
};

const show = optionCases(['scenarios']);

export default async function () {
  await show();
  exec.test.abort('seen enough');
}

export function other() {}
