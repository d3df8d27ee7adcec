//! A server that we did not write: what scripts and `hit` see of the real nginx.

mod harness;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};

use harness::server::{NGINX, Server};
use harness::{Folder, Ran};

/// The name in the certificate, mapped to loopback by the scripts.
const HOST: &str = "client.test";

/// Ports in the order of the configuration: in the clear, under TLS.
const SERVERS: usize = 2;

fn nginx() -> Option<Server> {
    Server::start(&NGINX, SERVERS, |folder, ports| {
        configuration(folder, ports[0], ports[1])
    })
}

fn configuration(folder: &Folder, plain: u16, tls: u16) -> String {
    folder.write("www/lines.txt", &"a line of text\n".repeat(20_000));
    folder.write("www/big.bin", &"0123456789abcdef".repeat(1 << 19));
    format!(
        r#"
daemon off; master_process off; pid nginx.pid; error_log errors.log;
events {{ }}
http {{
  access_log off; client_max_body_size 64m;
  client_body_temp_path temporary/a; proxy_temp_path temporary/b; fastcgi_temp_path temporary/c;
  uwsgi_temp_path temporary/d; scgi_temp_path temporary/e;
  gzip on; gzip_min_length 1; gzip_types *;
  server {{
    listen 127.0.0.1:{plain}; root www;
    location = /ok {{ return 200 "hello"; }}
    location = /empty {{ return 204; }}
    location = /broken {{ return 500 "sorry"; }}
    location = /moved {{ return 302 /ok; }}
    location = /used {{ return 200 "$connection_requests"; }}
    location = /close {{ keepalive_timeout 0; return 200 "bye"; }}
    location = /length {{ return 200 "$http_content_length"; }}
    location = /upload {{ proxy_pass http://127.0.0.1:{plain}/length; }}
  }}
  server {{
    listen 127.0.0.1:{tls} ssl; root www;
    ssl_certificate ../cert.pem; ssl_certificate_key ../key.pem; ssl_protocols TLSv1.2 TLSv1.3;
    ssl_client_certificate ../ca.pem; ssl_verify_client optional;
    location = /tls {{ return 200 "$ssl_protocol $ssl_client_verify $connection_requests"; }}
  }}
}}
"#
    )
    .replace("../", &format!("{}/", folder.path().display()))
}

impl Server {
    /// Runs a script whose checks must all hold.
    fn run(&self, options: &str, body: &str, variables: &[(&str, &str)]) -> Ran {
        let script = format!(
            "import http from 'k6/http';
             import {{ check }} from 'k6';
             const plain = 'http://127.0.0.1:{plain}', secure = 'https://{HOST}:{tls}';
             const cert = open('./cert.pem'), key = open('./key.pem');
             export const options = Object.assign({{ thresholds: {{ checks: ['rate==1'] }}, hosts: {{ '{HOST}': '127.0.0.1' }} }}, {options});
             const is = (name, actual, wanted) => check(actual, {{ [`${{name}}: ${{actual}}`]: () => actual === wanted }});
             export default function () {{ {body} }}",
            plain = self.ports[0],
            tls = self.ports[1],
        );
        self.folder.write("script.js", &script);
        let mut command = self.folder.command(&["run", "--quiet", "script.js"]);
        command
            .env("SSL_CERT_FILE", self.folder.path().join("ca.pem"))
            .envs(variables.iter().copied());
        let ran: Ran = command.output().unwrap().into();
        assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
        ran
    }
}

#[test]
fn plain_http() {
    let Some(nginx) = nginx() else { return };
    nginx.run(
        "{}",
        "is('text', http.get(`${plain}/ok`).body, 'hello');
         is('kept alive', http.get(`${plain}/used`).body, '2');
         is('not found', http.get(`${plain}/nothing`).status, 404);
         is('broken', http.get(`${plain}/broken`).status, 500);
         is('no content', http.get(`${plain}/empty`).status, 204);
         is('followed', http.get(`${plain}/moved`).url, `${plain}/ok`);
         const lines = http.get(`${plain}/lines.txt`, { headers: { 'Accept-Encoding': 'gzip' } });
         is('compressed', lines.headers['Content-Encoding'], 'gzip');
         is('in chunks', lines.headers['Content-Length'], undefined);
         is('whole', lines.body.length, 20000 * 15);
         is('head', http.head(`${plain}/big.bin`).headers['Content-Length'], '8388608');
         is('large', http.get(`${plain}/big.bin`, { responseType: 'binary' }).body.byteLength, 8388608);
         is('part', http.get(`${plain}/big.bin`, { headers: { Range: 'bytes=16-31' } }).body, '0123456789abcdef');
         is('uploaded', http.post(`${plain}/upload`, 'x'.repeat(5000000)).body, '5000000');
         is('closed', http.get(`${plain}/close`).body, 'bye');
         is('a new connection', http.get(`${plain}/used`).body, '1');",
        &[],
    );
}

#[test]
fn tls_versions_client_certificate_and_proxy() {
    let Some(nginx) = nginx() else { return };
    let look = |name: &str, wanted: &str| {
        format!("is('{name}', http.get(`${{secure}}/tls`).body, '{wanted}');")
    };
    nginx.run(
        "{ tlsVersion: 'tls1.2' }",
        &(look("1.2", "TLSv1.2 NONE 1") + &look("kept alive", "TLSv1.2 NONE 2")),
        &[],
    );
    nginx.run(
        "{ tlsAuth: [{ cert, key, domains: ['client.test'] }] }",
        &look("a client certificate", "TLSv1.3 SUCCESS 1"),
        &[],
    );
    let proxy = tunnel(nginx.ports[1]);
    nginx.run(
        "{ noConnectionReuse: true }",
        &(look("through a proxy", "TLSv1.3 NONE 1") + &look("again", "TLSv1.3 NONE 1")),
        &[("HTTPS_PROXY", &format!("http://127.0.0.1:{proxy}"))],
    );
}

/// A proxy that answers two CONNECTs, and leads both to a port of this machine.
fn tunnel(port: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for client in listener.incoming().take(2) {
            let mut client = client.unwrap();
            let mut head = Vec::new();
            let mut byte = [0];
            while !head.ends_with(b"\r\n\r\n") {
                client.read_exact(&mut byte).unwrap();
                head.push(byte[0]);
            }
            assert!(head.starts_with(format!("CONNECT {HOST}:{port} ").as_bytes()));
            client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
            let mut server = TcpStream::connect(("127.0.0.1", port)).unwrap();
            let (mut back, mut forth) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            std::thread::spawn(move || std::io::copy(&mut back, &mut forth));
            std::thread::spawn(move || std::io::copy(&mut client, &mut server));
        }
    });
    at
}

#[test]
fn hit_counts_what_nginx_answers() {
    let Some(nginx) = nginx() else { return };
    let url = format!("http://127.0.0.1:{}/ok", nginx.ports[0]);
    let ran = nginx
        .folder
        .run(&["hit", "-c", "4", "-n", "200", "--format", "json", &url]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["metrics"]["http_reqs"]["values"]["count"], 200);
}
