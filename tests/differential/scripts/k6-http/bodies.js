// Every kind of request body.
import http from 'k6/http';
import { cases } from '../lib/cases.js';

const post = (body, params) => {
  const res = http.post(`${__ENV.BASE}/anything`, body, params);
  if (res.status !== 200) return [res.status, res.error_code];
  return [res.json('headers.Content-Type'), res.json('data'), res.json('form')];
};

export default cases({
  text: () => post('a text'),
  'an empty text': () => post(''),
  'text with letters beyond ASCII': () => post('grüße ✓ 𝄞'),
  'an object': () => post({ a: 1, b: 'two', c: true }),
  'an object with a null': () => post({ a: null }),
  'an object with undefined': () => post({ a: undefined }),
  'an object with a list': () => post({ a: ['x', 'y'] }),
  'an object with an empty list': () => post({ a: [], b: 1 }),
  'an object with signs': () => post({ 'a b': 'c&d=e', 'ü': '+' }),
  'an object with its own type': () => post({ a: 1 }, { headers: { 'Content-Type': 'text/plain' } }),
  'json by hand': () => post(JSON.stringify({ a: [1] }), { headers: { 'Content-Type': 'application/json' } }),
  'a large number': () => post({ n: 1e21, m: 1e-7, k: 123456789.5 }),
  'bytes': () => post(new Uint8Array([65, 66, 67]).buffer),
  'a typed array': () => post(new Uint8Array([65, 66, 67])),
  'a number': () => post(5),
  'a boolean': () => post(true),
  'a function': () => post(() => 1),
  'a date': () => post(new Date(0)),
  'an empty object': () => post({}),
  'a list': () => post([1, 2]),
});
