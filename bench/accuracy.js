// The script of `cargo xtask accuracy`, for netload and k6 alike.
//
// URL        what is requested
// VUS        virtual users
// SECONDS    length
// RATE       iterations per second; without it every user goes on at once
// BURN_MS    milliseconds of JavaScript before each request
import http from 'k6/http';

const url = __ENV.URL;
const vus = Number(__ENV.VUS);
const duration = `${__ENV.SECONDS}s`;
const rate = Number(__ENV.RATE || 0);
const burnMs = Number(__ENV.BURN_MS || 0);

const open = {
  executor: 'constant-arrival-rate',
  rate,
  timeUnit: '1s',
  duration,
  preAllocatedVUs: vus,
  maxVUs: vus,
};
const closed = { executor: 'constant-vus', vus, duration, gracefulStop: '10s' };

export const options = {
  scenarios: { load: rate > 0 ? open : closed },
  discardResponseBodies: true,
};
// Its value is told beside the verdict: so netload says a percentile that its document does not have.
if (__ENV.ASK) options.thresholds = { [__ENV.ASK]: ['p(96)<1000000000'] };

function burn(ms) {
  const end = Date.now() + ms;
  let spun = 0;
  while (Date.now() < end) spun += 1;
  return spun;
}

export default function () {
  if (burnMs > 0) burn(burnMs);
  http.get(url);
}
