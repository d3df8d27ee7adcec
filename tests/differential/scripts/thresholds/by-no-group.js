// mask: errors
// A threshold: by no group.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const counter = new Counter('my_counter');
const gauge = new Gauge('my_gauge');
const rate = new Rate('my_rate');
const trend = new Trend('my_trend');
export const options = { thresholds: { 'checks{group:""}': ['rate==1'] } };
export default function () { group('g', () => check(1, { a: () => false })); check(1, { a: () => true }); }
