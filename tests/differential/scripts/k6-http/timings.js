// Timings are numbers that add up; a kept connection costs nothing to connect.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const first = http.get(`${__ENV.BASE}/fixed/20ms`).timings;
  const second = http.get(`${__ENV.BASE}/fixed/20ms`).timings;
  check(first, {
    'keys': (t) => ['blocked', 'connecting', 'duration', 'looking_up', 'receiving', 'sending', 'tls_handshaking', 'waiting'].every((k) => typeof t[k] === 'number'),
    'sum': (t) => Math.abs(t.sending + t.waiting + t.receiving - t.duration) < 0.001,
    'waits for the server': (t) => t.waiting >= 19.5 && t.duration >= 19.5,
    'connects': (t) => t.connecting > 0,
    'no tls': (t) => t.tls_handshaking === 0 && t.looking_up === 0,
  });
  check(second, { 'reuses': (t) => t.connecting === 0 && t.waiting >= 19.5 });
}
