// mask: errors
// A threshold: http req failed.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const counter = new Counter('my_counter');
const gauge = new Gauge('my_gauge');
const rate = new Rate('my_rate');
const trend = new Trend('my_trend');
export const options = { thresholds: { http_req_failed: ['rate<0.4'] } };
export default function () { http.get(`${__ENV.BASE}/status/404`); http.get(`${__ENV.BASE}/fast`); }
