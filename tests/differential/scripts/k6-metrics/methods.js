// Every kind of metric and every way to add to it.
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
import * as metrics from 'k6/metrics';
import { cases, throws } from '../lib/cases.js';

const counter = new Counter('my_counter');
const gauge = new Gauge('my_gauge');
const rate = new Rate('my_rate');
const trend = new Trend('my_trend');
const times = new Trend('my_times', true);
const again = new Counter('my_counter');

export default cases({
  'what is exported': () => Object.keys(metrics).filter((name) => name !== 'default').sort(),
  'name of a metric': () => [counter.name, gauge.name, rate.name, trend.name],
  'counter adds': () => counter.add(2),
  'counter adds a fraction': () => counter.add(0.5),
  'counter adds nothing': () => counter.add(0),
  'counter adds less than nothing': () => counter.add(-1),
  'counter adds a boolean': () => counter.add(true),
  'counter adds a text': () => counter.add('7'),
  'counter adds no number': () => throws(() => counter.add('x')),
  'counter adds null': () => throws(() => counter.add(null)),
  'counter without arguments': () => throws(() => counter.add()),
  'gauge is set': () => gauge.add(5),
  'gauge is set below zero': () => gauge.add(-5.5),
  'rate of true': () => rate.add(true),
  'rate of false': () => rate.add(false),
  'rate of numbers': () => [rate.add(1), rate.add(0), rate.add(7)],
  'rate of null': () => throws(() => rate.add(null)),
  'trend of numbers': () => [trend.add(1), trend.add(2.5)],
  'trend of a huge number': () => trend.add(1e15),
  'trend of less than nothing': () => trend.add(-3),
  'trend of NaN': () => throws(() => trend.add(NaN)),
  'trend of times': () => times.add(12.5),
  'with tags': () => counter.add(1, { a: 'b', n: 1, t: true }),
  'with no tags': () => counter.add(1, null),
  'with an object as tag': () => throws(() => counter.add(1, { a: {} })),
  'the same name again': () => again.add(10),
  'a metric made late': () => throws(() => new Counter('late')),
  'add gives': () => counter.add(1),
});
