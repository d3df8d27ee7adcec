// An import of a name that an ES module does not export.
import { nothing } from '../lib/esm.js';
export default function () { console.log(nothing); }
