// URLs are cleaned in the same way: blanks, fragments, queries, empty paths, unicode.
import http from 'k6/http';

export default function () {
  const base = __ENV.BASE;
  for (const url of [
    base, `${base}?a=1`, `${base}/anything#fragment`, `${base}/anything/a b`, `${base}/anything/%7Ea`, `${base}/anything/ü?q=ü`,
    `${base}/anything/../x`, `${base}/anything//double`, `${base}/anything?a=[1]&b={2}`, `${base}/anything?a=1+2%20+3`, `${base}/anything/;p=1`,
  ]) {
    const res = http.get(url);
    console.log(res.status, res.url.replace(base, ''), res.error_code);
  }
}
