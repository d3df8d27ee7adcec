// One GET and a check with ten conditions.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const res = http.get(__ENV.URL);
  check(res, {
    'status is 200': (r) => r.status === 200,
    'it is HTTP/1.1': (r) => r.proto === 'HTTP/1.1',
    'it has a body': (r) => r.body.length === 12,
    'it says hello': (r) => r.body.includes('hello'),
    'it is text': (r) => r.headers['Content-Type'] === 'text/plain',
    'there is no error': (r) => r.error === '',
    'the code says so too': (r) => r.error_code === 0,
    'it was quick': (r) => r.timings.duration < 10000,
    'the url is ours': (r) => r.url === __ENV.URL,
    'it is local': (r) => r.remote_ip === '127.0.0.1',
  });
}
