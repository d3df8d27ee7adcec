// asyncRequest gives promises that run side by side.
import http from 'k6/http';

export default async function () {
  const base = __ENV.BASE;
  const one = await http.asyncRequest('GET', `${base}/get?first`);
  console.log(one.status);
  const both = await Promise.all([
    http.asyncRequest('POST', `${base}/post`, 'a'),
    http.asyncRequest('GET', `${base}/fixed/20ms`, null, { tags: { name: 'slow' } }),
  ]);
  console.log(both.map((r) => r.status).join());
  http.asyncRequest('GET', `${base}/fast?left-over`).then((res) => console.log('then', res.status));
}
