// Groups nest, return values, and time themselves even when they throw.
import { check, group } from 'k6';
import http from 'k6/http';

export default function () {
  const value = group('outer', () => {
    http.get(`${__ENV.BASE}/fast`);
    check(1, { 'in outer': true });
    return group('inner', () => {
      http.get(`${__ENV.BASE}/fast`);
      check(1, { 'in inner': true, 'in outer': false });
      return 42;
    });
  });
  console.log('value', value);
  try {
    group('throws', () => {
      throw new Error('out of the group');
    });
  } catch (e) {
    console.log('caught', e.message);
  }
  http.get(`${__ENV.BASE}/fast`);
  for (const bad of ['a::b']) {
    try {
      group(bad, () => console.log('inside'));
    } catch (e) {
      console.log('refused', bad);
    }
  }
}
