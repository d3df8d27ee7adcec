// compare: connections
// The server closes; the next request opens a new connection.
import http from 'k6/http';

export default function () {
  for (let i = 0; i < 3; i++) console.log(http.get(`${__ENV.BASE}/connection/close`).status);
}
