// Hashes of all kinds, at once and piece by piece, in every encoding.
import crypto from 'k6/crypto';
import { cases } from '../lib/cases.js';

const ALGORITHMS = ['md4', 'md5', 'sha1', 'sha256', 'sha384', 'sha512', 'sha512_224', 'sha512_256', 'ripemd160'];
const ENCODINGS = ['hex', 'base64', 'base64url', 'base64rawurl', 'binary'];
const BYTES = new Uint8Array([0, 255, 128, 1]);

const all = {};
for (const algorithm of ALGORITHMS) {
  for (const encoding of ENCODINGS) {
    all[`${algorithm} as ${encoding}`] = () => crypto[algorithm]('hello world', encoding);
  }
  all[`hmac with ${algorithm}`] = () => ENCODINGS.map((encoding) => crypto.hmac(algorithm, 'a secret', 'some data', encoding));
  all[`hmac with ${algorithm} and a long key`] = () => crypto.hmac(algorithm, 'k'.repeat(200), 'some data', 'hex');
  all[`createHash with ${algorithm}`] = () => {
    const hasher = crypto.createHash(algorithm);
    hasher.update('hello ');
    const early = hasher.digest('hex');
    hasher.update('world');
    return [early, hasher.digest('hex'), hasher.digest('base64')];
  };
  all[`createHMAC with ${algorithm}`] = () => {
    const hasher = crypto.createHMAC(algorithm, 'key');
    hasher.update('hello ');
    hasher.update(BYTES.buffer);
    return [hasher.digest('hex'), hasher.digest('hex')];
  };
}

export default cases({
  ...all,
  'the hash of an ArrayBuffer': () => crypto.sha256(BYTES.buffer, 'hex'),
  'the hash of a Uint8Array': () => crypto.sha256(BYTES, 'hex'),
  'the hash of a part of a Uint8Array': () => crypto.sha256(BYTES.subarray(1, 3), 'hex'),
  'the hash of text beyond ASCII': () => crypto.md5('héllo€😀', 'hex'),
  'a hash of a number': () => crypto.md5(5, 'hex'),
  'a hash of null': () => crypto.md5(null, 'hex'),
  'a hash of nothing': () => crypto.md5(undefined, 'hex'),
  'a hash of an object': () => crypto.md5({}, 'hex'),
  'a hash of an array': () => crypto.md5([1, 2], 'hex'),
  'a hash in no encoding': () => crypto.md5('x'),
  'a hash in an unknown encoding': () => crypto.md5('x', 'nope'),
  'a keyed hash of an unknown kind': () => crypto.hmac('nope', 'k', 'd', 'hex'),
  'a keyed hash without a key': () => crypto.hmac('sha256', undefined, 'd', 'hex'),
  'a keyed hash with a key of bytes': () => crypto.hmac('sha256', BYTES.buffer, BYTES, 'hex'),
  'createHMAC of an unknown kind': () => crypto.createHMAC('nope', 'k'),
  'createHMAC with an object as key': () => crypto.createHMAC('sha256', {}),
  'update returns nothing': () => crypto.createHash('sha256').update('a'),
  'update with a number': () => crypto.createHash('sha256').update(5),
  'digest in no encoding': () => crypto.createHash('sha256').digest(),
  'randomBytes': () => [crypto.randomBytes(5).byteLength, crypto.randomBytes('7').byteLength, crypto.randomBytes(2.7).byteLength],
  'randomBytes twice': () => crypto.hexEncode(crypto.randomBytes(16)) === crypto.hexEncode(crypto.randomBytes(16)),
  'randomBytes of nothing': () => crypto.randomBytes(0),
  'randomBytes of less than nothing': () => crypto.randomBytes(-1),
  'randomBytes without a size': () => crypto.randomBytes(),
  'hexEncode': () => [crypto.hexEncode('abc'), crypto.hexEncode(BYTES.buffer), crypto.hexEncode('')],
  'hexEncode of a number': () => crypto.hexEncode(7),
});
