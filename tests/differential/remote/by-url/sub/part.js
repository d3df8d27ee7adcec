import { name } from '../typed.ts';

let calls = 0;
export function count() {
  calls += 1;
  return calls;
}
export default `a part of ${name}`;
