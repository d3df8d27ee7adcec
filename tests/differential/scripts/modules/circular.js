// Two modules that import each other; functions are there before either has run.
import { even } from '../lib/even.js';
export default function () { console.log(even(4), even(7)); }
