// Sub-metrics by tags, with several tags, blanks and quotes; a group tag.
import { group } from 'k6';
import http from 'k6/http';

export const options = {
  thresholds: {
    'http_reqs{status:200}': ['count==2'],
    'http_reqs{status:404,method:GET}': ['count==1'],
    'http_reqs{kind:"a b"}': ['count==1'],
    'http_reqs{ kind : plain }': ['count==1'],
    'http_req_duration{group:::shop}': ['max<60000'],
    'http_req_failed{expected_response:true}': ['rate==0'],
    'http_req_failed{expected_response:false}': ['rate==1'],
    'checks{never:used}': ['rate>0.9'],
  },
};

export default function () {
  http.get(`${__ENV.BASE}/fast`, { tags: { kind: 'a b' } });
  http.get(`${__ENV.BASE}/fast`, { tags: { kind: 'plain' } });
  group('shop', () => http.get(`${__ENV.BASE}/status/404`));
}
