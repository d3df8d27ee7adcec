// An exception in teardown: the iterations are counted, the exit code is 107.
export default function () {
  console.log('ran');
}

export function teardown() {
  throw new Error('no teardown today');
}
