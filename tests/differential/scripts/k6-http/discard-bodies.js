// discardResponseBodies makes bodies null unless a request asks for one.
import http from 'k6/http';

export const options = { discardResponseBodies: true };

export default function () {
  console.log(http.get(`${__ENV.BASE}/bytes/5`).body);
  console.log(http.get(`${__ENV.BASE}/bytes/5`, { responseType: 'text' }).body);
}
