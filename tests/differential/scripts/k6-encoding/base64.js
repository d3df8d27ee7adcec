// base64 in its four variants, to and fro.
import encoding from 'k6/encoding';
import { cases } from '../lib/cases.js';

const VARIANTS = [undefined, 'std', 'rawstd', 'url', 'rawurl', 'nope', null, 5];
const BYTES = new Uint8Array([251, 255, 254, 1]);

const all = {};
for (const variant of VARIANTS) {
  all[`b64encode as ${variant}`] = () => [encoding.b64encode('hello>>>??? wörld', variant), encoding.b64encode(BYTES.buffer, variant)];
  all[`b64decode as ${variant}`] = () => encoding.b64decode('aGVsbG8h', variant, 's');
  all[`b64decode as ${variant} with padding`] = () => encoding.b64decode('aGVsbG8=', variant, 's');
  all[`b64decode as ${variant} without padding`] = () => encoding.b64decode('aGVsbG8', variant, 's');
  all[`b64decode as ${variant} with letters of URLs`] = () => encoding.b64decode('-_-_', variant);
}

export default cases({
  ...all,
  'b64encode of a Uint8Array': () => encoding.b64encode(BYTES),
  'b64encode of a part of a Uint8Array': () => encoding.b64encode(BYTES.subarray(1, 3)),
  'b64encode of a number': () => encoding.b64encode(5),
  'b64encode of null': () => encoding.b64encode(null),
  'b64encode of nothing': () => encoding.b64encode(),
  'b64encode of an object': () => encoding.b64encode({}),
  'b64decode to bytes': () => encoding.b64decode('aGVsbG8='),
  'b64decode in a form that is none': () => [encoding.b64decode('aGVsbG8=', 'std', 'S'), encoding.b64decode('aGVsbG8=', 'std', 'b')],
  'b64decode of no base64': () => encoding.b64decode('!!!'),
  'b64decode of several lines': () => encoding.b64decode('aGVs\nbG8=', 'std', 's'),
  'b64decode of nothing': () => [encoding.b64decode(), encoding.b64decode(null), encoding.b64decode('')],
  'b64decode of a number': () => encoding.b64decode(5),
  'b64decode of what is no UTF-8': () => encoding.b64decode('/w==', 'std', 's'),
});
