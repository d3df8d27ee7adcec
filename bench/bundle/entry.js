// What people bundle: papaparse reads users once, lodash picks from them in every iteration. `cargo xtask bench` fetches
// both from npm and bundles this with esbuild; netload and k6 run the same bundle.
import http from 'k6/http';
import { check, sleep } from 'k6';
import { SharedArray } from 'k6/data';
import Papa from 'papaparse';
import _ from 'lodash';

const users = new SharedArray('users', () => Papa.parse(open('./users.csv'), { header: true }).data);

export default function () {
  const user = users[__ITER % users.length];
  const query = _.map(_.pick(user, ['name', 'city']), (value, key) => `${key}=${value}`).join('&');
  const res = http.get(`${__ENV.URL}?${query}`, { tags: { name: 'user' } });
  check(res, { 'status is 200': (r) => r.status === 200 });
  if (__ENV.PAUSE) sleep(1);
}
