// args: --system-tags method,status,name,vu,iter
// Only the chosen system tags are set.
import http from 'k6/http';

export const options = { iterations: 2 };

export default function () {
  http.get(`${__ENV.BASE}/fast`);
}
