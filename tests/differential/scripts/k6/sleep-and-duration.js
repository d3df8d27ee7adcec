// seconds: 2
// sleep takes fractions; the iteration's duration includes it.
import { sleep } from 'k6';
import { check } from 'k6';

export const options = { iterations: 2, thresholds: { iteration_duration: ['min>=250', 'max<20000'] } };

export default function () {
  const start = Date.now();
  sleep(0.25);
  sleep(0);
  check(Date.now() - start, { 'slept': (ms) => ms >= 249 });
}
