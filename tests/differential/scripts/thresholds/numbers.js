// mask: errors
// A threshold: numbers.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const counter = new Counter('my_counter');
const gauge = new Gauge('my_gauge');
const rate = new Rate('my_rate');
const trend = new Trend('my_trend');
export const options = { thresholds: { my_counter: ['count>2.5', 'count<3e1', 'count>-1'] } };
export default function () { counter.add(3); }
