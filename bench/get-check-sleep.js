// The same with a pause: the script of the memory comparison.
import http from 'k6/http';
import { check, sleep } from 'k6';

export default function () {
  const res = http.get(__ENV.URL);
  check(res, { 'status is 200': (r) => r.status === 200 });
  sleep(1);
}
