//! The global `crypto`, and files and tables of k6/experimental: what scripts print when they use them.

mod harness;

use std::fs;

use harness::Test;

/// What a script prints in one asynchronous iteration.
fn lines(body: &str) -> Vec<String> {
    let script = format!(
        "const subtle = crypto.subtle;
         const text = (string) => new TextEncoder().encode(string);
         const hex = (data) => Array.from(new Uint8Array(data)).map((byte) => byte.toString(16).padStart(2, '0')).join('');
         const fails = async (run) => {{ try {{ await run(); return 'works'; }} catch (e) {{ return e.name + ': ' + e.message; }} }};
         export default async function () {{\n{body}\n}}"
    );
    let ran = Test::new(&script).run();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    ran.console().into_iter().map(str::to_owned).collect()
}

#[test]
fn digests_and_keyed_hashes_are_those_of_their_standards() {
    let body = "console.log(hex(await subtle.digest('SHA-256', text('abc'))));
        const key = await subtle.importKey('raw', text('Jefe'), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
        const signature = await subtle.sign('HMAC', key, text('what do ya want for nothing?'));
        console.log(hex(signature), await subtle.verify('HMAC', key, signature, text('x')), key.type, key.algorithm.hash.name, key instanceof CryptoKey);";
    assert_eq!(
        lines(body),
        [
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843 false secret SHA-256 true",
        ]
    );
}

#[test]
fn hmac_keys_may_have_bits_that_fill_no_byte() {
    let body = "const how = { name: 'HMAC', hash: 'SHA-256', length: 12 };
        const made = await subtle.generateKey(how, true, ['sign', 'verify']);
        const raw = new Uint8Array(await subtle.exportKey('raw', made));
        console.log(made.algorithm.length, raw.length, raw[1] & 15);
        const given = await subtle.importKey('raw', new Uint8Array([1, 255]), how, true, ['sign']);
        console.log(given.algorithm.length, hex(await subtle.exportKey('raw', given)));
        for (const length of [17, 8, 0]) console.log(await fails(() => subtle.importKey('raw', new Uint8Array([1, 255]), { ...how, length }, true, ['sign'])));";
    assert_eq!(
        lines(body),
        [
            "12 2 0",
            "12 01f0",
            "DataError: the data has 16 bits, which does not fit a length of 17",
            "DataError: the data has 16 bits, which does not fit a length of 8",
            "DataError: the data has 16 bits, which does not fit a length of 0",
        ]
    );
}

#[test]
fn what_is_sealed_is_opened_by_its_key_only() {
    let body = "for (const how of [{ name: 'AES-CBC', iv: new Uint8Array(16) }, { name: 'AES-CTR', counter: new Uint8Array(16), length: 64 },
            { name: 'AES-GCM', iv: new Uint8Array(12), tagLength: 96, additionalData: text('more') }]) {
            const key = await subtle.generateKey({ name: how.name, length: 256 }, true, ['encrypt', 'decrypt']);
            const sealed = await subtle.encrypt(how, key, text('some message'));
            const opened = new TextDecoder().decode(await subtle.decrypt(how, key, sealed));
            console.log(how.name, sealed.byteLength, opened);
        }
        const key = await subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt', 'decrypt']);
        console.log(await fails(() => subtle.decrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, new Uint8Array(40))));
        console.log(await fails(() => subtle.exportKey('raw', key)));
        console.log(await fails(() => subtle.digest('SHA-3', text('x'))));";
    assert_eq!(
        lines(body),
        [
            "AES-CBC 16 some message",
            "AES-CTR 12 some message",
            "AES-GCM 24 some message",
            "OperationError: the data was changed or sealed with another key",
            "InvalidAccessError: the key is not extractable",
            "NotSupportedError: there is no hash function SHA-3; there are SHA-1, SHA-256, SHA-384 and SHA-512",
        ]
    );
}

#[test]
fn pairs_of_keys_sign_agree_and_travel() {
    let body = "const pair = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
        const how = { name: 'ECDSA', hash: 'SHA-256' };
        const signature = await subtle.sign(how, pair.privateKey, text('message'));
        for (const format of ['raw', 'spki', 'jwk']) {
            const key = await subtle.importKey(format, await subtle.exportKey(format, pair.publicKey), { name: 'ECDSA', namedCurve: 'P-256' }, true, ['verify']);
            console.log(format, await subtle.verify(how, key, signature, text('message')), await subtle.verify(how, key, signature, text('x')));
        }
        const mine = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-384' }, true, ['deriveBits']);
        const other = await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-384' }, true, ['deriveBits']);
        const one = hex(await subtle.deriveBits({ name: 'ECDH', public: other.publicKey }, mine.privateKey, 256));
        console.log(one === hex(await subtle.deriveBits({ name: 'ECDH', public: mine.publicKey }, other.privateKey, 256)));
        const wrapper = await subtle.generateKey({ name: 'AES-KW', length: 256 }, true, ['wrapKey', 'unwrapKey']);
        const inner = await subtle.importKey('raw', text('0123456789abcdef'), 'AES-CBC', true, ['encrypt']);
        const wrapped = await subtle.wrapKey('raw', inner, wrapper, 'AES-KW');
        const back = await subtle.unwrapKey('raw', wrapped, wrapper, 'AES-KW', 'AES-CBC', true, ['encrypt']);
        console.log(wrapped.byteLength, new TextDecoder().decode(await subtle.exportKey('raw', back)));";
    assert_eq!(
        lines(body),
        [
            "raw true false",
            "spki true false",
            "jwk true false",
            "true",
            "24 0123456789abcdef"
        ]
    );
}

#[test]
fn rsa_signs_and_seals() {
    let body = "const exponent = new Uint8Array([1, 0, 1]);
        for (const [name, how] of [['RSASSA-PKCS1-v1_5', 'RSASSA-PKCS1-v1_5'], ['RSA-PSS', { name: 'RSA-PSS', saltLength: 20 }]]) {
            const pair = await subtle.generateKey({ name, modulusLength: 2048, publicExponent: exponent, hash: 'SHA-256' }, true, ['sign', 'verify']);
            const key = await subtle.importKey('jwk', await subtle.exportKey('jwk', pair.privateKey), { name, hash: 'SHA-256' }, true, ['sign']);
            const signature = await subtle.sign(how, key, text('message'));
            console.log(name, signature.byteLength, await subtle.verify(how, pair.publicKey, signature, text('message')), await subtle.verify(how, pair.publicKey, signature, text('x')));
        }
        const pair = await subtle.generateKey({ name: 'RSA-OAEP', modulusLength: 2048, publicExponent: exponent, hash: 'SHA-1' }, true, ['encrypt', 'decrypt']);
        const sealed = await subtle.encrypt({ name: 'RSA-OAEP', label: text('l') }, pair.publicKey, text('message'));
        console.log(new TextDecoder().decode(await subtle.decrypt({ name: 'RSA-OAEP', label: text('l') }, pair.privateKey, sealed)), pair.publicKey.algorithm.modulusLength);";
    assert_eq!(
        lines(body),
        [
            "RSASSA-PKCS1-v1_5 256 true false",
            "RSA-PSS 256 true false",
            "message 2048"
        ]
    );
}

#[test]
fn passwords_become_keys() {
    let body = "const password = await subtle.importKey('raw', text('password'), 'PBKDF2', false, ['deriveBits']);
        console.log(hex(await subtle.deriveBits({ name: 'PBKDF2', salt: text('salt'), iterations: 2, hash: 'SHA-1' }, password, 160)));
        console.log(crypto.randomUUID().length, crypto.getRandomValues(new Uint16Array(8)).length);";
    assert_eq!(
        lines(body),
        ["ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957", "36 8"]
    );
}

#[test]
fn files_and_tables_are_read_in_pieces() {
    let folder = std::env::temp_dir().join(format!("netload-tables-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("t.csv"), "name,n\nann,1\n\"b, c\",2\n").unwrap();
    let script = "import fs, { SeekMode } from 'k6/experimental/fs'; import csv from 'k6/experimental/csv';
        const file = await fs.open('./t.csv');
        const rows = await csv.parse(file, { asObjects: true });
        const parser = new csv.Parser(file, { skipFirstLine: true });
        let refused; try { await fs.open('./none.csv'); } catch (e) { refused = e.name; }
        let ragged; try { await csv.parse(file, { delimiter: ',,' }); } catch (e) { ragged = e.message; }
        export default async function () {
            console.log(rows.length, rows[1].name, refused, ragged);
            console.log(JSON.stringify([await parser.next(), await parser.next(), await parser.next()]));
            const bytes = new Uint8Array(4); await file.seek(5, SeekMode.Start);
            console.log(await file.read(bytes), bytes.join(), (await file.stat()).size, await file.seek(0, SeekMode.End), await file.read(bytes));
        }";
    fs::write(folder.join("main.js"), script).unwrap();
    let ran = Test::file(&folder.join("main.js")).run();
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    assert_eq!(
        ran.console(),
        [
            "2 b, c NotFoundError delimiter must be a single character, not ',,'",
            r#"[{"done":false,"value":["ann","1"]},{"done":false,"value":["b, c","2"]},{"done":true,"value":[]}]"#,
            "4 110,10,97,110 22 22 null",
        ]
    );
}

/// Made by openssl for this test: `CN=ec.test`, two organizations, a key on P-256.
const CERTIFICATE: &str = "-----BEGIN CERTIFICATE-----
MIIBqjCCAU+gAwIBAgIUTwfO8ri1X583OV7HkPbNUWDMAm4wCgYIKoZIzj0EAwIw
KjEQMA4GA1UEAwwHZWMudGVzdDEKMAgGA1UECgwBQTEKMAgGA1UECgwBQjAeFw0y
NjExMjIwMjQ3MTlaFw0zNjExMTkwMjQ3MTlaMCoxEDAOBgNVBAMMB2VjLnRlc3Qx
CjAIBgNVBAoMAUExCjAIBgNVBAoMAUIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AAQbY0wxkhMZDewt0Ese9wOhi7ZU6gqgcg/Ya1allJnMb1thAqgpgLDj5EER+6Ef
tpQKEHxBO/nIIjP+F4bP9ZNTo1MwUTAdBgNVHQ4EFgQUXFJDovc9clTNZHj0TK8S
ng6vAKowHwYDVR0jBBgwFoAUXFJDovc9clTNZHj0TK8Sng6vAKowDwYDVR0TAQH/
BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA8Y2tXW2aPQE3oQHda17hHvXSecOW
t7hmBlvXmFPU2TgCIQDIl7Cud/bSV80eMbY9plCF4f2M9KaoEqgL1WuL/RNQbQ==
-----END CERTIFICATE-----";

#[test]
fn certificates_tell_what_is_written_in_them() {
    let script = format!(
        "import x509 from 'k6/crypto/x509';
         const pem = `{CERTIFICATE}`;
         export default function () {{
             const parsed = x509.parse(pem);
             console.log(parsed.subject.commonName, parsed.subject.names.length, parsed.issuer.organizationName, parsed.notBefore);
             console.log(parsed.signatureAlgorithm, parsed.fingerPrint.length, parsed.publicKey.algorithm, typeof parsed.publicKey.key.x);
             try {{ x509.parse('nonsense'); }} catch (e) {{ console.log(e.message); }}
         }}"
    );
    let ran = Test::new(&script).run();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    assert_eq!(
        ran.console(),
        [
            "ec.test 3 A 2026-11-22T02:47:19Z",
            "ECDSA-SHA256 20 ECDSA bigint",
            "failed to decode certificate PEM file: it needs the lines BEGIN CERTIFICATE and END CERTIFICATE",
        ]
    );
}
