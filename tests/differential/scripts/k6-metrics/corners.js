// Custom metrics with what nobody expects.
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
import { cases } from '../lib/cases.js';

const tried = {};
const attempt = (name, work) => {
  try {
    const metric = work();
    tried[name] = ['made', metric.name];
  } catch (e) {
    tried[name] = ['threw', typeof e];
  }
};
const KINDS = { Counter, Gauge, Rate, Trend };
for (const name of ['a', 'A_b9', '9a', '_a', 'a-b', 'a.b', 'a b', 'ä', 'a'.repeat(128), 'a'.repeat(129), '', 'http_x', 'a:b', 'a{b:c}']) attempt(`the name ${name.slice(0, 20)} ${name.length}`, () => new Counter(name));
attempt('a name of a built-in metric', () => new Counter('http_reqs'));
attempt('a name of a built-in metric of another kind', () => new Trend('http_reqs'));
attempt('a built-in trend of times', () => new Trend('http_req_duration', true));
attempt('a built-in trend', () => new Trend('http_req_duration'));
attempt('the same name', () => { new Counter('twice'); return new Counter('twice'); });
attempt('the same name of another kind', () => new Gauge('twice'));
attempt('the same trend, of times', () => { new Trend('trend_twice'); return new Trend('trend_twice', true); });
attempt('a name of a number', () => new Counter(12345));
attempt('a name of null', () => new Counter(null));
attempt('no name', () => new Counter());
attempt('without new', () => Counter('called'));
attempt('a counter of times', () => new Counter('counter_times', true));
attempt('a time of text', () => new Trend('time_text', 'yes'));
attempt('a class of its own', () => { class Own extends Counter {} return new Own('own_class'); });

const counter = new Counter('cc');
const gauge = new Gauge('gg');
const rate = new Rate('rr');
const trend = new Trend('tt');
const times = new Trend('times', true);
const each = { counter, gauge, rate, trend, times };
const all = {};
const VALUES = { 'true': true, 'false': false, 'zero': 0, 'minus zero': -0, 'one': 1, 'less': -1.5, 'huge': 1e300, 'tiny': 5e-324, 'NaN': NaN, 'text': 'x', 'digits': '12', 'empty': '', 'hex': '0x10', 'null': null, 'undefined': undefined, 'list of one': [7], 'object': {}, 'date': new Date(5), 'bigint': 5n, 'valueOf': { valueOf: () => 3 } };
for (const [kind, metric] of Object.entries(each)) {
  for (const [name, value] of Object.entries(VALUES)) {
    all[`${kind} ${name}`] = () => metric.add(value);
  }
}

export const options = { thresholds: { 'cc{k:v}': ['count>=0'] } };

export default cases({
  ...Object.fromEntries(Object.entries(tried).map(([name, result]) => [name, () => result])),
  ...all,
  'tags of kinds': () => counter.add(1, { n: 1, f: 1.5, b: true, e: '' }),
  'tags of null': () => counter.add(1, null),
  'tags as text': () => counter.add(1, 'x'),
  'a tag of null': () => counter.add(1, { a: null }),
  'a tag of undefined': () => counter.add(1, { a: undefined }),
  'a tag of a list': () => counter.add(1, { a: [] }),
  'a tag of the system': () => counter.add(1, { group: 'x', scenario: 'y', k: 'v' }),
  'a tag with an empty name': () => counter.add(1, { '': 'x' }),
  'too many arguments': () => counter.add(1, {}, 5),
  'kinds': () => Object.keys(KINDS).map((name) => [typeof KINDS[name], KINDS[name].name.length >= 0]),
  'a metric as JSON': () => JSON.stringify(counter),
  'the name cannot be changed': () => { try { counter.name = 'x'; } catch (e) { /* either way */ } return counter.name; },
});
