// seconds: 2
// Scenarios that do not overlap share their users.
import exec from 'k6/execution';
export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 2, maxDuration: '1s', gracefulStop: '0s' }, b: { executor: 'per-vu-iterations', vus: 2, startTime: '1s', maxDuration: '1s' } } };
export default function () { console.log(exec.scenario.name, exec.instance.vusInitialized); }
