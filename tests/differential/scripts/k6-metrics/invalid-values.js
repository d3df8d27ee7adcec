// NaN, null and text are not samples; the return value says so.
import { Counter, Trend } from 'k6/metrics';

const counter = new Counter('count_me');
const trend = new Trend('trend_me');

export default function () {
  const tried = [NaN, null, undefined, 'text', '12', {}];
  tried.forEach((value) => console.log(String(value), counter.add(value)));
  console.log(trend.add(NaN), trend.add('3.5'), trend.add(4));
}
