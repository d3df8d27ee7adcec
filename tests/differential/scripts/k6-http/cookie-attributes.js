// Attributes decide where a cookie is sent; an own jar keeps apart from the VU's.
import http from 'k6/http';

export default function () {
  const base = __ENV.BASE;
  const set = (text) => http.get(`${base}/response-headers?Set-Cookie=${encodeURIComponent(text)}`);
  set('plain=1');
  set('rooted=1; Path=/');
  set('deep=1; Path=/anything');
  set('secure=1; Path=/; Secure');
  set('gone=1; Path=/; Max-Age=0');
  set('past=1; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT');
  set('foreign=1; Path=/; Domain=example.com');
  const res = set('full=1; Path=/x; HttpOnly; Max-Age=60');
  const cookie = res.cookies.full[0];
  console.log(cookie.path, cookie.http_only, cookie.secure, cookie.max_age, cookie.domain);
  http.get(`${base}/cookies`);
  http.get(`${base}/anything/below`);
  const jar = new http.CookieJar();
  jar.set(base, 'own', 'jar');
  http.get(`${base}/cookies`, { jar });
  http.get(`${base}/cookies/set?into=jar`, { jar });
  console.log(Object.keys(jar.cookiesForURL(base)).sort().join());
  console.log(Object.keys(http.cookieJar().cookiesForURL(base)).sort().join());
}
