// The load of the rows about outputs: one request per start, 20,000 starts a second unless RATE says otherwise.

import http from 'k6/http';

export const options = {
  scenarios: {
    rate: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 20000),
      timeUnit: '1s',
      duration: __ENV.DURATION || '10s',
      preAllocatedVUs: 100,
    },
  },
};

export default function () {
  http.get(__ENV.URL);
}
