// Every method with and without a body, and what arrives.
import http from 'k6/http';

export default function () {
  const base = __ENV.BASE;
  const shown = (res) => console.log(res.request.method, res.status, res.status_text, res.proto, res.body === null ? 'null' : res.body.length > 0);
  shown(http.get(`${base}/get`));
  shown(http.head(`${base}/bytes/100`));
  shown(http.post(`${base}/post`, 'text'));
  shown(http.put(`${base}/put`, 'put text'));
  shown(http.patch(`${base}/patch`, 'patch text'));
  shown(http.del(`${base}/delete`));
  shown(http.del(`${base}/delete`, 'with a body'));
  shown(http.options(`${base}/anything`));
  shown(http.request('PURGE', `${base}/anything`));
  shown(http.request('POST', `${base}/post`, null));
  shown(http.request('GET', `${base}/anything`, 'a body on get'));
  shown(http.get(`${base}/post`));
}
