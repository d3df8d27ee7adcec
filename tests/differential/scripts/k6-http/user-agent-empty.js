// An empty userAgent option removes the header.
import http from 'k6/http';

export const options = { userAgent: '' };

export default function () {
  console.log(http.get(`${__ENV.BASE}/headers`).json('headers.User-Agent'));
}
