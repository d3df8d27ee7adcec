import http from 'k6/http';
import { check, sleep } from 'k6';

export const options = {
  // How many virtual users, and for how long they repeat the function below.
  vus: 10,
  duration: '30s',

  // What must hold; if it does not, netload exits with code 99.
  thresholds: {
    http_req_failed: ['rate<0.01'],
    http_req_duration: ['p(95)<500'],
  },
};

export default function () {
  const response = http.get(__ENV.BASE_URL || 'http://127.0.0.1:8080/');
  check(response, { 'status is 200': (r) => r.status === 200 });
  sleep(1);
}
