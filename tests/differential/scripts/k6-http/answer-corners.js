// Answers where clients differ: statuses, bodies, codings, fields, cookies.
import http from 'k6/http';
import { cases } from '../lib/cases.js';

const base = __ENV.BASE;
const get = (path, params) => http.get(`${base}${path}`, params);
const shown = (res) => [res.status, res.status_text, res.body, res.error_code, res.error !== ''];
const all = {};
for (const status of [200, 201, 204, 205, 206, 299, 304, 399, 400, 404, 418, 451, 499, 500, 503, 599, 600, 999]) {
  all[`status ${status}`] = () => shown(get(`/answer/${status}?body=text&X-A=1`));
  all[`status ${status} of HEAD`] = () => shown(http.head(`${base}/answer/${status}?body=text`));
  all[`status ${status} as bytes`] = () => shown(get(`/answer/${status}?body=text`, { responseType: 'binary' }));
}
for (const codings of ['gzip,gzip', 'gzip,br', 'br,zstd', 'deflate,gzip,br,zstd', 'zstd,deflate']) {
  all[`coded ${codings.split(',').join(' and ')}`] = () => {
    const res = get(`/packed/${codings}`, { headers: { 'X-Own': 'yes' } });
    return [res.status, res.headers['Content-Encoding'], res.json('headers.X-Own'), res.error_code];
  };
}
for (const coding of ['identity', 'gzip', 'GZIP', 'gzip, identity', 'br', 'zstd', 'deflate', '', 'gzip,', ' gzip ', 'compress']) {
  const name = coding.split(',').join(' and');
  all[`said to be coded ${name}`] = () => shown(get(`/answer/200?body=plain&Content-Encoding=${encodeURIComponent(coding)}`));
  all[`nothing said to be coded ${name}`] = () => shown(get(`/answer/200?Content-Encoding=${encodeURIComponent(coding)}`));
}
for (const cookie of [
  'a=1', 'a', '=1', 'a=', 'a="quoted"', 'a="with blank x"', 'a=b=c', 'a=1; path', 'a=1; Path=', 'a=1; Path=/x/y', 'a=1; Domain=', 'a=1; Domain=.127.0.0.1', 'a=1; Domain=127.0.0.1', 'a=1; Max-Age=-1',
  'a=1; Max-Age=x', 'a=1; Max-Age=1.5', 'a=1; Max-Age=99999999999', 'a=1; Expires=Wed, 21 Oct 2065 07:28:00 GMT', 'a=1; Expires=Wed, 21-Oct-2065 07:28:00 GMT', 'a=1; Expires=2065-10-21',
  'a=1; SECURE; HTTPONLY', 'a=1; SameSite=Lax', 'a b=1', 'a=1 2', 'a=1,2', 'ä=1', 'a=ä', 'a=1;;; Path=/', 'a=1; Path=/a; Path=/b', ' a=1 ; Path=/x/y ', 'a=\\x', '__Host-a=1',
]) {
  all[`cookie ${cookie.split(/[,:]/).join(' ')}`] = () => {
    const res = get(`/answer/200?Set-Cookie=${encodeURIComponent(cookie)}`);
    const jar = http.cookieJar();
    const kept = JSON.stringify(jar.cookiesForURL(`${base}/x/y/z`));
    for (const path of ['', '/answer/200', '/x', '/x/y/z', '/a', '/b']) for (const name of ['a', '__Host-a']) jar.delete(base + path, name);
    return [res.status, JSON.stringify(Object.keys(res.cookies)), Object.values(res.cookies).map((c) => c.map((one) => [one.name, one.value, one.domain, one.path, one.http_only, one.secure, one.max_age, one.expires])), kept];
  };
}

export default cases({
  ...all,
  'trailers': () => { const res = get('/fault/chunk-trailers'); return [shown(res), Object.keys(res.headers).sort()]; },
  'many fields of a name': () => get('/answer/200?X-A=1&x-a=2&X-B=&X-A=3').headers,
  'names of fields': () => Object.keys(get('/answer/200?x-lower=1&X_UNDER=1&ETag=x&WWW-Authenticate=x&x-3d-y=1&content-MD5=x&TE-x=1&X--D=1').headers).sort(),
  'blanks in fields': () => get(`/answer/200?X-A=${encodeURIComponent('  a  b  ')}&X-T=${encodeURIComponent('\ta')}`).headers['X-A'],
  'letters in fields': () => get(`/answer/200?X-A=${encodeURIComponent('ü€')}`).headers['X-A'],
  'fields that are hidden': () => Object.keys(get('/answer/200?Connection=keep-alive&Keep-Alive=timeout%3D5&Upgrade=x&Via=x&Age=1').headers).sort(),
  'bytes as text': () => get(`/answer/200?body=%FF%FEabc`).body.split('').map((c) => c.charCodeAt(0)),
  'a mark of the byte order': () => get('/answer/200?body=%EF%BB%BFabc').body.split('').map((c) => c.charCodeAt(0)),
  'another charset': () => get(`/answer/200?Content-Type=${encodeURIComponent('text/plain; charset=iso-8859-1')}&body=%FC`).body.split('').map((c) => c.charCodeAt(0)),
  'a zero inside': () => get('/answer/200?body=a%00b').body.length,
  'json with a mark of the byte order': () => get('/answer/200?body=%EF%BB%BF%7B%7D').json(),
  'json of a number': () => get('/answer/200?body=12').json(),
  'json of a text': () => get('/answer/200?body=%22a%22').json(),
  'json of null': () => get('/answer/200?body=null').json(),
  'json with rest': () => get('/answer/200?body=%7B%7D%20x').json(),
  'json with the same name twice': () => get(`/answer/200?body=${encodeURIComponent('{"a":1,"a":2}')}`).json(),
  'json of numbers that are large': () => get(`/answer/200?body=${encodeURIComponent('[9007199254740993,1e40,-0,1E2,0.1,123456789012345678901234567890]')}`).json(),
  'json of bytes': () => get('/json', { responseType: 'binary' }).json('name'),
  'json of a body that was left out': () => get('/json', { responseType: 'none' }).json('name'),
  'json whole of a body that was left out': () => get('/json', { responseType: 'none' }).json(),
  'json of a lone half': () => get(`/answer/200?body=${encodeURIComponent('"\\ud800"')}`).json().length,
  'json is remembered': () => { const res = get('/json'); return [res.json() === res.json(), res.json('tags') === res.json('tags')]; },
  'json deep': () => get(`/answer/200?body=${'['.repeat(200)}${']'.repeat(200)}`).json().length,
  'html of nothing': () => get('/answer/200').html().text(),
  'html of what was left out': () => get('/html', { responseType: 'none' }).html().text(),
  'html of bytes': () => get('/html', { responseType: 'binary' }).html('h1').text(),
  'html with a selector': () => get('/html').html('li').size(),
});
