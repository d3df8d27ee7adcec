// seconds: 2
// mask: samples:data_sent samples:data_received
// A user that leaves may not finish.
import { sleep } from 'k6';
export const options = { scenarios: { a: { executor: 'ramping-vus', startVUs: 1, stages: [{ duration: '500ms', target: 1 }, { duration: '0s', target: 0 }], gracefulRampDown: '0s', gracefulStop: '0s' } } };
export default function () { sleep(3); }
