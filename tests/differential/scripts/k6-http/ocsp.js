// A server that says nothing about its certificate, and one without.
import http from 'k6/http';
import { cases } from '../lib/cases.js';

export const options = {
  insecureSkipTLSVerify: true,
  systemTags: ['url', 'status', 'ocsp_status', 'tls_version'],
};

export default cases({
  'no statement': () => http.get(`${__ENV.TLS_BASE}/`).ocsp,
  'no TLS': () => http.get(`${__ENV.BASE}/`).ocsp,
  'no connection': () => http.get(`${__ENV.REFUSED_BASE}/`).ocsp,
});
