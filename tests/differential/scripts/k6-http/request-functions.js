// Every function of k6/http that makes a request, by what arrives and what comes back.
import http from 'k6/http';
import { cases, throws } from '../lib/cases.js';

const base = __ENV.BASE;
const echo = (res) => [res.status, res.json('method'), res.json('data') || ''];

export default cases({
  get: () => http.get(`${base}/get?a=b`).status,
  'get with params only': () => http.get(`${base}/headers`, { headers: { 'X-A': 'b' } }).json('headers.X-A'),
  head: () => [http.head(`${base}/get`).status, http.head(`${base}/get`).body],
  post: () => echo(http.post(`${base}/anything`, 'text')),
  'post without a body': () => echo(http.post(`${base}/anything`)),
  'post null': () => echo(http.post(`${base}/anything`, null)),
  put: () => echo(http.put(`${base}/anything`, 'text')),
  patch: () => echo(http.patch(`${base}/anything`, 'text')),
  del: () => echo(http.del(`${base}/anything`, 'text')),
  'del without a body': () => echo(http.del(`${base}/anything`)),
  options: () => http.options(`${base}/anything`, null).status,
  'request with a method of its own': () => echo(http.request('REPORT', `${base}/anything`, 'x')),
  'request get': () => http.request('GET', `${base}/fast`).status,
  'request without arguments': () => throws(() => http.request()),
  'get without arguments': () => throws(() => http.get()),
  'asyncRequest resolves': async () => (await http.asyncRequest('GET', `${base}/fast`)).status,
  'asyncRequest with a body': async () => echo(await http.asyncRequest('POST', `${base}/anything`, 'late')),
  'asyncRequest side by side': async () => (await Promise.all([1, 2, 3].map((n) => http.asyncRequest('GET', `${base}/status/20${n}`)))).map((r) => r.status),
  'asyncRequest gives a promise': () => http.asyncRequest('GET', `${base}/fast`) instanceof Promise,
  'batch of texts': () => http.batch([`${base}/status/200`, `${base}/status/204`]).map((r) => r.status),
  'batch of arrays': () => http.batch([['GET', `${base}/fast`], ['POST', `${base}/anything`, 'x', { headers: { 'X-A': '1' } }]]).map((r) => r.status),
  'batch of objects': () => http.batch([{ method: 'GET', url: `${base}/fast` }, { method: 'PUT', url: `${base}/anything`, body: 'y' }]).map((r) => r.status),
  'batch by name': () => Object.entries(http.batch({ one: `${base}/status/201`, two: ['DELETE', `${base}/anything`] })).map(([k, r]) => `${k} ${r.status}`).sort(),
  'batch of nothing': () => http.batch([]).length,
  'batch without arguments': () => throws(() => http.batch()),
  'url as a template': () => http.get(http.url`${base}/status/${200}`).status,
  'the name of a template': () => http.url`${base}/user/${5}`.name.replace(base, ''),
  'the url of a template': () => http.url`${base}/user/${5}`.url.replace(base, ''),
  'expectedStatuses gives an object': () => typeof http.expectedStatuses(200),
  'expectedStatuses with a range': () => http.get(`${base}/status/404`, { responseCallback: http.expectedStatuses({ min: 400, max: 499 }) }).status,
  'expectedStatuses with nonsense': () => throws(() => http.expectedStatuses('200')),
  'expectedStatuses without arguments': () => throws(() => http.expectedStatuses()),
  'setResponseCallback to nothing': () => {
    http.setResponseCallback(null);
    const { status } = http.get(`${base}/status/500`);
    http.setResponseCallback(http.expectedStatuses({ min: 200, max: 399 }));
    return status;
  },
  'setResponseCallback to nonsense': () => throws(() => http.setResponseCallback('x')),
  'cookieJar is one': () => typeof http.cookieJar().set,
  'a new CookieJar': () => typeof new http.CookieJar().cookiesForURL,
  'file has its parts': () => {
    const file = http.file('text', 'a.txt', 'text/plain');
    return [file.filename, file.content_type, file.data];
  },
  'file without a type': () => http.file('text', 'a.bin').content_type,
});
