// seconds: 3
// Looping VUs for a time: two VUs, iterations of 0.4 s, one second.
import { sleep } from 'k6';

export const options = {
  scenarios: { loop: { executor: 'constant-vus', vus: 2, duration: '1s', gracefulStop: '5s' } },
};

export default function () {
  sleep(0.4);
}
