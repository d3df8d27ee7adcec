// Checks pass, fail, take literals and functions, and return whether all passed.
import { check } from 'k6';
import http from 'k6/http';

export const options = { iterations: 3 };

export default function () {
  const res = http.get(`${__ENV.BASE}/fast`);
  const all = check(res, {
    'status is 200': (r) => r.status === 200,
    'body is short': (r) => r.body.length === 12,
  });
  const some = check(res, {
    'status is 201': (r) => r.status === 201,
    'literal true': true,
    'literal zero': 0,
    'literal text': 'yes',
    'literal undefined': undefined,
    'returns null': () => null,
  });
  console.log(all, some, check(null, {}));
}
