// HTTP/2, agreed on in the handshake.
// mask: values:data_sent values:data_received
// compare: connections
import http from 'k6/http';
import { cases } from '../lib/cases.js';

export const options = { insecureSkipTLSVerify: true };

const base = __ENV.HTTP2_BASE;

export default cases({
  'protocol': () => {
    const res = http.get(`${base}/get`);
    return [res.proto, res.status, res.status_text, res.tls_version];
  },
  'post': () => http.post(`${base}/post`, { a: '1', b: 'ü' }).json('form'),
  'large body': () => http.post(`${base}/post`, 'x'.repeat(300000)).json('data').length,
  'large answer': () => http.get(`${base}/bytes/1m`).body.length,
  'binary answer': () => http.get(`${base}/bytes/10`, { responseType: 'binary' }).body.byteLength,
  'head': () => {
    const res = http.head(`${base}/bytes/100`);
    return [res.status, res.body, res.headers['Content-Length']];
  },
  'no content': () => [http.get(`${base}/status/204`).status, http.get(`${base}/status/304`).status],
  'statuses': () => [400, 404, 500, 503].map((status) => http.get(`${base}/status/${status}`).error_code),
  'redirect': () => {
    const res = http.get(`${base}/redirect/2`);
    return [res.status, res.proto, res.url.replace(base, '')];
  },
  'compressed': () => http.get(`${base}/gzip`).json('gzipped'),
  'cookies': () => {
    http.get(`${base}/cookies/set?a=1&b=2`);
    return http.get(`${base}/cookies`).json('cookies');
  },
  'batch': () => http.batch(Array.from({ length: 20 }, () => `${base}/fixed/20ms`)).map((res) => `${res.status} ${res.proto}`),
  'batch of posts': () => http.batch([['POST', `${base}/post`, 'one'], ['POST', `${base}/post`, 'two']]).map((res) => res.json('data')),
  'slow answer': () => http.get(`${base}/slow/bytes/1000/over/100ms`).body.length,
  'time out': () => {
    const res = http.get(`${base}/fixed/2s`, { timeout: 100 });
    return [res.status, res.error_code];
  },
  'after a time out': () => http.get(`${base}/get`).status,
  'async': async () => (await Promise.all([1, 2, 3].map(() => http.asyncRequest('GET', `${base}/get`)))).map((res) => res.status),
  'basic': () => http.get(`${base.replace('https://', 'https://u:p@')}/basic-auth/u/p`).status,
  'digest': () => http.get(`${base.replace('https://', 'https://u:p@')}/digest-auth/auth/u/p`, { auth: 'digest' }).status,
  'headers': () => Object.keys(http.get(`${base}/response-headers?X-One=1&x-two=2`).headers).filter((name) => name.startsWith('X-')).sort().join(),
});
