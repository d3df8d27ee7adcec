// Every method of a cookie jar.
import http from 'k6/http';
import { cases, throws } from '../lib/cases.js';

const base = __ENV.BASE;
const seen = (jar, url) => jar.cookiesForURL(url);

export default cases({
  'set and read': () => { const jar = new http.CookieJar(); jar.set(base, 'a', 'b'); return seen(jar, base); },
  'set gives': () => new http.CookieJar().set(base, 'a', 'b'),
  'two of a name': () => { const jar = new http.CookieJar(); jar.set(base, 'a', 'b'); jar.set(base, 'a', 'c'); return seen(jar, base); },
  'a path that fits': () => { const jar = new http.CookieJar(); jar.set(base, 'a', 'b', { path: '/x' }); return seen(jar, `${base}/x/y`); },
  'a path that does not fit': () => { const jar = new http.CookieJar(); jar.set(base, 'a', 'b', { path: '/x' }); return seen(jar, `${base}/y`); },
  'secure and plain': () => { const jar = new http.CookieJar(); jar.set(base, 'a', 'b', { secure: true }); return seen(jar, base); },
  'an age of the past': () => { const jar = new http.CookieJar(); jar.set(base, 'a', 'b', { max_age: -1 }); return seen(jar, base); },
  'expired': () => { const jar = new http.CookieJar(); jar.set(base, 'a', 'b', { expires: 'Mon, 02 Jan 2006 15:04:05 GMT' }); return seen(jar, base); },
  'expires of nonsense': () => throws(() => new http.CookieJar().set(base, 'a', 'b', { expires: 'tomorrow' })),
  'another domain': () => { const jar = new http.CookieJar(); jar.set(base, 'a', 'b', { domain: 'other.test' }); return seen(jar, base); },
  'delete one': () => { const jar = new http.CookieJar(); jar.set(base, 'a', 'b'); jar.set(base, 'c', 'd'); jar.delete(base, 'a'); return seen(jar, base); },
  'delete what is not there': () => throws(() => new http.CookieJar().delete(base, 'a')),
  'clear': () => { const jar = new http.CookieJar(); jar.set(base, 'a', 'b'); jar.clear(base); return seen(jar, base); },
  'an empty jar': () => seen(new http.CookieJar(), base),
  'a url of nonsense': () => throws(() => new http.CookieJar().set('::', 'a', 'b')),
  'signs in a value': () => { const jar = new http.CookieJar(); jar.set(base, 'a', 'b c,d'); return http.get(`${base}/headers`, { jar }).json('headers.Cookie'); },
  'the jar of the user': () => { http.cookieJar().set(base, 'mine', '1'); return http.get(`${base}/cookies`).json('cookies.mine'); },
  'cookies of an answer go in': () => { http.get(`${base}/cookies/set?from=server`); return http.cookieJar().cookiesForURL(base).from; },
});
