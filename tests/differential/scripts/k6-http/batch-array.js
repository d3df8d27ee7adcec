// A batch of every form of element; results keep the order.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const base = __ENV.BASE;
  const results = http.batch([
    `${base}/get?n=0`,
    ['POST', `${base}/post`, { a: '1' }, { tags: { n: 'one' } }],
    { method: 'PUT', url: `${base}/put`, body: 'two', params: { headers: { 'X-N': '2' } } },
    { url: `${base}/status/404` },
    ['GET', `${base}/fixed/20ms`],
    http.url`${base}/get?n=${5}`,
  ]);
  console.log(results.length, results.map((r) => r.status).join());
  check(results, {
    'order kept': (r) => r[0].json('args.n') === '0' && r[1].json('form.a') === '1' && r[2].json('data') === 'two',
  });
  console.log(JSON.stringify(http.batch([]).length));
}
