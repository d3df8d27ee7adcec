// compare: connections
// A VU keeps its connection through iterations.
import http from 'k6/http';

export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } } };

export default function () {
  http.get(`${__ENV.BASE}/fast`);
  http.get(`${__ENV.BASE}/fast`);
}
