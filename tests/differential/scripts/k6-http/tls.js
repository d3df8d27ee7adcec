// args: --insecure-skip-tls-verify
// HTTPS: version and cipher suite in the response, tls_version in the tags.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const res = http.get(`${__ENV.TLS_BASE}/tls`);
  console.log(res.status, res.proto, res.tls_version, res.tls_cipher_suite !== '', res.json('version'), res.json('client_certificates'));
  check(res.timings, { 'handshake takes time': (t) => t.tls_handshaking > 0 });
  const again = http.get(`${__ENV.TLS_BASE}/fast`);
  check(again.timings, { 'reused': (t) => t.tls_handshaking === 0 });
  http.post(`${__ENV.TLS_BASE}/post`, 'secret');
}
