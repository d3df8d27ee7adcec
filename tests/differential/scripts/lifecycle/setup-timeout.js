// seconds: 3
// A setup that takes too long ends the run with 100.
import { sleep } from 'k6';

export const options = { setupTimeout: '1s' };

export function setup() {
  sleep(10);
}

export default function () {}
