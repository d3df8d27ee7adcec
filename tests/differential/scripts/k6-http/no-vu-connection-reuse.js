// compare: connections
// Connections are closed between iterations, not within one.
import http from 'k6/http';

export const options = { iterations: 3, noVUConnectionReuse: true };

export default function () {
  http.get(`${__ENV.BASE}/fast`);
  http.get(`${__ENV.BASE}/fast`);
}
