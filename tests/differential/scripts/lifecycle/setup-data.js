// Setup data goes through JSON: every VU gets its own copy; samples have the groups ::setup and ::teardown.
import http from 'k6/http';
import { check } from 'k6';

export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 2, iterations: 2 } } };

export function setup() {
  http.get(`${__ENV.BASE}/fast?setup`);
  console.log('setup', __VU, typeof __ITER);
  return { text: 'täxt', list: [1, 2, { deep: true }], nothing: null, gone: undefined, date: new Date(0), number: 1.5 };
}

export default function (data) {
  check(data, {
    'list arrives': (d) => d.list.length === 3 && d.list[2].deep === true,
    'not changed by others': (d) => d.text === 'täxt',
  });
  data.text = 'changed';
  if (__ITER === 0 && __VU === 1) console.log(Object.keys(data).sort().join(), data.date, data.nothing, data.number);
}

export function teardown(data) {
  http.get(`${__ENV.BASE}/fast?teardown`);
  check(data, { 'teardown sees the setup data': (d) => d.text === 'täxt' });
  console.log('teardown', __VU);
}
