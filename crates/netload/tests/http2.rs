//! HTTP/2 with a server that we did not write: the real nginx.

mod harness;

use std::collections::BTreeSet;

use harness::Ran;
use harness::server::{NGINX, Server};
use serde_json::Value;

/// Ports in the order of the configuration: HTTP/2 in the clear, under TLS, with few requests for each connection, and
/// HTTP/1.1 alone.
const SERVERS: usize = 4;

const CONFIGURATION: &str = r#"
daemon off; master_process off; pid nginx.pid; error_log errors.log;
events { }
http {
    log_format seen "$connection $server_protocol $request_method $request_length $status";
    access_log seen.log seen;
    client_body_temp_path temporary; proxy_temp_path temporary; fastcgi_temp_path temporary;
    uwsgi_temp_path temporary; scgi_temp_path temporary;
    client_max_body_size 8m; client_body_buffer_size 8m;
    ssl_certificate cert.pem; ssl_certificate_key key.pem;
    gzip on; gzip_types *; gzip_min_length 1;
    root www;
    error_page 405 =200 $uri;
    server { listen 127.0.0.1:{0} http2; }
    server { listen 127.0.0.1:{1} ssl http2; location = /moved { return 302 /big.txt; } }
    server { listen 127.0.0.1:{2} http2; keepalive_requests 7; }
    server { listen 127.0.0.1:{3}; }
}
"#;

fn nginx() -> Option<Server> {
    Server::start(&NGINX, SERVERS, |folder, ports| {
        folder.write("www/big.txt", &"a line of text\n".repeat(200_000));
        folder.write("www/small.txt", "small");
        let numbered = ports.iter().enumerate();
        numbered.fold(CONFIGURATION.to_owned(), |text, (number, port)| {
            text.replace(&format!("{{{number}}}"), &port.to_string())
        })
    })
}

impl Server {
    /// `hit` with these arguments; its result, and how many connections and which protocols nginx saw.
    fn hit(&self, url: &str, arguments: &[&str]) -> (Value, usize, String) {
        std::fs::write(self.folder.path().join("seen.log"), "").unwrap();
        let all = [
            &["hit", "--quiet", "-k", "--format", "json", url],
            arguments,
        ]
        .concat();
        let ran = self.folder.run(&all);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        let seen = self.folder.read("seen.log");
        let column = |n: usize| -> BTreeSet<&str> {
            let lines = seen.lines();
            lines.filter_map(|line| line.split(' ').nth(n)).collect()
        };
        let protocols: Vec<_> = column(1).into_iter().collect();
        let json = serde_json::from_str(&ran.stdout).unwrap();
        (json, column(0).len(), protocols.join(" "))
    }

    fn run(&self, script: &str, variables: &[(&str, &str)]) -> Ran {
        self.folder.write("script.js", script);
        let mut command = self.folder.command(&["run", "--quiet", "script.js"]);
        let base = |at: usize| format!("127.0.0.1:{}", self.ports[at]);
        command
            .env("CLEAR", format!("http://{}", base(0)))
            .env("TLS", format!("https://{}", base(1)))
            .envs(variables.iter().copied());
        command.output().unwrap().into()
    }
}

fn requests(json: &Value) -> (f64, f64) {
    let value = |metric: &str, key: &str| json["metrics"][metric]["values"][key].as_f64();
    (
        value("http_reqs", "count").unwrap(),
        value("http_req_failed", "rate").unwrap(),
    )
}

#[test]
fn hit_shares_connections_among_streams() {
    let Some(nginx) = nginx() else { return };
    let clear = format!("http://127.0.0.1:{}/small.txt", nginx.ports[0]);
    let tls = format!("https://127.0.0.1:{}/small.txt", nginx.ports[1]);
    for url in [&clear, &tls] {
        let flags = ["--http2", "-c", "3", "--streams", "8", "-n", "600"];
        let (json, connections, protocols) = nginx.hit(url, &flags);
        assert_eq!(requests(&json), (600.0, 0.0));
        assert_eq!((connections, &*protocols), (3, "HTTP/2.0"), "{url}");
        let number = |of: &str, key: &str| json["accuracy"][of][key].as_u64().unwrap();
        // Where the kernel stamps what comes, it is also asked when requests leave: at least 25 writes carry the 600.
        if number("stamps", "kernel") > 0 {
            assert!(number("departures", "asked") >= 10, "{}", json["accuracy"]);
        }
        assert_eq!(number("stamps", "missing"), 0, "{}", json["accuracy"]);
    }
    let (_, _, protocols) = nginx.hit(&tls, &["-n", "5"]);
    assert_eq!(protocols, "HTTP/1.1", "nobody asked for HTTP/2");
    // A server that goes away after seven requests has all others sent again.
    let short = format!("http://127.0.0.1:{}/small.txt", nginx.ports[2]);
    let flags = ["--http2", "-c", "1", "--streams", "5", "-n", "100"];
    let (json, connections, _) = nginx.hit(&short, &flags);
    assert_eq!(requests(&json), (100.0, 0.0));
    assert!(connections >= 100 / 7, "{connections}");
}

#[test]
fn hit_demands_the_protocol_it_was_told() {
    let Some(nginx) = nginx() else { return };
    let check = |arguments: &[&str], expected: &str| {
        let all = [&["hit", "--quiet", "-n", "3"], arguments].concat();
        let ran = nginx.folder.run(&all);
        assert_eq!(ran.code, 255, "{arguments:?}");
        assert!(
            ran.stderr.contains(expected),
            "{arguments:?}: {}",
            ran.stderr
        );
    };
    let plain = format!("http://127.0.0.1:{}/", nginx.ports[3]);
    check(&["--http2", &plain], "the server does not speak HTTP/2");
    check(&["--streams", "2", &plain], "add --http2");
    check(&["--http2", "--http1.1", &plain], "contradict each other");
}

#[test]
fn scripts_speak_what_the_server_agrees_to() {
    let Some(nginx) = nginx() else { return };
    let script = r#"
import http from 'k6/http';
export const options = { insecureSkipTLSVerify: true };
export default function () {
    const clear = http.get(`${__ENV.CLEAR}/small.txt`, { responseCallback: null });
    const tls = http.get(`${__ENV.TLS}/small.txt`, { responseCallback: null });
    console.log(`protocols: ${clear.proto} ${tls.proto} ${tls.status_text}`);
}"#;
    let check = |variables: &[(&str, &str)], expected: &str| {
        let ran = nginx.run(script, variables);
        let text = format!("protocols: {expected}");
        assert!(ran.stderr.contains(&text), "{expected}: {}", ran.stderr);
    };
    check(&[("NETLOAD_HTTP_VERSION", "2")], "HTTP/2.0 HTTP/2.0 200 OK");
    check(&[], " HTTP/2.0 200 OK");
    check(&[("NETLOAD_HTTP_VERSION", "1.1")], " HTTP/1.1 200 OK");
    check(&[("GODEBUG", "x=1,http2client=0")], " HTTP/1.1 200 OK");
    let ran = nginx.run(script, &[("NETLOAD_HTTP_VERSION", "3")]);
    let text = "`3` is no version; it is auto, 1.1 or 2";
    assert!(ran.code != 0 && ran.stderr.contains(text), "{}", ran.stderr);
}

#[test]
fn bodies_of_all_sizes_redirects_and_batches() {
    let Some(nginx) = nginx() else { return };
    std::fs::write(nginx.folder.path().join("seen.log"), "").unwrap();
    let script = r#"
import http from 'k6/http';
export const options = { insecureSkipTLSVerify: true };
export default function () {
    const packed = { headers: { 'Accept-Encoding': 'gzip' } };
    const show = (what, r) => console.log(`${what}: ${r.status} ${r.body.length} ${r.error_code}`);
    show('large', http.get(`${__ENV.TLS}/big.txt`));
    show('packed', http.get(`${__ENV.TLS}/big.txt`, packed));
    show('moved', http.get(`${__ENV.TLS}/moved`));
    show('posted', http.post(`${__ENV.TLS}/small.txt`, 'x'.repeat(3000000)));
    const all = http.batch([...Array(20).keys()].map((n) => ['GET', `${__ENV.TLS}/small.txt?${n}`]));
    console.log(`batch: ${all.filter((r) => r.status === 200 && r.proto === 'HTTP/2.0').length}`);
}"#;
    let ran = nginx.run(script, &[]);
    for line in [
        "large: 200 3000000 0",
        "packed: 200 3000000 0",
        "moved: 200 3000000 0",
        "posted: 200 5 0",
        "batch: 20",
    ] {
        assert!(ran.stderr.contains(line), "{line}: {}", ran.stderr);
    }
    let seen = nginx.folder.read("seen.log");
    let connections: BTreeSet<_> = seen.lines().filter_map(|l| l.split(' ').next()).collect();
    assert_eq!(connections.len(), 1, "{seen}");
}
