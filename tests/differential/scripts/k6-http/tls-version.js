// Restricting the TLS version.
import http from 'k6/http';

export const options = { insecureSkipTLSVerify: true, tlsVersion: { min: 'tls1.2', max: 'tls1.2' } };

export default function () {
  const res = http.get(`${__ENV.TLS_BASE}/tls`);
  console.log(res.status, res.tls_version, res.json('version'), http.TLS_1_2, http.TLS_1_3);
}
