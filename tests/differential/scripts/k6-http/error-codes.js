// Refused, reset, unresolvable, malformed: each with its error code, and the run goes on.
import http from 'k6/http';

export default function () {
  const shown = (name, url, params) => {
    const res = http.get(url, params);
    console.log(name, res.status, res.error_code, res.error !== '', res.body);
  };
  shown('refused', `${__ENV.REFUSED_BASE}/`);
  shown('reset', `${__ENV.BASE}/fault/reset`);
  shown('unknown host', 'http://does-not-exist.invalid/');
  shown('bad port', 'http://127.0.0.1:99999/');
  shown('not found', `${__ENV.BASE}/status/404`);
  shown('server error', `${__ENV.BASE}/status/503`);
  shown('plain over tls', `${__ENV.BASE.replace('http:', 'https:')}/`);
  shown('unknown authority', `${__ENV.TLS_BASE}/`);
  shown('no scheme', 'no-scheme');
  shown('empty', '');
  shown('ftp', 'ftp://127.0.0.1/');
}
