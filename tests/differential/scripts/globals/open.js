// Files as text and bytes, relative to the script that opens them; only in init code.
import { text as fromModule } from '../lib/reader.js';

const text = open('../data/lines.txt');
const bytes = open('../data/bytes.bin', 'b');
let missing = false;
try {
  open('../data/not-there.txt');
} catch (e) {
  missing = true;
}

export default function () {
  console.log(text.split('\n').length, bytes.byteLength, new Uint8Array(bytes)[255], missing, fromModule.length);
  try {
    open('../data/lines.txt');
  } catch (e) {
    console.log('refused in the iteration');
  }
}
