// The load of `cargo xtask verdict`: one request per start, at a rate, with JavaScript that burns CPU when asked for.

import http from 'k6/http';

const seconds = __ENV.SECONDS || '7';
const url = __ENV.URL + (__ENV.PATH_ || '/fixed/1ms');
const burn = Number(__ENV.BURN_MS || 0);

export const options = {
  scenarios: {
    rate: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 1000),
      timeUnit: '1s',
      duration: `${seconds}s`,
      preAllocatedVUs: Number(__ENV.VUS || 50),
      gracefulStop: '1s',
    },
  },
};

export default function () {
  http.get(url);
  const end = Date.now() + burn;
  while (Date.now() < end);
}
