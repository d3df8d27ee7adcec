// CommonJS seen from imports: its own default, all of it, names that are not there, the namespace.
import seven, { a, nothing } from '../lib/parts.cjs.js';
import whole from '../lib/whole.cjs.js';
import * as all from '../lib/whole.cjs.js';
const required = require('../lib/parts.cjs.js');
const esm = require('../lib/esm.js');

export default function () {
  console.log(seven, a, nothing, JSON.stringify(whole), all.x, all.y, all.z);
  console.log(required.default, required.self(), Object.keys(required), Object.keys(esm), esm.default);
}
