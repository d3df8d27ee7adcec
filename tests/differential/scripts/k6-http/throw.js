// With throw, failed requests are exceptions that can be caught.
import http from 'k6/http';

export const options = { throw: true };

export default function () {
  try {
    http.get(`${__ENV.REFUSED_BASE}/`);
    console.log('no exception');
  } catch (e) {
    console.log('caught', typeof e);
  }
  console.log(http.get(`${__ENV.REFUSED_BASE}/`, { throw: false }).error_code);
  console.log(http.get(`${__ENV.BASE}/status/500`).status);
}
