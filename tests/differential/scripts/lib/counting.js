// A module is evaluated once, whoever imports it.
let calls = 0;

export function count() {
  calls += 1;
  return calls;
}
