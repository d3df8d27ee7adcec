//! `k6/http` from the script to the wire and back: script in, requests, console lines and samples out.

#[path = "../harness/mod.rs"]
mod harness;
mod server;

use harness::{Ran, Test};
use serde_json::json;
use server::Server;

/// Runs one iteration of `body` against `server`.
fn run(server: &Server, body: &str) -> Ran {
    let ran = Test::new(&server.script(body)).run();
    ran.completed();
    assert_eq!(ran.exceptions(), [""; 0]);
    ran
}

/// Runs one iteration and compares what it prints, `HOST` standing for the server's address.
fn check(body: &str, lines: &[&str]) {
    let server = Server::start();
    let ran = run(&server, body);
    let printed: Vec<String> = ran.console().iter().map(|l| server.plain(l)).collect();
    assert_eq!(printed, lines, "{body}");
}

/// Runs one iteration and compares the requests on the wire, without the user agent.
fn check_wire(body: &str, requests: &[&str]) {
    let server = Server::start();
    run(&server, body);
    let agent = concat!("User-Agent: netload/", env!("CARGO_PKG_VERSION"), "\n");
    let sent: Vec<String> = server
        .requests()
        .iter()
        .map(|r| r.replace(agent, ""))
        .collect();
    assert_eq!(sent, requests, "{body}");
}

#[test]
fn every_method_sends_its_own() {
    check_wire(
        "http.get(echo); http.head(echo); http.post(echo, 'a'); http.put(echo, 'b'); http.patch(echo, 'c');
         http.del(echo); http.options(echo); http.request('get', echo, 'd'); http.post(echo)",
        &[
            "GET /echo HTTP/1.1\nHost: HOST\n\n",
            "HEAD /echo HTTP/1.1\nHost: HOST\n\n",
            "POST /echo HTTP/1.1\nHost: HOST\nContent-Length: 1\n\na",
            "PUT /echo HTTP/1.1\nHost: HOST\nContent-Length: 1\n\nb",
            "PATCH /echo HTTP/1.1\nHost: HOST\nContent-Length: 1\n\nc",
            "DELETE /echo HTTP/1.1\nHost: HOST\n\n",
            "OPTIONS /echo HTTP/1.1\nHost: HOST\n\n",
            "get /echo HTTP/1.1\nHost: HOST\nContent-Length: 1\n\nd",
            "POST /echo HTTP/1.1\nHost: HOST\nContent-Length: 0\n\n",
        ],
    );
}

#[test]
fn bodies_become_bytes_and_forms() {
    check_wire(
        "http.post(echo, new Uint8Array([65, 66]).buffer);
         http.post(echo, {b: 'x y&', a: 1, n: null, list: [1, 'b'], f: 1e-7, o: {k: 'v'}});
         http.post(echo, {a: 1}, {headers: {'content-type': 'x/y'}})",
        &[
            "POST /echo HTTP/1.1\nHost: HOST\nContent-Length: 2\n\nAB",
            "POST /echo HTTP/1.1\nHost: HOST\nContent-Length: 63\nContent-Type: application/x-www-form-urlencoded\n\n\
             a=1&b=x+y%26&f=1e-07&list=1&list=b&n=%3Cnil%3E&o=map%5Bk%3Av%5D",
            "POST /echo HTTP/1.1\nHost: HOST\nContent-Length: 3\nContent-Type: x/y\n\na=1",
        ],
    );
}

#[test]
fn files_make_a_form_multipart() {
    let server = Server::start();
    run(
        &server,
        "http.post(echo, {f: http.file('data', 'a.txt', 'text/plain'), k: [1, 2]})",
    );
    let request = &server.requests()[0];
    let (head, body) = request.split_once("\n\n").unwrap();
    let (_, boundary) = head.split_once("boundary=").unwrap();
    let expected = format!(
        "--{boundary}\nContent-Disposition: form-data; name=\"f\"; filename=\"a.txt\"\nContent-Type: text/plain\n\ndata\n\
         --{boundary}\nContent-Disposition: form-data; name=\"k\"\n\n[1 2]\n--{boundary}--\n"
    );
    assert_eq!(body, expected);
}

#[test]
fn headers_are_canonical_and_converted() {
    check_wire(
        "http.get(echo, {headers: {'x-b': 2, host: 'other', 'X-a': true, 'Content-Length': '9', 'User-Agent': ''}})",
        &["GET /echo HTTP/1.1\nHost: other\nX-A: true\nX-B: 2\n\n"],
    );
}

#[test]
fn cookies_come_from_the_request_then_from_the_jar() {
    check_wire(
        "http.get(answer('200 OK', ['Set-Cookie: a=jar']));
         http.get(echo, {cookies: {a: 'own', b: 1}});
         http.get(echo, {cookies: {a: {value: 'only', replace: true}}});
         http.cookieJar().set(BASE, 'c', 'set');
         http.get(echo);
         const other = new http.CookieJar();
         other.set(BASE, 'o', 'ther');
         http.get(echo, {jar: other});
         http.cookieJar().clear(BASE);
         http.get(echo)",
        &[
            "GET /raw/485454502f312e3120323030204f4b0d0a436f6e74656e742d4c656e6774683a20300d0a5365742d436f6f6b69653a20613d6a61720d0a0d0a HTTP/1.1\nHost: HOST\n\n",
            "GET /echo HTTP/1.1\nHost: HOST\nCookie: a=own; b=1\n\n",
            "GET /echo HTTP/1.1\nHost: HOST\nCookie: a=only\n\n",
            "GET /echo HTTP/1.1\nHost: HOST\nCookie: c=set\n\n",
            "GET /echo HTTP/1.1\nHost: HOST\nCookie: o=ther\n\n",
            "GET /echo HTTP/1.1\nHost: HOST\n\n",
        ],
    );
}

#[test]
fn cookies_live_for_an_iteration() {
    let server = Server::start();
    let script = server.script(
        "if (__ITER === 0) http.cookieJar().set(BASE, 'a', 'b'); show(http.cookieJar().cookiesForURL(BASE))",
    );
    for (keep, second) in [(false, "{}"), (true, "{\"a\":[\"b\"]}")] {
        let options = json!({"iterations": 2, "vus": 1, "noCookiesReset": keep});
        let ran = Test::new(&script).options(options).run();
        assert_eq!(ran.console(), ["{\"a\":[\"b\"]}", second]);
    }
}

#[test]
fn redirects_are_followed_as_far_as_allowed() {
    let hops = "const to = (status) => answer(`${status} X`, ['Location: /echo'], 'moved');";
    check(
        &format!(
            "{hops} const r = http.post(to(302), 'body');
             show(r.status, r.url, r.body.split('\\r\\n')[0], r.request.method);
             show(http.post(to(307), 'body').body.split('\\r\\n').pop());
             show(http.get(to(301), {{redirects: 0}}).status)"
        ),
        &[
            "200 http://HOST/echo GET /echo HTTP/1.1 POST",
            "body",
            "301",
        ],
    );
    let server = Server::start();
    let ran = run(&server, &format!("{hops} http.get(to(302))"));
    assert_eq!(ran.count("http_reqs"), 2, "every hop is measured");
    assert!(server.requests()[1].contains("\nReferer: http://HOST/raw/"));
}

#[test]
fn digest_answers_a_challenge() {
    check(
        "const url = answer('401 No', ['WWW-Authenticate: Digest realm=\"r\", nonce=\"n\", qop=\"auth\"']);
         const r = http.get(url.replace('//', '//me:secret@'), {auth: 'digest'});
         show(r.status, r.url === url)",
        &["401 true"],
    );
    let server = Server::start();
    run(
        &server,
        "http.get(BASE.replace('//', '//me:secret@') + '/echo')",
    );
    let request = &server.requests()[0];
    assert!(
        request.contains("\nAuthorization: Basic bWU6c2VjcmV0\n"),
        "{request}"
    );
}

#[test]
fn responses_have_k6_s_fields() {
    check(
        r#"const r = http.get(answer('201 Made', ['content-type: application/json', 'x-a: 1', 'X-A: 2'], '{"a":[1,2]}'));
           show(Object.keys(r));
           show(r.status, r.status_text, r.proto, r.error, r.error_code, r.remote_ip);
           show(r.headers);
           show(r.body, r.json(), r.json('a.1'), String(r.json('b')));
           show(r.request);
           show(Object.keys(r.timings), r.timings.duration > 0, r.timings === r.timings);
           show(r.cookies, r.ocsp.status, r.tls_version);
           const { status, ...rest } = r;
           show(status, Object.keys(rest).length, 'status' in r, JSON.parse(JSON.stringify(r)).status);
           r.status = 7; r.mine = 8; delete r.error;
           show(r.status, r.mine, String(r.error), Object.keys(r).length);
           const heir = Object.create(r);
           heir.proto = 'own';
           show(heir.proto, r.proto);
           r.self = r; r.headers.response = r;
           show(r.self.headers.response === r)"#,
        &[
            r#"["remote_ip","remote_port","url","status","status_text","proto","headers","cookies","body","timings","tls_version","tls_cipher_suite","ocsp","error","error_code","request","clickLink","html","json","submitForm"]"#,
            "201 201 Made HTTP/1.1  0 127.0.0.1",
            r#"{"Content-Length":"11","Content-Type":"application/json","X-A":"1, 2"}"#,
            r#"{"a":[1,2]} {"a":[1,2]} 2 undefined"#,
            r#"{"method":"GET","url":"http://HOST/raw/485454502f312e3120323031204d6164650d0a436f6e74656e742d4c656e6774683a2031310d0a636f6e74656e742d747970653a206170706c69636174696f6e2f6a736f6e0d0a782d613a20310d0a582d413a20320d0a0d0a7b2261223a5b312c325d7d","headers":{"User-Agent":["AGENT"]},"body":"","cookies":{}}"#
                .replace("AGENT", concat!("netload/", env!("CARGO_PKG_VERSION")))
                .as_str(),
            r#"["duration","blocked","looking_up","connecting","tls_handshaking","sending","waiting","receiving"] true true"#,
            r#"{}  "#,
            "201 19 true 201",
            "7 8 undefined 20",
            "own HTTP/1.1",
            "true",
        ],
    );
}

#[test]
fn bodies_come_as_text_bytes_or_not_at_all() {
    check(
        "const url = answer('200 OK', [], 'a\\xff');
         show(http.get(url).body, http.get(url, {responseType: 'binary'}).body.byteLength);
         show(http.get(url, {responseType: 'none'}).body, http.get(raw('HTTP/1.1 204 No\\n\\n')).body);
         show(http.head(echo).body)",
        &["a\u{fffd} 2", "null null", ""],
    );
}

#[test]
fn compressed_bodies_are_decoded_and_broken_ones_fail() {
    check(
        "// `hello` as gzip.
         const gzip = '1f8b0800000000000203cb48cdc9c9070086a6103605000000';
         show(http.get(answer('200 OK', ['Content-Encoding: gzip', 'Content-Length: 25'], '').replace(
           hex('Content-Length: 0\\r\\n'), '') + gzip).body);
         const bad = http.get(answer('200 OK', ['Content-Encoding: gzip'], 'no gzip at all'));
         show(bad.status, bad.error_code, bad.body);
         show(http.get(answer('200 OK', ['Content-Encoding: other'], 'kept')).body)",
        &["hello", "0 1701 null", "kept"],
    );
}

#[test]
fn failures_have_codes_and_never_end_the_iteration() {
    check(
        "for (const url of [cut(''), cut('HTTP/1.1 200 OK\\nContent-Length: 9\\n\\npart'), cut('nonsense\\n\\n'),
                            'http://127.0.0.1:1/', ':bad', 'ftp://x', '', 5]) {
           const r = http.get(url);
           show(r.status, r.error_code, r.body, r.error);
         }
         for (const params of [{timeout: 'soon'}, {timeout: 0}, {tags: {a: {}}}, {responseType: 'x'}, {compression: 'x'}]) {
           const r = http.request('POST', echo, 'b', params);
           show(r.status, r.error_code, r.error);
         }
         show(http.post(echo, 5).error)",
        &[
            "0 1000 null EOF",
            "0 1000 part unexpected EOF",
            "0 1000 null malformed HTTP response \"nonsense\"",
            "0 1212 null dial: connection refused",
            "0 1020 null invalid URL: parse \":bad\": missing protocol scheme",
            "0 1000 null unsupported protocol scheme \"ftp\"",
            "0 1000 null unsupported protocol scheme \"\"",
            "0 1020 null invalid URL: '#5'",
            "0 0 invalid timeout value: `soon` is not a duration",
            "0 1050 request timeout",
            "0 0 invalid HTTP request metric tags: invalid value for metric tag 'a': \
             only String, Boolean and Number types are accepted as a metric tag values",
            "0 0 x does not belong to ResponseType values",
            "0 0 unknown compression algorithm x, supported algorithms are [gzip deflate zstd br]",
            "unknown request body type int64",
        ],
    );
}

#[test]
fn throw_makes_failures_exceptions() {
    check(
        "try { http.get('http://127.0.0.1:1/', {throw: true}) } catch (e) { show(e.message) }
         try { http.get(raw('HTTP/1.1 101 Switching\\n\\n')) } catch (e) { show(e.message) }
         show(http.get(answer('404 No', []), {throw: true}).status)",
        &[
            "Get \"http://127.0.0.1:1/\": dial: connection refused",
            "unsupported response status: 101 Switching Protocols",
            "404",
        ],
    );
}

#[test]
fn batches_keep_their_shape() {
    check(
        "const [a, b, c, d] = http.batch([echo, ['POST', echo, 'x'], {method: 'PUT', url: echo, body: 'y'}, ':bad']);
         show([a, b, c].map((r) => r.body.split(' ')[0]), d.error_code);
         const named = http.batch({one: echo, two: http.url`${echo}?${2}`});
         show(Object.keys(named), named.two.url);
         try { http.batch(5) } catch (e) { show(e.message) }
         try { http.batch([['GET', 'http://127.0.0.1:1', null, {throw: true}]]) } catch (e) { show(e.message) }",
        &[
            r#"["GET","POST","PUT"] 1020"#,
            r#"["one","two"] http://HOST/echo?2"#,
            "invalid http.batch() argument type int64",
            "Get \"http://127.0.0.1:1\": dial: connection refused",
        ],
    );
}

#[test]
fn plain_elements_of_a_batch_share_cookies_and_redirects() {
    check(
        "const cookie = answer('200 OK', ['Set-Cookie: a=1; Path=/']), away = answer('302 Found', ['Location: /echo']);
         const all = http.batch([echo, cookie, away, ['GET', echo, null, { tags: { name: 'x' } }]]);
         show(all.map((r) => r.status), all[2].url, all[1].cookies.a[0].value);
         const next = http.batch({ one: echo, two: ['GET', echo] });
         show(Object.values(next).map((r) => r.body.includes('Cookie: a=1')));",
        &[r#"[200,200,200,200] http://HOST/echo 1"#, "[true,true]"],
    );
}

#[test]
fn headers_are_each_response_s_own() {
    check(
        "const lines = [['X-A: 1'], ['X-A: 2'], ['x-a: 3'], ['X-B: 4'], ['X-A: 5', 'X-A: 6'], ['X-A: 7'], []];
         for (const line of lines) {
           const res = http.get(answer('200 OK', line));
           show(res.headers);
           res.headers.more = 1; delete res.headers['Content-Length'];
         }
         const [a, b] = [http.get(echo), http.get(echo)];
         a.timings.mine = 1; a.timings.waiting = 0;
         show(Object.keys(b.timings), typeof b.timings.waiting, Object.keys(a.timings).length);",
        &[
            r#"{"Content-Length":"0","X-A":"1"}"#,
            r#"{"Content-Length":"0","X-A":"2"}"#,
            r#"{"Content-Length":"0","X-A":"3"}"#,
            r#"{"Content-Length":"0","X-B":"4"}"#,
            r#"{"Content-Length":"0","X-A":"5, 6"}"#,
            r#"{"Content-Length":"0","X-A":"7"}"#,
            r#"{"Content-Length":"0"}"#,
            r#"["duration","blocked","looking_up","connecting","tls_handshaking","sending","waiting","receiving"] number 9"#,
        ],
    );
}

#[test]
fn async_requests_are_promises() {
    check(
        "const all = await Promise.all([http.asyncRequest('GET', echo), http.asyncRequest('POST', echo, 'b')]);
         show(all.map((r) => r.status));
         const refused = await http.asyncRequest('GET', ':bad');
         show(refused.error_code);
         await http.asyncRequest('GET', 'http://127.0.0.1:1/', null, {throw: true}).catch((e) => show(e.message));",
        &["[200,200]", "1020", "Get \"http://127.0.0.1:1/\": dial: connection refused"],
    );
}

#[test]
fn samples_carry_names_statuses_and_judgements() {
    let server = Server::start();
    let script = server.script(
        "http.get(echo); http.get(echo, {tags: {name: 'mine', my: 'tag'}});
         http.get(http.url`${BASE}/echo?id=${1}`);
         http.get(BASE.replace('//', '//me:secret@') + '/echo');
         http.get(answer('404 No', []));
         http.get(answer('404 No', []), {responseCallback: http.expectedStatuses(404)});
         http.get(answer('404 No', []), {responseCallback: null});
         http.get('http://127.0.0.1:1/')",
    );
    let wanted = [
        ("http_reqs", 8),
        ("http_reqs{name:mine}", 1),
        ("http_reqs{url:mine}", 1),
        ("http_reqs{my:tag}", 1),
        ("http_reqs{status:404}", 3),
        ("http_reqs{error_code:1404}", 3),
        ("http_reqs{expected_response:true}", 5),
        ("http_reqs{expected_response:false}", 2),
        ("http_reqs{error:dial: connection refused}", 1),
        ("http_req_duration{method:GET}", 8),
    ];
    let thresholds: serde_json::Map<_, _> = wanted
        .iter()
        .map(|(name, _)| ((*name).to_owned(), json!([])))
        .collect();
    let ran = Test::new(&script)
        .options(json!({"thresholds": thresholds}))
        .run();
    for (name, count) in wanted {
        assert_eq!(ran.count(name), count, "{name}");
    }
}

#[test]
fn tags_of_requests_count_in_every_iteration() {
    let server = Server::start();
    let script = server.script(
        "for (const [i, name] of ['a', 'b', 'a'].entries()) {
           http.get(echo, { tags: { name: 'mine', my: 'x' } });
           http.get(echo, { tags: { my: 'y' + i } });
           http.get(echo, { tags: { name, my: 'x' } });
           http.get(echo, { tags: { n: 1 } });
           http.get(echo, { tags: {} }); http.get(echo, { tags: null }); http.get(echo, {}); http.get(echo, null);
           http.get(answer('302 Found', ['Location: /echo']), { tags: { name: 'away' } });
           http.batch([['GET', echo, null, { tags: { name: 'batch' } }], ['GET', echo, null, { tags: { my: 'x' } }]]);
         }",
    );
    let wanted = [
        ("http_reqs", 72),
        ("http_reqs{name:mine}", 6),
        ("http_reqs{url:mine}", 6),
        ("http_reqs{my:x}", 18),
        ("http_reqs{my:y1}", 2),
        ("http_reqs{name:a}", 4),
        ("http_reqs{name:b}", 2),
        ("http_reqs{n:1}", 6),
        ("http_reqs{name:away}", 12),
        ("http_reqs{name:batch}", 6),
    ];
    let thresholds: serde_json::Map<_, _> = wanted
        .iter()
        .map(|(name, _)| ((*name).to_owned(), json!([])))
        .collect();
    let ran = Test::new(&script)
        .options(json!({"iterations": 2, "thresholds": thresholds}))
        .run();
    for (name, count) in wanted {
        assert_eq!(ran.count(name), count, "{name}");
    }
}

#[test]
fn requests_need_an_iteration() {
    let script = "import http from 'k6/http';
        for (const f of [() => http.get('http://x'), () => http.batch([]), () => http.cookieJar()])
          try { f() } catch (e) { console.log(e.message) }
        export default function () {}";
    let ran = Test::new(script).run();
    let refused = ran
        .console()
        .iter()
        .filter(|l| l.contains("not allowed in the init context"))
        .count();
    assert_eq!(refused % 3, 0, "{:?}", ran.console());
    assert!(refused > 0);
}

#[test]
fn responses_that_are_kept_count_as_memory() {
    let server = Server::start();
    let script = server.script(
        "const all = [], big = 'x'.repeat(100_000);
         for (let i = 0; i < 100; i++) { all.push(http.post(echo, big)); show(all.length); }",
    );
    let ran = Test::new(&script)
        .runtime(|options| options.memory_limit_bytes = 4 << 20)
        .run();
    let kept = ran.console().len();
    assert!((10..45).contains(&kept), "{kept}");
    let exceptions = ran.exceptions();
    assert!(exceptions[0].contains("out of memory"), "{exceptions:?}");
    assert!(exceptions[0].contains("4 MiB"), "{exceptions:?}");
}

#[test]
fn options_of_the_plan_apply_to_all_requests() {
    let server = Server::start();
    let script = server.script(
        "show(http.get(echo).body, http.get(echo, {responseType: 'text'}).body.length > 0);
         try { http.get(':bad') } catch (e) { show(e.message) }
         show(http.get(answer('302 X', ['Location: /echo'])).status)",
    );
    let options = json!({"discardResponseBodies": true, "throw": true, "maxRedirects": 0});
    let ran = Test::new(&script).options(options).run();
    assert_eq!(
        ran.console(),
        [
            "null true",
            "invalid URL: parse \":bad\": missing protocol scheme",
            "302",
        ]
    );
}

#[test]
fn the_response_callback_judges_what_has_none_of_its_own() {
    let server = Server::start();
    let script = server.script(
        "http.setResponseCallback(http.expectedStatuses({min: 400, max: 499}, 200));
         http.get(echo); http.get(answer('404 No', [])); http.get(answer('500 No', []));
         http.setResponseCallback(null);
         http.get(answer('500 No', []));
         for (const bad of [[], ['200'], [{min: 1}], [{min: 'a', max: 2}]])
           try { http.expectedStatuses(...bad) } catch (e) { show(e.message.split(' ')[0]) }",
    );
    let thresholds =
        json!({"http_reqs{expected_response:true}": [], "http_reqs{expected_response:false}": []});
    let ran = Test::new(&script)
        .options(json!({"thresholds": thresholds}))
        .run();
    assert_eq!(ran.count("http_reqs{expected_response:true}"), 2);
    assert_eq!(ran.count("http_reqs{expected_response:false}"), 1);
    assert_eq!(ran.console(), ["no", "argument", "argument", "both"]);
}

#[test]
fn rps_keeps_requests_apart() {
    let server = Server::start();
    let script = server.script(
        "const start = Date.now();
         for (let i = 0; i < 3; i++) http.get(echo);
         http.batch([echo, echo]);
         show(Date.now() - start >= 195)",
    );
    let ran = Test::new(&script).options(json!({"rps": 20})).run();
    assert_eq!(
        ran.console(),
        ["true"],
        "five requests, four pauses of 50 ms"
    );
}

/// What the option `httpDebug` showed.
fn debugged(ran: &Ran) -> Vec<&str> {
    let records = ran.records.iter();
    let shown = records.filter(|r| r.source == Some("http-debug"));
    shown.map(|r| r.message.as_str()).collect()
}

#[test]
fn http_debug_shows_what_went_over_the_wire() {
    let server = Server::start();
    let script = server.script("http.post(answer('200 OK', ['X: y'], 'reply'), 'asked')");
    for (mode, bodies) in [("headers", false), ("full", true)] {
        let ran = Test::new(&script).options(json!({"httpDebug": mode})).run();
        let shown = debugged(&ran);
        let [request, response] = shown[..] else {
            panic!("{shown:?}")
        };
        assert!(request.starts_with("Request:\nPOST /raw/"), "{request}");
        assert!(
            response.starts_with("Response:\nHTTP/1.1 200 OK\n"),
            "{response}"
        );
        assert_eq!(request.ends_with("\n\nasked\n"), bodies, "{request}");
        assert_eq!(response.ends_with("\n\nreply\n"), bodies, "{response}");
    }
}

#[test]
fn http_debug_shows_every_hop_with_what_it_sent() {
    let server = Server::start();
    let script = server.script(
        "const away = answer('302 Found', ['Location: ' + echo, 'Set-Cookie: seen=1; Path=/'], 'away');
         http.post(away, 'asked', { headers: { 'X-Own': 'kept' } });",
    );
    let ran = Test::new(&script)
        .options(json!({"httpDebug": "full"}))
        .run();
    let shown = debugged(&ran);
    let [first, away, second, last] = shown[..] else {
        panic!("{shown:?}")
    };
    assert!(first.starts_with("Request:\nPOST /raw/"), "{first}");
    assert!(first.ends_with("\n\nasked\n"), "{first}");
    assert!(away.contains("\nSet-Cookie: seen=1; Path=/\n"), "{away}");
    assert!(away.ends_with("\n\naway\n"), "{away}");
    assert!(second.starts_with("Request:\nGET /echo"), "{second}");
    for line in ["X-Own: kept", "Cookie: seen=1", "Referer: http://"] {
        assert!(second.contains(&format!("\n{line}")), "{second}");
    }
    assert!(last.starts_with("Response:\nHTTP/1.1 200"), "{last}");
}
