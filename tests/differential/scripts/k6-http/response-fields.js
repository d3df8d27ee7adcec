// All fields of a response that do not depend on chance.
import http from 'k6/http';

export default function () {
  const res = http.post(`${__ENV.BASE}/response-headers?X-A=1`, 'sent', { headers: { 'X-B': '2' } });
  console.log(Object.keys(res).sort().join());
  console.log(res.remote_ip, typeof res.remote_port, res.error, res.error_code, res.url.replace(__ENV.BASE, ''));
  console.log(res.request.method, res.request.body, JSON.stringify(res.request.headers['X-B']), Object.keys(res.request.cookies).length);
  const utf8 = http.get(`${__ENV.BASE}/utf8`);
  console.log(utf8.body.trim(), utf8.body.length);
  console.log(http.get(`${__ENV.BASE}/stream/3`).body.split('\n').length);
  const empty = http.get(`${__ENV.BASE}/status/204`);
  console.log(empty.body, empty.status_text);
}
