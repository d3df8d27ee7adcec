// mask: errors
// A file that does not exist: 107.
import { helper } from '../lib/not-there.js';

export default function () {
  helper();
}
