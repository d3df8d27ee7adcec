// Every request has a URL of its own: what unbounded tags do to memory.
import http from 'k6/http';
import exec from 'k6/execution';

export default function () {
  http.get(`${__ENV.URL}?item=${exec.scenario.iterationInTest}`);
}
