// Header values are coerced, Host is special, response headers are canonical and joined.
import http from 'k6/http';

export const options = { userAgent: 'difftest/1.0' };

export default function () {
  const res = http.get(`${__ENV.BASE}/response-headers?x-one=1&X-Many=a&X-Many=b&content-language=en`, {
    headers: { 'x-number': 5, 'X-Bool': true, Host: 'example.test', accept: 'text/*', 'X-Empty': '' },
  });
  console.log(res.headers['X-One'], res.headers['x-one'], res.headers['X-Many'], res.headers['Content-Language']);
  console.log(Object.keys(res.headers).sort().join(','));
  http.get(`${__ENV.BASE}/fast`, { headers: { 'User-Agent': 'own' } });
  http.post(`${__ENV.BASE}/post`, 'abc', { headers: { 'Content-Type': 'text/x-own', 'Content-Length': '3' } });
}
