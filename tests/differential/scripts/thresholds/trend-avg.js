// mask: errors
// A threshold: trend avg.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const counter = new Counter('my_counter');
const gauge = new Gauge('my_gauge');
const rate = new Rate('my_rate');
const trend = new Trend('my_trend');
export const options = { thresholds: { my_trend: ['avg==2', 'avg!=2'] } };
export default function () { trend.add(1); trend.add(3); }
