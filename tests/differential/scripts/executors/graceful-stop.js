// seconds: 4
// An iteration that outlives gracefulStop is interrupted: its finished requests count, it does not.
import http from 'k6/http';
import { sleep } from 'k6';

export const options = {
  scenarios: { loop: { executor: 'constant-vus', vus: 1, duration: '1s', gracefulStop: '500ms' } },
};

export default function () {
  http.get(`${__ENV.BASE}/fast`);
  sleep(10);
  http.get(`${__ENV.BASE}/fast?never`);
}
