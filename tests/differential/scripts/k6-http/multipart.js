// Objects with files become multipart bodies; text and binary, with names and types.
import http from 'k6/http';

const binary = open('../data/bytes.bin', 'b');
const text = open('../data/lines.txt');

export default function () {
  const res = http.post(`${__ENV.BASE}/post`, {
    field: 'value',
    number: 12,
    doc: http.file(text, 'lines.txt', 'text/plain'),
    bin: http.file(binary, 'b.bin'),
  });
  console.log(res.json('files.doc'), res.json('form.field'), res.json('form.number'));
  console.log(res.json('files.bin').length > 0, res.request.headers['Content-Type'][0].slice(0, 30));
  http.post(`${__ENV.BASE}/upload`, { only: http.file('abc') });
}
