// seconds: 2
// mask: samples:data_sent samples:data_received
// A user that leaves may finish.
import { sleep } from 'k6';
export const options = { scenarios: { a: { executor: 'ramping-vus', startVUs: 1, stages: [{ duration: '500ms', target: 1 }, { duration: '0s', target: 0 }], gracefulRampDown: '2s' } } };
export default function () { sleep(0.8); console.log('finished'); }
