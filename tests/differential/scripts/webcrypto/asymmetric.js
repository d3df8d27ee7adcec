// The global crypto: RSA, ECDSA, ECDH and wrapped keys.
// seconds: 5
import { cases } from '../lib/cases.js';

const subtle = crypto.subtle;
const text = (string) => new Uint8Array(string.split('').map((letter) => letter.charCodeAt(0)));
const fails = async (promise) => {
  try {
    await promise();
    return 'works';
  } catch (e) {
    return e.name || 'an error';
  }
};
const describe = (key) => ({
  type: key.type, extractable: key.extractable, name: key.algorithm.name, length: key.algorithm.modulusLength,
  hash: key.algorithm.hash && (key.algorithm.hash.name || key.algorithm.hash), usages: Array.from(key.usages).sort(),
});
const both = (pair) => [describe(pair.privateKey), describe(pair.publicKey)];
const EXPONENT = new Uint8Array([1, 0, 1]);
const rsa = (name, usages, hash = 'SHA-256') => subtle.generateKey({ name, modulusLength: 2048, publicExponent: EXPONENT, hash }, true, usages);

const all = {};
for (const namedCurve of ['P-256', 'P-384', 'P-521']) {
  all[`generateKey ECDSA ${namedCurve}`] = async () => both(await subtle.generateKey({ name: 'ECDSA', namedCurve }, true, ['sign', 'verify']));
  all[`generateKey ECDH ${namedCurve}`] = async () => both(await subtle.generateKey({ name: 'ECDH', namedCurve }, true, ['deriveBits', 'deriveKey']));
  for (const hash of { 'P-256': ['SHA-256'], 'P-384': ['SHA-384'], 'P-521': ['SHA-256', 'SHA-384', 'SHA-512'] }[namedCurve]) {
    all[`ECDSA ${namedCurve} with ${hash}`] = async () => {
      const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve }, true, ['sign', 'verify']);
      const how = { name: 'ECDSA', hash: { name: hash } };
      const signature = await subtle.sign(how, pair.privateKey, text('message'));
      return [signature.byteLength, await subtle.verify(how, pair.publicKey, signature, text('message')), await subtle.verify(how, pair.publicKey, signature, text('other'))];
    };
  }
  for (const [format, half] of [['raw', 'publicKey'], ['spki', 'publicKey'], ['pkcs8', 'privateKey'], ['jwk', 'publicKey'], ['jwk', 'privateKey']]) {
    all[`ECDSA ${namedCurve} ${half} as ${format} and back`] = async () => {
      const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve }, true, ['sign', 'verify']);
      const exported = await subtle.exportKey(format, pair[half]);
      const usages = half === 'publicKey' ? ['verify'] : ['sign'];
      const key = await subtle.importKey(format, exported, { name: 'ECDSA', namedCurve }, true, usages);
      const shape = format === 'jwk' ? [exported.kty, exported.crv, typeof exported.x, typeof exported.d] : exported.byteLength;
      return [shape, describe(key)];
    };
  }
  all[`ECDH ${namedCurve}`] = async () => {
    const one = await subtle.generateKey({ name: 'ECDH', namedCurve }, true, ['deriveBits', 'deriveKey']);
    const two = await subtle.generateKey({ name: 'ECDH', namedCurve }, true, ['deriveBits', 'deriveKey']);
    const a = await subtle.deriveBits({ name: 'ECDH', public: two.publicKey }, one.privateKey, 256);
    const b = await subtle.deriveBits({ name: 'ECDH', public: one.publicKey }, two.privateKey, 256);
    return [a.byteLength, Array.from(new Uint8Array(a)).join() === Array.from(new Uint8Array(b)).join()];
  };
}

export default cases({
  ...all,
  'generateKey RSASSA-PKCS1-v1_5': async () => both(await rsa('RSASSA-PKCS1-v1_5', ['sign', 'verify'])),
  'generateKey RSA-PSS': async () => both(await rsa('RSA-PSS', ['sign', 'verify'], 'SHA-512')),
  'generateKey RSA-OAEP': async () => both(await rsa('RSA-OAEP', ['encrypt', 'decrypt'], 'SHA-1')),
  'RSASSA-PKCS1-v1_5': async () => {
    const pair = await rsa('RSASSA-PKCS1-v1_5', ['sign', 'verify']);
    const signature = await subtle.sign('RSASSA-PKCS1-v1_5', pair.privateKey, text('message'));
    return [signature.byteLength, await subtle.verify('RSASSA-PKCS1-v1_5', pair.publicKey, signature, text('message')), await subtle.verify('RSASSA-PKCS1-v1_5', pair.publicKey, signature, text('other'))];
  },
  'RSA-PSS': async () => {
    const pair = await rsa('RSA-PSS', ['sign', 'verify']);
    const how = { name: 'RSA-PSS', saltLength: 32 };
    const signature = await subtle.sign(how, pair.privateKey, text('message'));
    return [signature.byteLength, await subtle.verify(how, pair.publicKey, signature, text('message')), await subtle.verify(how, pair.publicKey, signature, text('other'))];
  },
  'RSA-OAEP': async () => {
    const pair = await rsa('RSA-OAEP', ['encrypt', 'decrypt']);
    const sealed = await subtle.encrypt({ name: 'RSA-OAEP', label: text('label') }, pair.publicKey, text('message'));
    return [sealed.byteLength, await subtle.decrypt({ name: 'RSA-OAEP', label: text('label') }, pair.privateKey, sealed), await fails(() => subtle.decrypt({ name: 'RSA-OAEP', label: text('other') }, pair.privateKey, sealed))];
  },
  'RSA keys and back': async () => {
    const pair = await rsa('RSASSA-PKCS1-v1_5', ['sign', 'verify']);
    const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
    const signature = await subtle.sign('RSASSA-PKCS1-v1_5', pair.privateKey, text('message'));
    const result = [];
    for (const format of ['spki']) {
      const key = await subtle.importKey(format, await subtle.exportKey(format, pair.publicKey), algorithm, true, ['verify']);
      result.push(describe(key), await subtle.verify('RSASSA-PKCS1-v1_5', key, signature, text('message')));
    }
    for (const format of ['pkcs8']) {
      const key = await subtle.importKey(format, await subtle.exportKey(format, pair.privateKey), algorithm, true, ['sign']);
      const again = await subtle.sign('RSASSA-PKCS1-v1_5', key, text('message'));
      result.push(describe(key), await subtle.verify('RSASSA-PKCS1-v1_5', pair.publicKey, again, text('message')));
    }
    return result;
  },
  'RSA keys as JWK': async () => {
    const pair = await rsa('RSA-PSS', ['sign', 'verify']);
    const one = await subtle.exportKey('jwk', pair.publicKey);
    const two = await subtle.exportKey('jwk', pair.privateKey);
    return [one.e, one.kty, ...'nedpq'.split('').map((member) => typeof two[member]), typeof one.d];
  },
  'ECDSA with an unknown curve': () => fails(() => subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-1' }, true, ['sign'])),
  'ECDSA for encrypting': () => fails(() => subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['encrypt'])),
  'ECDSA for nothing': () => fails(() => subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [])),
  'RSA without an exponent': () => fails(() => subtle.generateKey({ name: 'RSA-PSS', modulusLength: 2048, hash: 'SHA-256' }, true, ['sign'])),
  'an EC key that is none': () => fails(() => subtle.importKey('spki', text('nonsense'), { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify'])),
  'verifying with a private key': async () => {
    const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
    return fails(() => subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, pair.privateKey, new Uint8Array(64), text('x')));
  },
});
