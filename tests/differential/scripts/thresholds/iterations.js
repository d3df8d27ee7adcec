// mask: errors
// A threshold: iterations.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const counter = new Counter('my_counter');
const gauge = new Gauge('my_gauge');
const rate = new Rate('my_rate');
const trend = new Trend('my_trend');
export const options = { thresholds: { iterations: ['count==1'], iteration_duration: ['max<60000'] } };
export default function () {  }
