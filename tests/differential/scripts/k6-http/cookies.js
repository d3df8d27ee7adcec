// Cookies from the server, in the jar, per request, replaced, and gone in the next iteration.
import http from 'k6/http';

export const options = { iterations: 2 };

export default function () {
  const base = __ENV.BASE;
  const seen = (res) => JSON.stringify(res.json('cookies'), Object.keys(res.json('cookies')).sort());
  console.log('start', seen(http.get(`${base}/cookies`)));
  http.get(`${base}/cookies/set?server=1&other=2`);
  const jar = http.cookieJar();
  jar.set(base, 'mine', 'yes');
  jar.set(base, 'deep', 'no', { path: '/only/here' });
  console.log('jar', seen(http.get(`${base}/cookies`)));
  console.log('both', http.get(`${base}/headers`, { cookies: { mine: 'again', extra: 'x' } }).json('headers.Cookie').split('; ').sort().join('; '));
  console.log('replaced', seen(http.get(`${base}/cookies`, { cookies: { mine: { value: 'new', replace: true } } })));
  console.log(JSON.stringify(jar.cookiesForURL(base).mine), Object.keys(jar.cookiesForURL(`${base}/only/here`)).sort().join());
  const res = http.get(`${base}/cookies/set?a=b`, { redirects: 0 });
  console.log(res.cookies.a[0].name, res.cookies.a[0].value, res.cookies.a[0].path, res.cookies.a[0].http_only);
  jar.delete(base, 'server');
  console.log('deleted', seen(http.get(`${base}/cookies`)));
  http.get(`${base}/cookies/delete?other`);
  jar.clear(base);
  console.log('cleared', seen(http.get(`${base}/cookies`)));
}
