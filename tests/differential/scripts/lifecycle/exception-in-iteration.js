// Exceptions end iterations, not the run; the exit code stays 0.
import { fail } from 'k6';
import http from 'k6/http';

export const options = { iterations: 4 };

export default function () {
  http.get(`${__ENV.BASE}/fast`);
  switch (__ITER) {
    case 0:
      throw new TypeError('a type error');
    case 1:
      fail('failed on purpose');
      break;
    case 2:
      undefinedFunction();
      break;
    default:
      console.log('the last one is fine');
  }
  console.log('only after the last', __ITER);
}
