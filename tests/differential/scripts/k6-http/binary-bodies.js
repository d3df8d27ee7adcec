// Array buffers and views as bodies; responses as text, bytes and nothing.
import http from 'k6/http';

const bytes = open('../data/bytes.bin', 'b');

export default function () {
  const base = __ENV.BASE;
  console.log(http.post(`${base}/upload`, bytes).body);
  console.log(http.post(`${base}/upload`, new Uint8Array([0, 1, 254, 255]).buffer).body);
  console.log(http.post(`${base}/upload`, new Uint8Array([1, 2, 3])).body);
  const binary = http.get(`${base}/bytes/5`, { responseType: 'binary' });
  console.log(binary.body instanceof ArrayBuffer, binary.body.byteLength, new Uint8Array(binary.body)[1]);
  const none = http.get(`${base}/bytes/5`, { responseType: 'none' });
  console.log(none.body, none.status);
  const text = http.post(`${base}/post`, bytes, { headers: { 'Content-Type': 'application/octet-stream' } });
  console.log(text.json('data'));
}
