// mask: errors
// A threshold: trend percentiles.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const counter = new Counter('my_counter');
const gauge = new Gauge('my_gauge');
const rate = new Rate('my_rate');
const trend = new Trend('my_trend');
export const options = { thresholds: { my_trend: ['p(0)<=1.1', 'p(50)>=1.9', 'p(99.9)>2.9', 'p(100)>=2.9', 'p(95)<1'] } };
export default function () { trend.add(1); trend.add(2); trend.add(3); }
