// The global crypto: digests, AES, HMAC and PBKDF2.
import { cases, throws } from '../lib/cases.js';

const subtle = crypto.subtle;
const bytes = (length, first = 1) => new Uint8Array(length).map((_, at) => (first + at) % 256);
const text = (string) => new Uint8Array(string.split('').map((letter) => letter.charCodeAt(0)));
const aes = (name, usages = ['encrypt', 'decrypt'], length = 16) => subtle.importKey('raw', bytes(length), { name }, true, usages);
const hmac = (hash, usages = ['sign', 'verify']) => subtle.importKey('raw', bytes(20), { name: 'HMAC', hash: { name: hash } }, true, usages);
const password = (usages = ['deriveBits', 'deriveKey']) => subtle.importKey('raw', text('password'), 'PBKDF2', false, usages);
const fails = async (promise) => {
  try {
    await promise();
    return 'works';
  } catch (e) {
    return e.name || 'an error';
  }
};
const describe = (key) => ({
  type: key.type, extractable: key.extractable, name: key.algorithm.name, length: key.algorithm.length,
  hash: key.algorithm.hash && (key.algorithm.hash.name || key.algorithm.hash), usages: Array.from(key.usages).sort(),
});

const all = {};
for (const hash of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512']) {
  all[`digest ${hash}`] = () => subtle.digest(hash, text('hello'));
  all[`digest ${hash} by an object`] = () => subtle.digest({ name: hash.toLowerCase() }, text('hello').buffer);
  all[`sign HMAC ${hash}`] = async () => subtle.sign('HMAC', await hmac(hash), text('message'));
  all[`verify HMAC ${hash}`] = async () => {
    const key = await hmac(hash);
    const signature = await subtle.sign('HMAC', key, text('message'));
    return [await subtle.verify('HMAC', key, signature, text('message')), await subtle.verify('HMAC', key, signature, text('other'))];
  };
  all[`generateKey HMAC ${hash}`] = async () => {
    const key = await subtle.generateKey({ name: 'HMAC', hash }, true, ['sign', 'verify']);
    return [describe(key), (await subtle.exportKey('raw', key)).byteLength];
  };
  all[`deriveBits PBKDF2 ${hash}`] = async () => subtle.deriveBits({ name: 'PBKDF2', salt: bytes(16), iterations: 1000, hash }, await password(), 256);
}
for (const length of [16, 24, 32]) {
  all[`AES-CBC ${length * 8}`] = async () => {
    const key = await aes('AES-CBC', undefined, length);
    const sealed = await subtle.encrypt({ name: 'AES-CBC', iv: bytes(16, 7) }, key, text('some longer message'));
    return [sealed, await subtle.decrypt({ name: 'AES-CBC', iv: bytes(16, 7) }, key, sealed)];
  };
  all[`AES-CTR ${length * 8}`] = async () => {
    const key = await aes('AES-CTR', undefined, length);
    const how = { name: 'AES-CTR', counter: bytes(16, 7), length: 64 };
    const sealed = await subtle.encrypt(how, key, text('some longer message'));
    return [sealed, await subtle.decrypt(how, key, sealed)];
  };
  all[`AES-GCM ${length * 8}`] = async () => {
    const key = await aes('AES-GCM', undefined, length);
    const how = { name: 'AES-GCM', iv: bytes(12, 7), additionalData: bytes(3) };
    const sealed = await subtle.encrypt(how, key, text('some longer message'));
    return [sealed, await subtle.decrypt(how, key, sealed)];
  };
}
for (const tag of [32, 64, 96, 104, 112, 120, 128, 100]) {
  all[`AES-GCM with a tag of ${tag} bits`] = async () => {
    const key = await aes('AES-GCM');
    return fails(() => subtle.encrypt({ name: 'AES-GCM', iv: bytes(12), tagLength: tag }, key, text('x')));
  };
}
for (const iv of [8, 12, 16]) {
  all[`AES-GCM with an iv of ${iv} bytes`] = async () => {
    const key = await aes('AES-GCM');
    return fails(() => subtle.encrypt({ name: 'AES-GCM', iv: bytes(iv) }, key, text('x')));
  };
}
for (const name of ['AES-CBC', 'AES-CTR', 'AES-GCM']) {
  all[`generateKey ${name}`] = async () => {
    const key = await subtle.generateKey({ name, length: 256 }, true, ['encrypt', 'decrypt']);
    return [describe(key), (await subtle.exportKey('raw', key)).byteLength];
  };
}

export default cases({
  ...all,
  'the members of crypto': () => [typeof crypto, typeof crypto.subtle, typeof crypto.getRandomValues, typeof crypto.randomUUID],
  'randomUUID': () => [/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()), crypto.randomUUID() === crypto.randomUUID()],
  'getRandomValues': () => {
    const array = new Uint8Array(32);
    const same = crypto.getRandomValues(array) === array;
    return [same, array.some((byte) => byte !== 0)];
  },
  'getRandomValues of other integers': () => ['Int8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'].map((name) => crypto.getRandomValues(new globalThis[name](4)).length),
  'getRandomValues of 65536 bytes': () => crypto.getRandomValues(new Uint8Array(65536)).length,
  'getRandomValues of more': () => throws(() => crypto.getRandomValues(new Uint8Array(65537))),
  'getRandomValues of floats': () => throws(() => crypto.getRandomValues(new Float32Array(4))),
  'digest of an unknown kind': () => fails(() => subtle.digest('SHA-3', text('x'))),
  'digest of a string': async () => (await fails(() => subtle.digest('SHA-256', 'x'))) === 'works',
  'an imported AES key': async () => describe(await aes('AES-GCM')),
  'an imported HMAC key': async () => describe(await hmac('SHA-256')),
  'an imported password': async () => describe(await password()),
  'an AES key of a wrong length': () => fails(() => aes('AES-CBC', undefined, 15)),
  'an AES key for signing': () => fails(() => aes('AES-CBC', ['sign'])),
  'an AES key for nothing': () => fails(() => aes('AES-CBC', [])),
  'an unknown usage': () => fails(() => aes('AES-CBC', ['eat'])),
  'an unknown algorithm': () => fails(() => aes('AES-XYZ')),
  'an unknown format': async () => (await fails(() => subtle.importKey('pem', bytes(16), 'AES-CBC', true, ['encrypt']))) === 'works',
  'encrypting with a key for decrypting': async () => fails(async () => subtle.encrypt({ name: 'AES-CBC', iv: bytes(16) }, await aes('AES-CBC', ['decrypt']), text('x'))),
  'encrypting with a key of another algorithm': async () => fails(async () => subtle.encrypt({ name: 'AES-GCM', iv: bytes(12) }, await aes('AES-CBC'), text('x'))),
  'AES-CBC with a short iv': async () => fails(async () => subtle.encrypt({ name: 'AES-CBC', iv: bytes(8) }, await aes('AES-CBC'), text('x'))),
  'AES-CBC without an iv': async () => fails(async () => subtle.encrypt({ name: 'AES-CBC' }, await aes('AES-CBC'), text('x'))),
  'AES-GCM of a changed text': async () => fails(async () => subtle.decrypt({ name: 'AES-GCM', iv: bytes(12) }, await aes('AES-GCM'), bytes(40))),
  'AES-CTR with a counter of no bits': async () => fails(async () => subtle.encrypt({ name: 'AES-CTR', counter: bytes(16), length: 0 }, await aes('AES-CTR'), text('x'))),
  'AES-CTR with a short counter': async () => fails(async () => subtle.encrypt({ name: 'AES-CTR', counter: bytes(8), length: 64 }, await aes('AES-CTR'), text('x'))),
  'exporting a key that stays': async () => fails(async () => subtle.exportKey('raw', await password())),
  'a key as JWK': async () => subtle.exportKey('jwk', await aes('AES-GCM')),
  'a HMAC key as JWK': async () => subtle.exportKey('jwk', await hmac('SHA-256')),
  'a key from JWK': async () => {
    const jwk = await subtle.exportKey('jwk', await aes('AES-CBC'));
    const key = await subtle.importKey('jwk', jwk, { name: 'AES-CBC' }, true, ['encrypt', 'decrypt']);
    return [describe(key), await subtle.exportKey('raw', key)];
  },
  'a HMAC key from JWK': async () => {
    const jwk = await subtle.exportKey('jwk', await hmac('SHA-384'));
    const key = await subtle.importKey('jwk', jwk, { name: 'HMAC', hash: 'SHA-384' }, true, ['sign', 'verify']);
    return [describe(key), await subtle.exportKey('raw', key)];
  },
  'generateKey of a wrong length': () => fails(() => subtle.generateKey({ name: 'AES-GCM', length: 100 }, true, ['encrypt'])),
  'generateKey HMAC with a length': async () => {
    const key = await subtle.generateKey({ name: 'HMAC', hash: 'SHA-256', length: 128 }, true, ['sign']);
    return [describe(key), (await subtle.exportKey('raw', key)).byteLength];
  },
  'deriveBits of no length': async () => fails(async () => subtle.deriveBits({ name: 'PBKDF2', salt: bytes(16), iterations: 10, hash: 'SHA-256' }, await password(), 0)),
  'deriveBits of half a byte': async () => fails(async () => subtle.deriveBits({ name: 'PBKDF2', salt: bytes(16), iterations: 10, hash: 'SHA-256' }, await password(), 12)),
  'deriveBits without iterations': async () => fails(async () => subtle.deriveBits({ name: 'PBKDF2', salt: bytes(16), iterations: 0, hash: 'SHA-256' }, await password(), 128)),
  'deriveKey': async () => {
    const key = await subtle.deriveKey({ name: 'PBKDF2', salt: bytes(16), iterations: 10, hash: 'SHA-256' }, await password(), { name: 'AES-GCM', length: 256 }, true, ['encrypt']);
    return [describe(key), await subtle.exportKey('raw', key)];
  },
  'deriveKey with a key for bits': async () => fails(async () => subtle.deriveKey({ name: 'PBKDF2', salt: bytes(16), iterations: 10, hash: 'SHA-256' }, await password(['deriveBits']), { name: 'AES-GCM', length: 256 }, true, ['encrypt'])),
});
