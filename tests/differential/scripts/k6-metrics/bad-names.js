// Names are checked when a metric is made; a metric can only be made in init code.
import { Counter, Trend } from 'k6/metrics';

const refused = [];
for (const name of ['1abc', 'a', 'with blank', 'with-dash', '', 'x'.repeat(200), 'good_one']) {
  try {
    new Counter(name);
  } catch (e) {
    refused.push(name.slice(0, 12));
  }
}
new Counter('taken');
try {
  new Trend('taken');
} catch (e) {
  refused.push('taken as another kind');
}

export default function () {
  console.log(JSON.stringify(refused));
  try {
    new Counter('too_late');
  } catch (e) {
    console.log('refused in the iteration');
  }
}
