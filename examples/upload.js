// Bodies: a form, JSON, files in a multipart form, and raw bytes.

import http from 'k6/http';
import { check } from 'k6';

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8080';

// open() reads a file once, before the load; `b` gives bytes instead of text.
const picture = open('./data/pixel.gif', 'b');

export const options = {
  vus: 2,
  iterations: 20,
  thresholds: { checks: ['rate==1'] },
};

export default function () {
  // An object is sent as a form.
  const form = http.post(`${BASE_URL}/post`, { name: 'Ada Lovelace', year: 1815 });
  check(form, { 'form arrives': (r) => r.json('form.name') === 'Ada Lovelace' });

  const headers = { 'Content-Type': 'application/json' };
  const json = http.post(`${BASE_URL}/post`, JSON.stringify({ list: [1, 2, 3] }), { headers });
  check(json, { 'json arrives': (r) => r.json('json.list.#') === 3 });

  // An object with a file in it is sent as multipart/form-data.
  const parts = { title: 'one pixel', picture: http.file(picture, 'pixel.gif', 'image/gif') };
  const multipart = http.post(`${BASE_URL}/post`, parts);
  check(multipart, { 'files arrive': (r) => r.json('form.title') === 'one pixel' });

  const raw = http.put(`${BASE_URL}/put`, picture, { headers: { 'Content-Type': 'image/gif' } });
  check(raw, { 'bytes arrive': (r) => r.status === 200 });
}
