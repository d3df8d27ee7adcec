// seconds: 3
// A teardown that takes too long ends the run with 101.
import { sleep } from 'k6';

export const options = { teardownTimeout: '1s' };

export default function () {}

export function teardown() {
  sleep(10);
}
