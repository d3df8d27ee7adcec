// Several kinds of load side by side, each with its own function, tags and variables.

import http from 'k6/http';
import { check, sleep } from 'k6';
import exec from 'k6/execution';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';

export const options = {
  scenarios: {
    readers: {
      executor: 'constant-vus',
      exec: 'read',
      vus: 5,
      duration: '3s',
    },
    writers: {
      executor: 'per-vu-iterations',
      exec: 'write',
      vus: 2,
      iterations: 5,
      startTime: '1s', // later than the others
      env: { KIND: 'nightly' },
      tags: { team: 'import' },
    },
    probe: {
      executor: 'constant-arrival-rate',
      exec: 'probe',
      rate: 5,
      duration: '3s',
      preAllocatedVUs: 1,
    },
  },
  thresholds: {
    'http_req_duration{scenario:readers}': ['p(95)<200'],
    'http_req_duration{team:import}': ['p(95)<500'],
  },
};

export function read() {
  http.get(`${BASE_URL}/exp/5ms`);
  sleep(0.05);
}

export function write() {
  const response = http.post(`${BASE_URL}/post`, { kind: __ENV.KIND });
  check(response, { 'kind arrives': (r) => r.json('form.kind') === 'nightly' });
}

export function probe() {
  const response = http.get(`${BASE_URL}/healthz`);
  if (response.status !== 200) {
    exec.test.abort('the server is gone');
  }
}
