// A crossed threshold ends the run with 99; the others keep their verdict.
import http from 'k6/http';

export const options = {
  iterations: 3,
  thresholds: {
    http_reqs: ['count>100', 'count>=3'],
    http_req_failed: ['rate<0.01'],
    'http_reqs{name:missing}': ['count==0'],
  },
};

export default function () {
  http.get(`${__ENV.BASE}/status/500`);
}
