// compare: connections
// args: --no-connection-reuse
// Every request has a connection of its own.
import http from 'k6/http';

export const options = { iterations: 2 };

export default function () {
  http.get(`${__ENV.BASE}/fast`);
  http.get(`${__ENV.BASE}/fast`);
}
