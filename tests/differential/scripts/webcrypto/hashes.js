// Every hash with every kind of signature.
import { cases } from '../lib/cases.js';

const { subtle } = crypto;
const data = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
const HASHES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512'];
const all = {};

async function signed(generated, used) {
  const pair = await subtle.generateKey(generated, true, ['sign', 'verify']);
  const signature = await subtle.sign(used, pair.privateKey, data);
  const right = await subtle.verify(used, pair.publicKey, signature, data);
  const wrong = await subtle.verify(used, pair.publicKey, signature, data.slice(1));
  return [signature.byteLength, right, wrong];
}

for (const namedCurve of ['P-256', 'P-384', 'P-521']) {
  for (const hash of HASHES) {
    all[`ECDSA ${namedCurve} ${hash}`] = () => signed({ name: 'ECDSA', namedCurve }, { name: 'ECDSA', hash });
  }
}
for (const name of ['RSASSA-PKCS1-v1_5', 'RSA-PSS']) {
  for (const hash of HASHES) {
    const generated = { name, hash, modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
    all[`${name} ${hash}`] = () => signed(generated, { name, saltLength: 20 });
  }
  for (const modulusLength of [512, 1024, 1026]) {
    const generated = { name, hash: 'SHA-256', modulusLength, publicExponent: new Uint8Array([1, 0, 1]) };
    all[`${name} ${modulusLength} bits`] = () => signed(generated, { name, saltLength: 20 });
  }
}
for (const [modulusLength, hash] of [[1024, 'SHA-1'], [1024, 'SHA-256'], [1026, 'SHA-256'], [1024, 'SHA-512'], [2048, 'SHA-384']]) {
  all[`RSA-OAEP ${modulusLength} bits ${hash}`] = () => sealed({ name: 'RSA-OAEP', hash, modulusLength, publicExponent: new Uint8Array([1, 0, 1]) });
}
for (const length of [8, 12, 520, 0]) {
  all[`HMAC ${length} bits`] = () => hmac(length);
}

async function hmac(length) {
  const key = await subtle.generateKey({ name: 'HMAC', hash: 'SHA-256', length }, true, ['sign', 'verify']);
  const signature = await subtle.sign('HMAC', key, data);
  return [key.algorithm.length, signature.byteLength, (await subtle.exportKey('raw', key)).byteLength];
}

for (const length of [12, 16, 8, 17, 0]) {
  all[`an imported HMAC key of ${length} bits`] = async () => {
    const key = await subtle.importKey('raw', new Uint8Array([1, 255]), { name: 'HMAC', hash: 'SHA-256', length }, true, ['sign']);
    return [key.algorithm.length, await subtle.exportKey('raw', key), await subtle.sign('HMAC', key, data)];
  };
}

async function sealed(generated) {
  const pair = await subtle.generateKey(generated, true, ['encrypt', 'decrypt']);
  const label = new Uint8Array([1]);
  const secret = await subtle.encrypt({ name: 'RSA-OAEP', label }, pair.publicKey, data);
  const opened = await subtle.decrypt({ name: 'RSA-OAEP', label }, pair.privateKey, secret);
  return [secret.byteLength, opened];
}

export default cases(all);
