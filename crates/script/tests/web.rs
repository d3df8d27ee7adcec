//! Names of the web, by what the standards and their tests say.

mod harness;
#[allow(dead_code, reason = "every test file uses another part of the server")]
#[path = "http/server.rs"]
mod server;

use harness::{Test, printed};
use server::Server;

fn one(expression: &str) -> String {
    printed(&format!("console.log({expression});")).join("\n")
}

#[test]
fn urls_are_read_by_parts() {
    let body = "const u = new URL('../b/%7Ec?x=1&y=%20#frag', 'https://us%65r:p@EXAMPLE.org:0443/a/d/');
        console.log(u.href);
        console.log([u.origin, u.protocol, u.username, u.password, u.host, u.hostname, u.port].join(' '));
        console.log([u.pathname, u.search, u.hash].join(' '), String(u) === u.toJSON(), JSON.stringify({ u }));";
    let lines = printed(body);
    let expected = [
        "https://us%65r:p@example.org/a/b/%7Ec?x=1&y=%20#frag",
        "https://example.org https: us%65r p example.org example.org ",
        "/a/b/%7Ec ?x=1&y=%20 #frag true {\"u\":\"https://us%65r:p@example.org/a/b/%7Ec?x=1&y=%20#frag\"}",
    ];
    assert_eq!(lines, expected);
    assert_eq!(
        one("new URL('http://ex\u{e4}mple.com:80/ä').href"),
        "http://xn--exmple-cua.com/%C3%A4"
    );
    assert_eq!(one("new URL('//h/p', 'https://x').href"), "https://h/p");
    assert_eq!(
        one("URL.canParse('nope'), URL.canParse('a', 'http://b')"),
        "false true"
    );
    assert_eq!(
        one("URL.parse('nope'), URL.parse('http://h').host"),
        "null h"
    );
}

#[test]
fn urls_are_changed_by_parts() {
    let body = "const u = new URL('http://h/p');
        u.protocol = 'https'; u.port = '8443'; u.pathname = 'a b'; u.search = '?q=1'; u.hash = 'x'; u.username = 'me';
        u.hostname = 'other'; u.port = 'none';
        u.searchParams.append('é', '&'); u.searchParams.set('q', '2');
        console.log(u.href, u.searchParams === u.searchParams);
        u.search = ''; console.log(u.searchParams.size, u.href);
        try { u.href = 'nope'; } catch (e) { console.log(e.name, e.message); }";
    let lines = printed(body);
    let expected = [
        "https://me@other:8443/a%20b?q=2&%C3%A9=%26#x true",
        "0 https://me@other:8443/a%20b#x",
        "TypeError Invalid URL: 'nope'",
    ];
    assert_eq!(lines, expected);
    assert_eq!(
        printed(
            "try { new URL('/a'); } catch (e) { console.log(e instanceof TypeError, e.message); }"
        ),
        ["true Invalid URL: '/a'"]
    );
}

#[test]
fn search_params_are_lists() {
    let body = "const p = new URLSearchParams('?a=1&b=2&a=%2B+&c');
        console.log(p.get('a'), p.getAll('a'), p.get('x'), p.has('c'), p.has('a', '1'), p.has('a', '9'), p.size);
        p.append('d', 4); p.delete('a', '1'); console.log(p.toString());
        p.set('b', 'x'); p.sort(); console.log(String(p), [...p.keys()].join(), [...p.values()].join());
        for (const [k, v] of p) if (k === 'd') console.log(k, v);
        p.forEach((value, key, all) => { if (key === 'b') console.log(value, all === p); });
        console.log(String(new URLSearchParams({ a: 1, b: 'ä' })), String(new URLSearchParams([['x', 'y'], ['x', 'z']])));
        console.log(String(new URLSearchParams(new Map([['m', 1]]))), String(new URLSearchParams(p)));
        try { new URLSearchParams([['x']]); } catch (e) { console.log(e.name); }";
    let expected = [
        "1 [ \"1\", \"+ \" ] null true true false 4",
        "b=2&a=%2B+&c=&d=4",
        "a=%2B+&b=x&c=&d=4 a,b,c,d + ,x,,4",
        "d 4",
        "x true",
        "a=1&b=%C3%A4 x=y&x=z",
        "m=1 a=%2B+&b=x&c=&d=4",
        "TypeError",
    ];
    assert_eq!(printed(body), expected);
}

#[test]
fn headers_do_not_care_for_case() {
    let body = "const h = new Headers({ 'X-B': '2', 'x-a': ' 1 ' });
        h.append('X-A', '3'); h.append('Set-Cookie', 'a=1'); h.append('set-cookie', 'b=2');
        console.log(h.get('x-A'), h.has('X-b'), h.get('none'), h.getSetCookie());
        console.log([...h].map((p) => p.join('=')).join(' '));
        h.set('X-A', 'z'); h.delete('set-cookie'); console.log([...new Headers(h).entries()].join(' '));
        try { h.append('a b', '1'); } catch (e) { console.log(e.name); }
        try { h.append('a', 'x\\ny'); } catch (e) { console.log(e.name); }";
    let expected = [
        "1, 3 true null [ \"a=1\", \"b=2\" ]",
        "set-cookie=a=1 set-cookie=b=2 x-a=1, 3 x-b=2",
        "x-a,z x-b,2",
        "TypeError",
        "TypeError",
    ];
    assert_eq!(printed(body), expected);
}

#[test]
fn clones_are_deep() {
    let body = "const a = { d: new Date(5), m: new Map([[1, { x: 1 }]]), s: new Set([2]), b: new Uint8Array([1, 2]), n: null };
        a.self = a;
        const c = structuredClone(a);
        console.log(c !== a, c.self === c, c.d.getTime(), c.m.get(1).x, c.m.get(1) !== a.m.get(1), c.s.has(2), c.b[1]);
        try { structuredClone(() => 1); } catch (e) { console.log(e.name); }";
    assert_eq!(
        printed(body),
        ["true true 5 1 true true 2", "DataCloneError"]
    );
}

#[test]
fn signals_tell_once() {
    let body = "const c = new AbortController(); const any = AbortSignal.any([c.signal]);
        c.signal.addEventListener('abort', (e) => console.log(e.type, c.signal.reason.name));
        c.signal.onabort = () => console.log('on');
        c.abort(); c.abort('later');
        console.log(c.signal.aborted, any.aborted, any.reason === c.signal.reason, AbortSignal.abort(7).reason);
        try { c.signal.throwIfAborted(); } catch (e) { console.log(e.name); }
        const t = AbortSignal.timeout(1); t.onabort = () => console.log(t.reason.name);";
    let expected = [
        "on",
        "abort AbortError",
        "true true true 7",
        "AbortError",
        "TimeoutError",
    ];
    assert_eq!(printed(body), expected);
}

#[test]
fn what_the_engine_has_is_there() {
    let body = "queueMicrotask(() => console.log('micro')); console.log(btoa('a'), atob('YQ=='), performance.now() >= 0);
        URL = 5; console.log(URL, typeof Headers);";
    assert_eq!(printed(body), ["YQ== a true", "5 function", "micro"]);
}

#[test]
fn fetch_answers_and_is_measured() {
    let server = Server::start();
    let script = server.script(
        "const body = new URLSearchParams({ a: 1 }), headers = new Headers({ 'X-One': '1' });
        const r = await fetch(echo, { method: 'post', body, headers, tags: { t: 'v' } });
        const text = await r.text();
        show(r.status, r.ok, r.statusText, r.redirected, r.url === echo, r.bodyUsed, text.split('\\r\\n\\r\\n')[1]);
        try { await r.json(); } catch (e) { show(e.name); }
        const j = await fetch(answer('404 Not Found', ['X-Two: 2'], '{\"a\":[1]}'));
        show(j.ok, j.status, j.headers.get('x-two'), await j.json());
        const away = answer('302 Found', ['Location: /echo']);
        show((await fetch(away)).redirected, (await fetch(away, { redirect: 'manual' })).status);
        try { await fetch(away, { redirect: 'error' }); } catch (e) { show(e.name, e.message); }
        try { await fetch('http://127.0.0.1:1/'); } catch (e) { show(e.name, e.message); }
        const c = new AbortController(); setTimeout(() => c.abort(), 5);
        try { await fetch(BASE + '/raw/', { signal: c.signal }); } catch (e) { show(e.name); }
        try { await fetch(echo, { signal: c.signal }); } catch (e) { show(e.name); }",
    );
    let ran = Test::new(&script).run();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    let expected = [
        "200 true OK false true true a=1",
        "TypeError",
        "false 404 2 {\"a\":[1]}",
        "true 302",
        "TypeError fetch failed: the answer is a redirect (302)",
        "TypeError fetch failed: dial: connection refused",
        "AbortError",
        "AbortError",
    ];
    assert_eq!(ran.console(), expected);
    // Two of the first redirect, one refused connection, nothing of what was aborted.
    assert_eq!(ran.count("http_reqs"), 7);
    let first = &server.requests()[0];
    assert!(first.starts_with("POST /echo "), "{first}");
    for line in [
        "X-One: 1\n",
        "Content-Type: application/x-www-form-urlencoded;charset=UTF-8\n",
    ] {
        assert!(
            first
                .to_ascii_lowercase()
                .contains(&line.to_ascii_lowercase()),
            "{first}"
        );
    }
}
