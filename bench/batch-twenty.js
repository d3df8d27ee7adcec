// Twenty requests at once, as a page with its resources.
import http from 'k6/http';
import { check } from 'k6';

export const options = { batch: 20, batchPerHost: 20 };

export default function () {
  const urls = [];
  for (let i = 0; i < 20; i++) urls.push(__ENV.URL);
  const all = http.batch(urls);
  check(all, { 'all are 200': (a) => a.every((r) => r.status === 200) });
}
