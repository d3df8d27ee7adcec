// Every aggregation on every kind of metric, all within their limits.
import { check } from 'k6';
import http from 'k6/http';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const counter = new Counter('my_counter');
const gauge = new Gauge('my_gauge');
const rate = new Rate('my_rate');
const trend = new Trend('my_trend');

export const options = {
  iterations: 4,
  thresholds: {
    my_counter: ['count==8', 'count>7.5', 'rate>0'],
    my_gauge: ['value==3'],
    my_rate: ['rate==0.5', 'rate<=0.5', 'rate!=0'],
    my_trend: ['avg==2', 'min==1', 'max===3', 'med==2', 'p(50)<2.1', 'p(99.9)<=3'],
    checks: ['rate==1'],
    http_reqs: ['count==4'],
    http_req_failed: ['rate==0'],
    http_req_duration: ['p(95)<10000', 'avg>=0'],
    'http_req_duration{status:200}': ['max<10000'],
    iterations: [{ threshold: 'count==4' }],
  },
};

export default function () {
  const res = http.get(`${__ENV.BASE}/fast`);
  check(res, { ok: (r) => r.status === 200 });
  counter.add(2);
  gauge.add(3);
  rate.add(__ITER % 2 === 0);
  trend.add(1);
  trend.add(3);
}
