// Several requests at a time from one user, as a browser does.

import http from 'k6/http';
import { check } from 'k6';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';

export const options = {
  vus: 3,
  duration: '3s',
  batch: 10, // at most so many at a time
  batchPerHost: 6, // and so many to one host
};

export default function () {
  // A list of requests gives a list of responses.
  const [page, style] = http.batch([
    `${BASE_URL}/html`,
    ['GET', `${BASE_URL}/bytes/2k`, null, { tags: { kind: 'style' } }],
  ]);
  check(page, { 'page is there': (r) => r.status === 200 });
  check(style, { 'style is whole': (r) => r.body.length === 2048 });

  // An object of requests gives an object of responses.
  const answers = http.batch({
    fast: { method: 'GET', url: `${BASE_URL}/fixed/5ms` },
    slow: { method: 'POST', url: `${BASE_URL}/post`, body: 'a=1' },
  });
  check(answers.fast, { 'fast is fast': (r) => r.timings.duration < 500 });
  check(answers.slow, { 'post arrives': (r) => r.status === 200 });
}
