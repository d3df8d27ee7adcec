// Redirects where clients differ: methods, bodies, fields, places, cookies.
import http from 'k6/http';
import { cases } from '../lib/cases.js';

const base = __ENV.BASE;
const to = (url, status = 302) => `${base}/redirect-to?url=${encodeURIComponent(url)}&status=${status}`;
const short = (text) => (text || '').split(base).join('BASE').split(__ENV.TLS_BASE).join('TLS').replace(/(:|%3A)\d{4,5}/g, '$1PORT');
const shown = (res) => [res.status, short(res.url), res.request.method, short(res.request.url), res.request.body, res.error_code, short(res.headers.Location), (res.body || '').length > 0];
const echoed = (res) => [res.status, res.json('method'), res.json('data'), res.json('headers.Content-Type'), res.json('headers.Content-Length'), res.json('headers.X-Own'), res.json('headers.Cookie'), res.json('headers.Authorization'), short(res.json('headers.Referer')), short(res.json('headers.Host'))];

const all = {};
for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'MOVE']) {
  for (const status of [301, 302, 303, 307, 308]) {
    all[`${method} ${status}`] = () => {
      const res = http.request(method, to('/anything', status), method === 'GET' || method === 'HEAD' ? null : 'body', { headers: { 'X-Own': '1', 'Content-Type': 'text/x-y' } });
      return method === 'HEAD' ? shown(res) : echoed(res);
    };
  }
}
for (const status of [300, 304, 305, 306, 309, 399]) all[`a status of ${status}`] = () => shown(http.get(to('/anything', status)));

export default cases({
  ...all,
  'a relative path': () => shown(http.get(to('anything/below'))),
  'a path above': () => shown(http.get(to('../../anything/../get'))),
  'only a query': () => shown(http.get(to('?url=/get'))),
  'only a fragment': () => shown(http.get(to('#there'), { redirects: 2 })),
  'a fragment': () => shown(http.get(to('/anything#there'))),
  'a fragment of its own': () => shown(http.get(`${to('/anything')}#here`)),
  'blanks': () => shown(http.get(to('/anything/a b'))),
  'letters beyond ASCII': () => shown(http.get(to('/anything/ü'))),
  'the same host without a scheme': () => shown(http.get(to(`//${base.slice(7)}/anything`))),
  'an empty place': () => shown(http.get(`${base}/answer/302?Location=`)),
  'a place that cannot be read': () => shown(http.get(to('http://%zz/'))),
  'another scheme': () => shown(http.get(to('ftp://localhost/'))),
  'nobody listens there': () => shown(http.get(to('http://127.0.0.1:1/x'))),
  'to itself': () => shown(http.get(`${base}/answer/302?Location=${encodeURIComponent('?Location=x')}`, { redirects: 1 })),
  'with a body': () => shown(http.get(`${base}/answer/302?Location=/get&body=moved`, { redirects: 0 })),
  'a body that is followed': () => shown(http.get(`${base}/answer/302?Location=/get&body=moved`)),
  'to another host': () => echoed(http.get(to(`http://localhost:${base.split(':')[2]}/anything`), { headers: { Authorization: 'Basic x', Cookie: 'a=b', 'X-Own': '1' } })),
  'to the same host': () => echoed(http.get(to('/anything'), { headers: { Authorization: 'Basic x', Cookie: 'a=b', 'X-Own': '1' } })),
  'with a user in the URL': () => echoed(http.get(to('/anything').replace('://', '://u:p@'))),
  'to a user in the URL': () => echoed(http.get(to(`${base}/anything`.replace('://', '://u:p@')))),
  'with a host of its own': () => echoed(http.get(to('/anything'), { headers: { Host: 'own.test' } })),
  'with a referer of its own': () => echoed(http.get(to('/anything'), { headers: { Referer: 'http://own.test/', 'X-Own': '2' } })),
  'with cookies of the request': () => echoed(http.get(to('/anything'), { cookies: { mine: 'yes' } })),
  'with a cookie set on the way': () => http.get(`${base}/answer/302?Location=/cookies&Set-Cookie=hop%3D1`).json('cookies.hop'),
  'with a jar of its own': () => http.get(`${base}/answer/302?Location=/cookies&Set-Cookie=own%3D1`, { jar: new http.CookieJar() }).json('cookies'),
  'a tag of a name': () => shown(http.get(to('/fast'), { tags: { name: 'moved' } })),
  'only some statuses': () => shown(http.get(to('/fast'), { responseCallback: http.expectedStatuses(200) })),
  'an answer of nothing': () => shown(http.get(to('/fast'), { responseType: 'none' })),
  'a form': () => echoed(http.post(to('/anything', 307), { a: '1' })),
  'a file': () => http.post(to('/anything', 307), { a: http.file('text', 'f.txt') }).json('files.a'),
  'no redirects at all': () => shown(http.get(to('/fast'), { redirects: 0 })),
  'less than none': () => shown(http.get(to('/fast'), { redirects: -1 })),
  'many': () => shown(http.get(`${base}/redirect/12`)),
  'many more allowed': () => shown(http.get(`${base}/redirect/12`, { redirects: 20 })),
  'a number as text': () => shown(http.get(`${base}/redirect/2`, { redirects: '1' })),
  'a fraction': () => shown(http.get(`${base}/redirect/2`, { redirects: 1.9 })),
});
