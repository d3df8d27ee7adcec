// test.abort() in setup: 108, no iterations.
import exec from 'k6/execution';

export function setup() {
  exec.test.abort('not today');
}

export default function () {
  console.log('never');
}

export function teardown() {
  console.log('never either');
}
