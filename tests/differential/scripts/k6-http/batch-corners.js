// Batches where clients differ.
import http from 'k6/http';
import { cases } from '../lib/cases.js';

const base = __ENV.BASE;
const refused = `${__ENV.REFUSED_BASE}/`;
const shown = (results) => (Array.isArray(results) ? results : Object.keys(results).sort().map((key) => results[key])).map((res) => (res === null || res === undefined ? res : [res.status, res.error_code, res.request && res.request.method, res.request && res.request.body]));

export default cases({
  'one fails': () => shown(http.batch([`${base}/fast`, refused, `${base}/fast`])),
  'one fails and throws': () => shown(http.batch([['GET', `${base}/fast`], ['GET', refused, null, { throw: true }]])),
  'a request of its own kind': () => { const results = http.batch([{ method: 'POST', url: `${base}/anything`, body: { a: '1' } }]); return results[0].json('form'); },
  'a method in small letters': () => shown(http.batch([['post', `${base}/anything`, 'x']])),
  'an array of a URL alone': () => shown(http.batch([[`${base}/fast`]])),
  'an empty array inside': () => shown(http.batch([[]])),
  'an object without a URL': () => shown(http.batch([{ method: 'GET' }])),
  'null inside': () => shown(http.batch([null])),
  'a number inside': () => shown(http.batch([5])),
  'undefined inside': () => shown(http.batch([`${base}/fast`, undefined])),
  'a hole': () => shown(http.batch([`${base}/fast`, , `${base}/fast`])), // eslint-disable-line no-sparse-arrays
  'text': () => shown(http.batch('x')),
  'a number': () => shown(http.batch(5)),
  'null': () => shown(http.batch(null)),
  'an empty object': () => shown(http.batch({})),
  'a template': () => shown(http.batch([http.url`${base}/anything/${1}`])),
  'a template in an array': () => shown(http.batch([['GET', http.url`${base}/anything/${1}`]])),
  'a template in an object': () => shown(http.batch({ a: { method: 'GET', url: http.url`${base}/anything/${2}` } })),
  'GET with a body': () => shown(http.batch([['GET', `${base}/anything`, 'x']])),
  'parameters in the place of a body': () => shown(http.batch([['GET', `${base}/status/404`, { responseCallback: null }]])),
  'parameters behind nothing': () => shown(http.batch([['GET', `${base}/status/404`, null, { responseCallback: null, tags: { a: 'b' } }]])),
  'an object with params': () => shown(http.batch([{ url: `${base}/anything`, params: { tags: { a: 'c' }, redirects: 0 } }])),
  'names in order': () => Object.keys(http.batch({ b: `${base}/fast`, a: `${base}/fast`, 1: `${base}/fast` })).sort(),
  'cookies of one are not those of the next': () => { http.batch([`${base}/answer/200?Set-Cookie=batch%3D1`]); return http.get(`${base}/cookies`).json('cookies.batch'); },
  'more than fit at once': () => http.batch(Array.from({ length: 50 }, (_, i) => `${base}/anything/${i}`)).map((res) => res.json('url').split('/').pop()),
  'a batch gives an array': () => [Array.isArray(http.batch([])), Array.isArray(http.batch({}))],
  'bodies of bytes': () => shown(http.batch([['POST', `${base}/anything`, new Uint8Array([65, 66]).buffer]]))[0][0],
});
