// Every member of a response.
import http from 'k6/http';
import { cases, throws } from '../lib/cases.js';

const base = __ENV.BASE;
const get = (path, params) => http.get(`${base}${path}`, params);

export default cases({
  status: () => get('/status/418').status,
  status_text: () => get('/status/404').status_text,
  'status_text of 200': () => get('/fast').status_text,
  url: () => get('/fast?a=b#c').url.replace(base, ''),
  'url after a redirect': () => get('/redirect/1').url.replace(base, ''),
  proto: () => get('/fast').proto,
  error: () => get('/fast').error,
  error_code: () => [get('/fast').error_code, get('/status/500').error_code, get('/status/404').error_code],
  'names of headers': () => Object.keys(get('/response-headers?x-mixed-Case=1').headers).includes('X-Mixed-Case'),
  'value of a header': () => get('/response-headers?X-A=b').headers['X-A'],
  'a header in small letters': () => get('/response-headers?X-A=b').headers['x-a'],
  'content type': () => get('/json').headers['Content-Type'],
  remote_ip: () => get('/fast').remote_ip,
  'remote_port is a number': () => typeof get('/fast').remote_port,
  'timings have names': () => Object.keys(get('/fast').timings).sort(),
  'timings are numbers': () => Object.values(get('/fast').timings).every((value) => typeof value === 'number' && value >= 0),
  'cookies of the answer': () => get('/cookies/set?a=b', { redirects: 0 }).cookies.a.length,
  'no cookies': () => get('/fast').cookies,
  'request method': () => get('/fast').request.method,
  'request url': () => get('/fast').request.url.replace(base, ''),
  'request headers': () => Object.keys(get('/fast').request.headers).sort(),
  'request body': () => http.post(`${base}/anything`, { a: 1 }).request.body,
  'request cookies': () => get('/fast', { cookies: { a: 'b' } }).request.cookies.a[0].value,
  'json whole': () => get('/json').json(),
  'json of text': () => throws(() => get('/html').json()),
  'json of nothing': () => throws(() => get('/status/204').json()),
  'json of a missing path': () => get('/json').json('not.there'),
  'tls_version without TLS': () => get('/fast').tls_version,
  'tls_cipher_suite without TLS': () => get('/fast').tls_cipher_suite,
  'ocsp without TLS': () => get('/fast').ocsp,
  'members can be set': () => { const res = get('/fast'); res.status = 1; res.mine = 2; return [res.status, res.mine]; },
  'the body of a failed request': () => http.get(__ENV.REFUSED_BASE).body,
  'the status of a failed request': () => http.get(__ENV.REFUSED_BASE).status,
  'the code of a failed request': () => http.get(__ENV.REFUSED_BASE).error_code,
  'the headers of a failed request': () => http.get(__ENV.REFUSED_BASE).headers,
  'the error of a failed request is text': () => typeof http.get(__ENV.REFUSED_BASE).error,
  'json of a failed request': () => throws(() => http.get(__ENV.REFUSED_BASE).json()),
  'timings of a failed request': () => Object.keys(http.get(__ENV.REFUSED_BASE).timings).length,
  'proto of a failed request': () => http.get(__ENV.REFUSED_BASE).proto,
});
