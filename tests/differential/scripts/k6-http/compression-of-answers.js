// Compressed answers are decoded; an unknown coding is left alone.
import http from 'k6/http';

export default function () {
  for (const coding of ['gzip', 'deflate', 'brotli', 'zstd']) {
    const res = http.get(`${__ENV.BASE}/${coding}`, { headers: { 'X-Coding': coding } });
    console.log(coding, res.status, res.json('headers.X-Coding'), res.headers['Content-Encoding']);
  }
  const odd = http.get(`${__ENV.BASE}/fault/unknown-encoding`);
  console.log(odd.status, odd.body, odd.error_code);
}
