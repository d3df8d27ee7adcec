// Conditions that decide whether the test passes. When one fails, netload exits with code 99.

import http from 'k6/http';
import { check } from 'k6';
import { Trend } from 'k6/metrics';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';

const searchTime = new Trend('search_time', true);

export const options = {
  vus: 5,
  duration: '3s',
  thresholds: {
    // On a built-in metric: several conditions, all must hold.
    http_req_duration: ['p(95)<200', 'max<2000'],
    // On a part of it: only requests with this tag.
    'http_req_duration{kind:search}': ['p(99)<500'],
    // On checks: nearly all must pass.
    checks: ['rate>0.99'],
    // On a metric of your own.
    search_time: ['avg<100'],
    // Ends the test early, but not in its first second.
    http_req_failed: [{ threshold: 'rate<0.1', abortOnFail: true, delayAbortEval: '1s' }],
  },
};

export default function () {
  const page = http.get(`${BASE_URL}/html`, { tags: { kind: 'page' } });
  check(page, { 'page is there': (r) => r.status === 200 });

  const found = http.get(`${BASE_URL}/exp/10ms`, { tags: { kind: 'search' } });
  searchTime.add(found.timings.duration);
  check(found, { 'search answers': (r) => r.status === 200 });
}
