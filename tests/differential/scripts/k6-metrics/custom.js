// All kinds of custom metrics with tags, booleans, times and redeclaration.
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';

const counter = new Counter('things');
const again = new Counter('things');
const gauge = new Gauge('level');
const rate = new Rate('share');
const trend = new Trend('size');
const time = new Trend('spent', true);
new Counter('never_used');

export const options = { scenarios: { s: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } } };

export default function () {
  counter.add(1);
  again.add(2.5, { color: 'red' });
  counter.add(true);
  gauge.add(7);
  gauge.add(-3.25);
  rate.add(1);
  rate.add(0);
  rate.add(-5, { sign: 'minus' });
  rate.add(false);
  trend.add(10);
  trend.add(20.5, { n: 1, deep: 'x' });
  time.add(1500);
  if (__ITER === 0 && __VU === 1) console.log(counter.name, trend.name);
}
