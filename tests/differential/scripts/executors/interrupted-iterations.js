// seconds: 2
// mask: samples:data_sent samples:data_received
// What was running at the end is not counted.
import { sleep } from 'k6';
export const options = { scenarios: { a: { executor: 'constant-vus', vus: 2, duration: '1s', gracefulStop: '0s' } } };
export default function () { sleep(5); }
