// Ramp the number of users up, hold it, and ramp it down again.

import http from 'k6/http';
import { check, sleep } from 'k6';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';

export const options = {
  stages: [
    { duration: '1s', target: 10 }, // from 1 to 10 users
    { duration: '2s', target: 10 }, // stay there
    { duration: '1s', target: 0 }, // and let them leave
  ],
};

export default function () {
  const response = http.get(`${BASE_URL}/exp/5ms`);
  check(response, { 'status is 200': (r) => r.status === 200 });
  sleep(0.1);
}
