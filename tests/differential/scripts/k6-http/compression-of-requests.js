// Request bodies are compressed in the order given.
// mask: wire
import http from 'k6/http';

const body = 'the same sentence again. '.repeat(40);

export default function () {
  for (const compression of ['gzip', 'deflate', 'zstd', 'br', 'gzip, deflate']) {
    const res = http.post(`${__ENV.BASE}/anything`, body, { compression, headers: { 'Content-Type': 'text/plain' } });
    console.log(compression, res.status, res.json('headers.Content-Encoding'), Number(res.json('headers.Content-Length')) < 200);
  }
}
