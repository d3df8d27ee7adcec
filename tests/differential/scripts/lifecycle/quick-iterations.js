// Many short iterations on several VUs: nothing is lost or counted twice.
import http from 'k6/http';
import { Counter } from 'k6/metrics';

const done = new Counter('done');

export const options = { vus: 8, iterations: 800, thresholds: { done: ['count==800'] } };

export default function () {
  http.get(`${__ENV.BASE}/fast`);
  done.add(1);
}
