// What is allowed in init code only, and what is not allowed there.
import http from 'k6/http';
import { check, group, sleep } from 'k6';
import { Trend } from 'k6/metrics';

const refused = [];
const trial = (name, work) => {
  try {
    work();
  } catch (e) {
    refused.push(name);
  }
};
trial('http', () => http.get(`${__ENV.BASE}/fast`));
trial('check', () => check(1, { x: true }));
trial('group', () => group('g', () => {}));
trial('metric', () => new Trend('fine').add(1));
trial('cookieJar', () => http.cookieJar());
trial('sleep', () => sleep(0));

export default function () {
  console.log(refused.join());
}
