import http from 'k6/http';
import { check, group, sleep } from 'k6';
import { Counter, Trend } from 'k6/metrics';
import exec from 'k6/execution';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';

// Metrics of your own stand beside the built-in ones, in the summary and in thresholds.
const orders = new Counter('orders');
const orderTime = new Trend('order_time', true);

export const options = {
  scenarios: {
    // Ten visitors who look around, each again and again.
    browse: {
      executor: 'constant-vus',
      exec: 'browse',
      vus: 10,
      duration: '30s',
    },
    // Five orders a second, however long each of them takes.
    order: {
      executor: 'constant-arrival-rate',
      exec: 'order',
      rate: 5,
      timeUnit: '1s',
      duration: '30s',
      preAllocatedVUs: 5,
      maxVUs: 50,
    },
  },
  thresholds: {
    checks: ['rate>0.99'],
    'http_req_duration{scenario:browse}': ['p(95)<200'],
    order_time: ['p(95)<500'],
    // Give up early when nearly everything fails.
    http_req_failed: [{ threshold: 'rate<0.5', abortOnFail: true, delayAbortEval: '5s' }],
  },
};

// Runs once, before the load; what it returns is given to every iteration.
export function setup() {
  const response = http.get(`${BASE_URL}/healthz`);
  if (response.status !== 200) {
    exec.test.abort(`${BASE_URL} does not answer: ${response.error || response.status}`);
  }
  return { product: 42 };
}

export function browse() {
  group('start page', () => {
    const response = http.get(`${BASE_URL}/html`);
    check(response, { 'start page is shown': (r) => r.status === 200 });
  });
  sleep(Math.random() * 2);
}

export function order(data) {
  const body = JSON.stringify({ product: data.product, amount: 1 });
  const headers = { 'Content-Type': 'application/json' };
  const response = http.post(`${BASE_URL}/post`, body, { headers, tags: { name: 'order' } });

  orders.add(1);
  orderTime.add(response.timings.duration);
  check(response, {
    'order is accepted': (r) => r.status === 200,
    'order is the one sent': (r) => r.json('json.product') === data.product,
  });
}

// Runs once, after the load.
export function teardown(data) {
  console.log(`ordered product ${data.product}`);
}
