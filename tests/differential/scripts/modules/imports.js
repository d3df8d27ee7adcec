// Imports: relative, default and named, shared state, k6 modules in each form.
import shapes, { area, counter } from '../lib/shapes.js';
import * as everything from '../lib/shapes.js';
import { count } from '../lib/counting.js';
import http, { get } from 'k6/http';
import * as k6 from 'k6';
import { Counter } from 'k6/metrics';

export default function () {
  console.log(shapes.name, area(2, 3), everything.area(1, 1), counter(), count(), count());
  console.log(typeof get, get === http.get, typeof k6.check, typeof Counter);
}
