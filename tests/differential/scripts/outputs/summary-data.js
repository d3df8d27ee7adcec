// What handleSummary gets.
import http from 'k6/http';
import { check, group } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const made = [new Counter('my_counter'), new Gauge('my_gauge'), new Rate('my_rate'), new Trend('my_trend', true), new Trend('plain')];
new Counter('never_used');
export const options = { thresholds: { my_counter: ['count>0'], 'http_reqs{status:200}': ['count==1'], my_gauge: ['value<1'] } };
export function setup() { return { b: 1, a: [2] }; }
export default function () {
  for (const metric of made) metric.add(3);
  group('g', () => { check(1, { 'in g': () => true }); group('h', () => check(1, { 'in h': () => false })); });
  http.get(`${__ENV.BASE}/fast`);
}
export function handleSummary(data) {
  console.log(Object.keys(data).sort().join());
  console.log(Object.keys(data.metrics).filter((name) => !name.startsWith('vus')).sort().join());
  for (const name of ['my_counter', 'my_gauge', 'my_rate', 'my_trend', 'plain', 'http_reqs', 'http_req_failed', 'checks', 'iterations']) {
    const { type, contains, values, thresholds } = data.metrics[name];
    console.log(name, type, contains, Object.keys(values).sort().join(), JSON.stringify(thresholds));
  }
  const { passes, fails, rate } = data.metrics.my_rate.values; // k6 gives them in any order
  console.log(data.metrics.my_gauge.values.value, data.metrics.my_gauge.values.min, data.metrics.my_gauge.values.max, passes, fails, rate);
  console.log(JSON.stringify(data.setup_data.a), data.setup_data.b);
  console.log(Object.keys(data.state).sort().join(), data.state.isStdOutTTY, data.state.testRunDurationMs > 0);
  console.log(Object.keys(data.options).sort().join(), JSON.stringify(data.options.summaryTrendStats), data.options.summaryTimeUnit, data.options.noColor);
  const show = (g) => [g.name, g.path, g.id, g.checks.map((c) => [c.name, c.path, c.id, c.passes, c.fails]), g.groups.map(show)];
  console.log(JSON.stringify(show(data.root_group)));
  return {};
}
