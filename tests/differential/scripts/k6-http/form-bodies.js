// Objects become forms: sorted keys, repeated arrays, encoded text; a given type is kept.
import http from 'k6/http';

export default function () {
  const url = `${__ENV.BASE}/post`;
  const res = http.post(url, { b: 'two words', a: 'ü&=+', list: ['x', 'y'], n: 5, f: 1.5, t: true, empty: '' });
  console.log(res.request.body, res.request.headers['Content-Type']);
  console.log(JSON.stringify(res.json('form.list')), res.json('form.b'), res.json('form.a'));
  http.post(url, {});
  http.post(url, { a: 1 }, { headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' } });
  http.post(url, JSON.stringify({ a: 1 }), { headers: { 'Content-Type': 'application/json' } });
  http.post(url, '');
  http.post(url);
}
