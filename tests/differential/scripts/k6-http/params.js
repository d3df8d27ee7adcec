// Every parameter of a request.
import http from 'k6/http';
import { cases, throws } from '../lib/cases.js';

const base = __ENV.BASE;

export default cases({
  'headers are sent': () => http.get(`${base}/headers`, { headers: { 'X-One': '1', 'x-two': '2' } }).json('headers.X-Two'),
  'a number as header': () => http.get(`${base}/headers`, { headers: { 'X-N': 5 } }).json('headers.X-N'),
  'a boolean as header': () => http.get(`${base}/headers`, { headers: { 'X-B': true } }).json('headers.X-B'),
  'the host header': () => http.get(`${base}/headers`, { headers: { Host: 'other.test' } }).json('headers.Host'),
  'no headers': () => http.get(`${base}/fast`, { headers: null }).status,
  'tags are on samples': () => http.get(`${base}/fast`, { tags: { mine: 'a', n: 5 } }).status,
  'no tags': () => http.get(`${base}/fast`, { tags: null }).status,
  'the tag name': () => http.get(`${base}/fast?x=1`, { tags: { name: 'Named' } }).status,
  'the tag url': () => http.get(`${base}/fast`, { tags: { url: 'mine' } }).status,
  'a tag with a null value': () => http.get(`${base}/fast`, { tags: { none: null } }).status,
  'a tag with an empty value': () => http.get(`${base}/fast`, { tags: { empty: '' } }).status,
  cookies: () => http.get(`${base}/cookies`, { cookies: { a: 'b' } }).json('cookies.a'),
  'cookies that replace': () => http.get(`${base}/cookies`, { cookies: { a: { value: 'c', replace: true } } }).json('cookies.a'),
  'a jar of its own': () => {
    const jar = new http.CookieJar();
    jar.set(base, 'in', 'jar');
    return http.get(`${base}/cookies`, { jar }).json('cookies.in');
  },
  'no jar': () => http.get(`${base}/fast`, { jar: null }).status,
  'no redirects': () => http.get(`${base}/redirect/2`, { redirects: 0 }).status,
  'one redirect': () => http.get(`${base}/redirect/3`, { redirects: 1 }).status,
  'enough redirects': () => http.get(`${base}/redirect/2`, { redirects: 5 }).status,
  'timeout as text': () => http.get(`${base}/fast`, { timeout: '10s' }).status,
  'timeout as number': () => http.get(`${base}/fast`, { timeout: 10000 }).status,
  'timeout too short': () => http.get(`${base}/delay/2`, { timeout: '50ms' }).error_code,
  'timeout of nonsense': () => http.get(`${base}/fast`, { timeout: 'soon' }).status,
  'text as answer': () => typeof http.get(`${base}/fast`, { responseType: 'text' }).body,
  'bytes as answer': () => http.get(`${base}/fast`, { responseType: 'binary' }).body instanceof ArrayBuffer,
  'nothing as answer': () => http.get(`${base}/fast`, { responseType: 'none' }).body,
  'an unknown kind of answer': () => http.get(`${base}/fast`, { responseType: 'xml' }).status,
  'a callback of nothing': () => http.get(`${base}/status/500`, { responseCallback: null }).status,
  'a callback of its own': () => http.get(`${base}/status/500`, { responseCallback: http.expectedStatuses(500) }).status,
  'an unknown parameter': () => http.get(`${base}/fast`, { unknown: 1 }).status,
  'compression of text': () => http.post(`${base}/anything`, 'x'.repeat(100), { compression: 'gzip' }).json('headers.Content-Encoding'),
  'two compressions': () => http.post(`${base}/anything`, 'x'.repeat(100), { compression: 'gzip, deflate' }).json('headers.Content-Encoding'),
  'an unknown compression': () => http.post(`${base}/anything`, 'x', { compression: 'lzma' }).status,
  'an unknown way to authenticate': () => http.get(`${base}/fast`, { auth: 'psychic' }).status,
  'params as text': () => throws(() => http.get(`${base}/fast`, 'params')),
  'params of null': () => http.get(`${base}/fast`, null).status,
});
