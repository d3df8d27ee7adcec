// The first example: `netload demo` runs it against the built-in target.
//
//   netload target &
//   netload run examples/quickstart.js

import http from 'k6/http';
import { check, group, sleep } from 'k6';
import { Counter } from 'k6/metrics';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';

const orders = new Counter('orders');

export const options = {
  scenarios: {
    // Five visitors who come back as soon as they are done.
    visitors: {
      executor: 'ramping-vus',
      exec: 'visit',
      startVUs: 1,
      stages: [
        { duration: '3s', target: 5 },
        { duration: '7s', target: 5 },
      ],
      gracefulRampDown: '1s',
    },
    // Fifty orders a second, whatever the server does.
    orders: {
      executor: 'constant-arrival-rate',
      exec: 'order',
      rate: 50,
      timeUnit: '1s',
      duration: '10s',
      preAllocatedVUs: 5,
      maxVUs: 20,
    },
  },
  thresholds: {
    checks: ['rate>0.99'],
    http_req_failed: ['rate<0.01'],
    'http_req_duration{scenario:orders}': ['p(95)<100'],
  },
};

export function setup() {
  const response = http.get(`${BASE_URL}/healthz`);
  if (response.status !== 200) {
    throw new Error(`${BASE_URL} does not answer; start it with: netload target`);
  }
  return { product: 42 };
}

export function visit() {
  group('start page', () => {
    const page = http.get(`${BASE_URL}/html`);
    check(page, { 'page is there': (r) => r.status === 200 });
  });
  group('search', () => {
    // Takes 10 ms on average, now and then much longer.
    const found = http.get(`${BASE_URL}/exp/10ms`);
    check(found, { 'search answers': (r) => r.status === 200 });
  });
  sleep(0.1);
}

export function order(data) {
  const body = JSON.stringify({ product: data.product, amount: 1 });
  const headers = { 'Content-Type': 'application/json' };
  const response = http.post(`${BASE_URL}/post`, body, { headers });
  check(response, {
    'order is accepted': (r) => r.status === 200,
    'order is ours': (r) => r.json('json.product') === data.product,
  });
  orders.add(1);
}
