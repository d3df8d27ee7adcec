//! Another server that we did not write: what scripts and `hit` see of the real Caddy.

mod harness;

use harness::server::{CADDY, Server};
use harness::{Folder, Ran};
use serde_json::Value;

/// The name in the certificate, mapped to loopback by the scripts.
const HOST: &str = "client.test";

/// Ports in the order of the configuration: in the clear (HTTP/1.1 and h2c), under TLS.
fn caddy() -> Option<Server> {
    Server::start(&CADDY, 2, configuration)
}

fn configuration(folder: &Folder, ports: &[u16]) -> String {
    folder.write("www/lines.txt", &"a line of text\n".repeat(20_000));
    let (plain, tls) = (ports[0], ports[1]);
    let site = "
    root * www
    encode zstd gzip
    respond /ok hello
    respond /proto {http.request.proto}
    respond /echo {http.request.body}
    respond /broken sorry 500
    redir /moved /ok 307
    header /cookie Set-Cookie seen=yes
    respond /cookie {http.request.header.Cookie}
    reverse_proxy /proxied 127.0.0.1:PLAIN {
        rewrite /ok
        header_up Host {upstream_hostport}
    }
    file_server
"
    .replace("PLAIN", &plain.to_string());
    format!(
        "{{
    admin off
    auto_https off
    servers 127.0.0.1:{plain} {{
        protocols h1 h2c
    }}
}}
http://127.0.0.1:{plain}, http://localhost:{plain} {{
    bind 127.0.0.1
{site}
}}
https://{HOST}:{tls} {{
    bind 127.0.0.1
    tls cert.pem key.pem
{site}
}}
"
    )
}

impl Server {
    /// Runs a script whose checks must all hold.
    fn run(&self, body: &str) {
        let script = format!(
            "import http from 'k6/http';
             import {{ check }} from 'k6';
             const plain = 'http://127.0.0.1:{plain}', secure = 'https://{HOST}:{tls}';
             export const options = {{ thresholds: {{ checks: ['rate==1'] }}, hosts: {{ '{HOST}': '127.0.0.1' }} }};
             const is = (name, actual, wanted) => check(actual, {{ [`${{name}}: ${{actual}}`]: () => actual === wanted }});
             export default function () {{ {body} }}",
            plain = self.ports[0],
            tls = self.ports[1],
        );
        self.folder.write("script.js", &script);
        let mut command = self.folder.command(&["run", "--quiet", "script.js"]);
        command.env("SSL_CERT_FILE", self.folder.path().join("ca.pem"));
        let ran: Ran = command.output().unwrap().into();
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    }
}

/// What both of its sites must answer, at `base`.
const EVERYTHING: &str = "
    is('text', http.get(`${base}/ok`).body, 'hello');
    is('not found', http.get(`${base}/nothing`).status, 404);
    is('broken', http.get(`${base}/broken`).status, 500);
    is('followed', http.get(`${base}/moved`).url, `${base}/ok`);
    is('sent', http.post(`${base}/echo`, 'a body').body, 'a body');
    is('behind a proxy', http.get(`${base}/proxied`).body, 'hello');
    http.get(`${base}/cookie`);
    is('cookie', http.get(`${base}/cookie`).body, 'seen=yes');
    for (const coding of ['zstd', 'gzip']) {
      const lines = http.get(`${base}/lines.txt`, { headers: { 'Accept-Encoding': coding } });
      is(coding, lines.headers['Content-Encoding'], coding);
      is('whole', lines.body.length, 20000 * 15);
    }";

#[test]
fn plain_http() {
    let Some(caddy) = caddy() else { return };
    caddy.run(&format!(
        "const base = plain; {EVERYTHING} is('protocol', http.get(`${{base}}/proto`).body, 'HTTP/1.1');"
    ));
}

#[test]
fn http_2_under_tls_with_many_requests_at_once() {
    let Some(caddy) = caddy() else { return };
    caddy.run(&format!(
        "const base = secure; {EVERYTHING}
         const one = http.get(`${{base}}/proto`);
         is('protocol', one.body, 'HTTP/2.0'); is('told', one.proto, 'HTTP/2.0');
         const many = http.batch(Array.from({{ length: 20 }}, () => `${{base}}/lines.txt`));
         is('many', many.filter((r) => r.body.length === 300000).length, 20);
         is('one connection', many.filter((r) => r.timings.connecting > 0).length, 0);"
    ));
}

#[test]
fn hit_over_both_protocols() {
    let Some(caddy) = caddy() else { return };
    let url = format!("http://127.0.0.1:{}/proto", caddy.ports[0]);
    for flags in [&["-c", "4"][..], &["--http2", "-c", "2", "--streams", "8"]] {
        let all = [
            &["hit", "--quiet", "--format", "json", "-n", "500"],
            flags,
            &[url.as_str()],
        ];
        let ran = caddy.folder.run(&all.concat());
        assert_eq!(ran.code, 0, "{flags:?}: {}", ran.stderr);
        let document: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(document["statuses"], serde_json::json!({ "200": 500 }));
    }
}
