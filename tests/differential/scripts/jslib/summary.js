// The summary by a library from elsewhere.
// env: SSL_CERT_FILE={dir}/ca.pem
// compare: stdout
import { check, group } from 'k6';
import { Rate, Trend } from 'k6/metrics';

const { textSummary, jUnit, humanizeValue } = require(`${__ENV.TLS_BASE}/files/k6-summary/index.js`);
const rate = new Rate('own_rate');
const trend = new Trend('own_trend', true);

export const options = { thresholds: { own_rate: ['rate>0.4', 'rate>0.9'], 'own_trend{a:b}': ['max<10'] } };

export default function () {
  group('outer', () => group('inner <&>', () => check(1, { 'is one': (n) => n === 1, 'is two': (n) => n === 2 })));
  check(2, { top: (n) => n === 2 });
  [true, false].forEach((value) => rate.add(value));
  trend.add(5, { a: 'b' });
}

export function handleSummary(data) {
  return {
    stdout: [
      textSummary(data, { indent: '  ' }),
      jUnit(data),
      humanizeValue(data.metrics.own_rate.values.rate, data.metrics.own_rate),
      humanizeValue(data.metrics.own_trend.values.max, data.metrics.own_trend),
      '',
    ].join('\n'),
  };
}
