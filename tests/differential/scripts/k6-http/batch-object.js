// A batch with names.
import http from 'k6/http';

export const options = { batch: 2, batchPerHost: 1 };

export default function () {
  const base = __ENV.BASE;
  const results = http.batch({
    front: `${base}/fast`,
    missing: { method: 'GET', url: `${base}/status/404` },
    late: ['GET', `${base}/fixed/10ms`, null, { tags: { name: 'late one' } }],
  });
  console.log(Object.keys(results).sort().join(), results.front.body, results.missing.status, results.late.status);
}
