// mask: errors
// A threshold: checks rate.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const counter = new Counter('my_counter');
const gauge = new Gauge('my_gauge');
const rate = new Rate('my_rate');
const trend = new Trend('my_trend');
export const options = { thresholds: { checks: ['rate>0.6', 'rate>0.4'] } };
export default function () { check(1, { a: () => true, b: () => false }); }
