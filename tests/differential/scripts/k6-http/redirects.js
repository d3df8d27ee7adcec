// Redirects are followed up to a limit; every hop counts; methods change as browsers change them.
import http from 'k6/http';

export const options = { maxRedirects: 4 };

export default function () {
  const base = __ENV.BASE;
  const shown = (res) => console.log(res.status, res.url.replace(base, ''), res.request.method, res.request.url.replace(base, ''), res.headers.Location);
  shown(http.get(`${base}/redirect/3`));
  shown(http.get(`${base}/redirect/6`));
  shown(http.get(`${base}/redirect/2`, { redirects: 0 }));
  shown(http.get(`${base}/redirect/2`, { redirects: 1 }));
  for (const status of [301, 302, 303, 307, 308]) {
    const res = http.post(`${base}/redirect-to?url=/anything&status=${status}`, 'the body');
    console.log(status, res.status, res.json('method'), res.json('data'));
  }
  shown(http.get(`${base}/redirect-to?url=${encodeURIComponent(`${base}/fast?absolute`)}`));
  shown(http.get(`${base}/redirect-to?url=relative`));
}
