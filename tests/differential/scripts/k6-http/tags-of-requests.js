// args: --tag run=diff
// Tags from options, scenarios, requests and the VU; name replaces url.
import http from 'k6/http';
import exec from 'k6/execution';

export const options = {
  tags: { everywhere: 'yes' },
  scenarios: {
    one: { executor: 'per-vu-iterations', vus: 1, iterations: 2, tags: { scene: 'first' } },
  },
};

export default function () {
  exec.vu.metrics.tags.mood = 'good';
  http.get(`${__ENV.BASE}/get?id=1`, { tags: { name: 'get by id', kind: 5, flag: false } });
  http.get(http.url`${__ENV.BASE}/get?id=${exec.vu.iterationInInstance}`);
  delete exec.vu.metrics.tags.mood;
  http.get(`${__ENV.BASE}/fast`, { tags: null });
}
