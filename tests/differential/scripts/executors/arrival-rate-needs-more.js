// seconds: 2
// mask: samples:dropped_iterations samples:iterations samples:iteration_duration samples:data_sent samples:data_received metrics
// More users are made when all are busy.
import { sleep } from 'k6';
import exec from 'k6/execution';
export const options = { scenarios: { a: { executor: 'constant-arrival-rate', rate: 8, duration: '1s', preAllocatedVUs: 1, maxVUs: 8 } } };
export default function () { sleep(0.6); }
