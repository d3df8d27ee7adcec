// check and group refuse async functions.
import { check, group } from 'k6';

export default function () {
  for (const [name, work] of [
    ['check', () => check(1, { 'async check': async () => true })],
    ['group', () => group('async group', async () => 1)],
  ]) {
    try {
      work();
      console.log(name, 'accepted');
    } catch (e) {
      console.log(name, 'refused');
    }
  }
}
