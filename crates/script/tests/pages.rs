//! k6/html, k6/crypto and k6/encoding: what scripts print when they use them.

mod harness;

use harness::{Test, printed};

/// What a script prints, with the modules at hand.
fn lines(body: &str) -> Vec<String> {
    let script = format!(
        "import {{ parseHTML }} from 'k6/html'; import crypto from 'k6/crypto'; import encoding from 'k6/encoding';
         export default function () {{\n{body}\n}}"
    );
    let ran = Test::new(&script).run();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    ran.console().into_iter().map(str::to_owned).collect()
}

#[test]
fn selections_lead_to_selections_and_back() {
    let body = "const doc = parseHTML('<ul><li class=a>1<li>2<li>3</ul><p>x</p>');
        const items = doc.find('li');
        console.log(items.size(), items.text(), items.first().html(), items.eq(-1).text());
        console.log(items.filter('.a').next().text(), items.not('.a').size(), items.add('p').end().size());
        console.log(items.map((i, one) => i + one.text()).join(), items.index(doc.find('li').last()));
        const seen = []; items.each((i, element) => { seen.push(element.textContent()); }); console.log(seen.join());
        console.log(doc.find('li:').size(), doc.find('nope').attr('x', 'default'), doc.find('ul').children('.a').is('li'));";
    assert_eq!(
        lines(body),
        [
            "3 123 1 3",
            "2 2 3",
            "01,12,23 2",
            "1,2,3",
            "0 default true"
        ]
    );
}

#[test]
fn elements_have_the_methods_of_their_kind() {
    let body = "const doc = parseHTML('<a id=l href=\"http://h.test:81/p?q#f\">t</a><form><input name=n value=v><select multiple><option selected>o</select></form>');
        const link = doc.find('a').get(0);
        console.log(link.host(), link.hash(), String(link), link.getAttribute('id'), typeof link.checked);
        const input = doc.find('input').get(0);
        console.log(input.form().nodeName(), input.type(), input.value(), input.getAttributeNode('name').value);
        console.log(doc.find('select').val().join(), doc.find('form').serialize(), link.nextSibling().isSameNode(input.form()));
        const { href } = link; console.log(href());";
    assert_eq!(
        lines(body),
        [
            "h.test:81 #f http://h.test:81/p?q#f l undefined",
            "form text v n",
            "o n=v true",
            "http://h.test:81/p?q#f"
        ]
    );
}

#[test]
fn deep_pages_and_long_chains_are_no_danger() {
    let body = "const deep = parseHTML('<div>'.repeat(510) + 'x');
        console.log(deep.text(), deep.find('div').size(), deep.html().length > 1000);
        let chain = deep.find('div'); for (let i = 0; i < 20000; i++) chain = chain.first();
        console.log(chain.end().size());
        for (const tags of ['<div>'.repeat(511), '<b>'.repeat(50000), '<table><tr><td>'.repeat(30000)])
            try { parseHTML(tags); console.log('parsed'); } catch (e) { console.log(String(e)); }";
    let refused = "Error: the page has more than 512 elements inside one another";
    assert_eq!(lines(body), ["x 510 true", "1", refused, refused, refused]);
}

#[test]
fn hashes_can_be_had_in_every_encoding() {
    let body = "console.log(crypto.md5('x', 'hex'), crypto.sha1('x', 'base64url'), crypto.sha256('x', 'binary').byteLength);
        const hasher = crypto.createHMAC('sha256', 'key'); hasher.update('a'); hasher.update(new Uint8Array([98]));
        console.log(hasher.digest('hex') === crypto.hmac('sha256', 'key', 'ab', 'hex'), crypto.randomBytes(9).byteLength);
        console.log(encoding.b64encode('a?>', 'rawurl'), encoding.b64decode('YT8-', 'rawurl', 's'), encoding.b64decode('YQ==').byteLength);
        for (const f of [() => crypto.md5('x', 'hexx'), () => crypto.md5(5, 'hex'), () => crypto.createHash('md6')])
            try { f(); } catch (e) { console.log(String(e)); }";
    assert_eq!(
        lines(body),
        [
            "9dd4e461268c8034f5c8564e155c67a6 EfatjsUqKYSrqv18O1FlA3hcIHI= 32",
            "true 9",
            "YT8- a?> 1",
            "Error: invalid output encoding: hexx; there are hex, base64, base64url, base64rawurl and binary",
            "TypeError: the data to hash must be a string, an ArrayBuffer or a view on one, not a number",
            "Error: invalid algorithm: md6; there are md4, md5, sha1, sha256, sha384, sha512, sha512_224, sha512_256 and ripemd160",
        ]
    );
}

#[test]
fn a_script_without_these_modules_does_not_have_them() {
    assert_eq!(printed("console.log(typeof parseHTML);"), ["undefined"]);
}
