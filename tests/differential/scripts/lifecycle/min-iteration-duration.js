// seconds: 3
// minIterationDuration fills up short iterations.
import { check } from 'k6';

export const options = { iterations: 3, minIterationDuration: '300ms' };

const times = [];

export default function () {
  times.push(Date.now());
  if (times.length === 3) check(times, { 'at least 600 ms for two': (t) => t[2] - t[0] >= 598 });
}
