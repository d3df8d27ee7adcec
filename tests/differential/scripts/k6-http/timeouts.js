// A request that takes too long fails with 1050, whatever it was waiting for.
import http from 'k6/http';

export default function () {
  const shown = (name, res) => console.log(name, res.status, res.error_code, res.body, res.error !== '');
  shown('slow head', http.get(`${__ENV.BASE}/fixed/5s`, { timeout: 150 }));
  shown('slow body', http.get(`${__ENV.BASE}/slow/bytes/100/over/5s`, { timeout: '150ms', responseType: 'none' }));
  shown('in time', http.get(`${__ENV.BASE}/fixed/10ms`, { timeout: '20s', responseType: 'none' }));
}
