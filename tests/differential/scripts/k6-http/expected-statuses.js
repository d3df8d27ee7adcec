// Which statuses count as failed can be set for all requests, for one, or switched off.
import http from 'k6/http';

http.setResponseCallback(http.expectedStatuses(200, { min: 400, max: 404 }));

export default function () {
  const base = __ENV.BASE;
  http.get(`${base}/status/200`);
  http.get(`${base}/status/201`);
  http.get(`${base}/status/404`);
  http.get(`${base}/status/405`);
  http.get(`${base}/status/405`, { responseCallback: http.expectedStatuses(405), tags: { name: 'own' } });
  http.get(`${base}/status/200`, { responseCallback: null, tags: { name: 'none' } });
  http.setResponseCallback(null);
  http.get(`${base}/status/500`, { tags: { name: 'off' } });
  for (const bad of [[], ['200'], [{ min: 1 }], [200, null]]) {
    try {
      http.expectedStatuses(...bad);
      console.log(JSON.stringify(bad), 'accepted');
    } catch (e) {
      console.log(JSON.stringify(bad), 'refused');
    }
  }
}
