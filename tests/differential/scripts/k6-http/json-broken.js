// json() of what is not JSON throws; with a path it is undefined.
import http from 'k6/http';

export default function () {
  for (const path of ['/fast', '/bytes/0', '/status/204', '/html']) {
    const res = http.get(`${__ENV.BASE}${path}`);
    try {
      console.log(path, JSON.stringify(res.json()));
    } catch (e) {
      console.log(path, 'throws');
    }
  }
  console.log(http.get(`${__ENV.BASE}/fast`).json('some.path'));
}
