// For pipelines: thresholds decide, and the results are written for other programs.
//
//   netload run examples/ci-summary.js
//   cat summary.json

import http from 'k6/http';
import { check } from 'k6';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';

export const options = {
  vus: 5,
  duration: '2s',
  thresholds: {
    checks: ['rate>0.99'],
    http_req_duration: ['p(95)<200'],
  },
};

export default function () {
  const response = http.get(`${BASE_URL}/fixed/2ms`);
  check(response, { 'status is 200': (r) => r.status === 200 });
}

// Takes the place of the summary: what is returned is written to standard output and to files.
export function handleSummary(data) {
  const requests = data.metrics.http_reqs.values;
  const times = data.metrics.http_req_duration.values;
  const failed = Object.entries(data.metrics)
    .filter(([, metric]) => Object.values(metric.thresholds || {}).some((t) => !t.ok))
    .map(([name]) => name);
  const verdict = failed.length === 0 ? 'passed' : `failed: ${failed.join(', ')}`;
  const line = `${requests.count} requests, p(95) ${times['p(95)'].toFixed(2)} ms, ${verdict}\n`;
  const file = __ENV.SUMMARY_FILE || 'summary.json';
  return { stdout: line, [file]: JSON.stringify(data, null, 2) };
}
