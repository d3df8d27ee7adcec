// With noCookiesReset the jar lives through iterations.
import http from 'k6/http';

export const options = { iterations: 3, noCookiesReset: true };

export default function () {
  http.get(`${__ENV.BASE}/cookies/set?n${__ITER}=${__ITER}`);
}
