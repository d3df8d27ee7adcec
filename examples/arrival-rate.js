// The open model: iterations start at a rate, whatever the server does. A slow server then shows as longer response
// times and, when the users run out, as dropped iterations; it cannot slow down its own test.

import http from 'k6/http';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';

export const options = {
  scenarios: {
    steady: {
      executor: 'constant-arrival-rate',
      rate: 200, // iterations
      timeUnit: '1s', // per second
      duration: '3s',
      preAllocatedVUs: 10,
      maxVUs: 50,
    },
    rising: {
      executor: 'ramping-arrival-rate',
      startTime: '1s',
      startRate: 0,
      timeUnit: '1s',
      stages: [
        { duration: '1s', target: 300 },
        { duration: '1s', target: 300 },
      ],
      preAllocatedVUs: 10,
      maxVUs: 50,
    },
  },
  thresholds: {
    dropped_iterations: ['count<10'],
    http_req_failed: ['rate==0'],
  },
};

export default function () {
  // One answer in ten takes 50 ms instead of 2 ms.
  http.get(`${BASE_URL}/bimodal/2ms/50ms/10%25`);
}
