// One GET and one check: the script of the speed comparison.
import http from 'k6/http';
import { check } from 'k6';

export const options = { insecureSkipTLSVerify: true };

export default function () {
  const res = http.get(__ENV.URL);
  check(res, { 'status is 200': (r) => r.status === 200 });
}
