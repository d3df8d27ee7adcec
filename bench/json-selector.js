// One value out of 100 KB of JSON.
import http from 'k6/http';
import { check } from 'k6';

export default function () {
  const res = http.get(__ENV.URL);
  const city = res.json('items.250.address.city');
  check(city, { 'it is found': (c) => c === 'city 250' });
}
