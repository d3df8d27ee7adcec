// args: --no-setup --no-teardown
// With --no-setup and --no-teardown neither runs.
export function setup() {
  console.log('setup');
  return 1;
}

export default function (data) {
  console.log(typeof data);
}

export function teardown() {
  console.log('teardown');
}
