//! The module `k6/secrets`: what scripts obtain from each kind of source, and that no log line shows it.

mod harness;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;

use harness::{Ran, Test};
use netload_script::{REDACTED, Secrets};

fn secrets(sources: &[&str]) -> Result<Secrets, Vec<String>> {
    let sources: Vec<String> = sources.iter().map(|s| (*s).to_owned()).collect();
    Secrets::read(&sources, &BTreeMap::new())
}

/// Runs an async function body with these sources.
fn run(sources: &[&str], body: &str) -> Ran {
    let secrets = Arc::new(secrets(sources).unwrap());
    let script = format!(
        "import secrets from 'k6/secrets';
         const tell = async (what) => {{
             try {{ return (await what()).split('').join('-'); }} catch (e) {{ return e.message; }}
         }};
         export default async function () {{ {body} }}"
    );
    Test::new(&script)
        .runtime(move |options| options.secrets = secrets)
        .run()
}

#[test]
fn values_come_from_the_default_source_or_a_named_one() {
    let path = std::env::temp_dir().join(format!("netload-secrets-{}", std::process::id()));
    std::fs::write(&path, "token=abc\r\n\nequation=a=b\n").unwrap();
    let file = format!("file=name=disk,default,filename={}", path.display());
    let ran = run(
        &[&file, "mock=token=xyz"],
        "for (const key of ['token', 'equation', 'none', undefined]) console.log(await tell(() => secrets.get(key)));
         console.log(await tell(() => secrets.source('mock').get('token')));
         console.log(await tell(() => secrets.source('dsk').get('token')));",
    );
    std::fs::remove_file(&path).unwrap();
    let expected = [
        "a-b-c",
        "a-=-b",
        "there is no secret 'none' in this source",
        "there is no secret '' in this source",
        "x-y-z",
        "there is no source of secrets named 'dsk'; did you mean `disk`?",
    ];
    assert_eq!(ran.console(), expected);
}

#[test]
fn a_source_must_be_there_and_be_known() {
    let ran = run(&[], "console.log(await tell(() => secrets.get('a')));");
    assert!(ran.console()[0].contains("--secret-source"));
    let ran = run(
        &["mock=a=1", "mock=name=other,a=2"],
        "console.log(await tell(() => secrets.get('a')));",
    );
    assert!(ran.console()[0].contains("none is the default"));
}

#[test]
fn every_problem_of_the_sources_is_told() {
    let wrong = [
        "what=a",
        "mock",
        "mock=a",
        "file",
        "file=/no/such/file",
        "url=urlTemplate=http://h/",
        "mock=a=1",
        "mock=b=2",
        "mock=name=x,default,a=1",
        "mock=name=y,default,a=1",
    ];
    let problems = secrets(&wrong).unwrap_err();
    assert_eq!(problems.len(), 8, "{problems:#?}");
    // A text that may be a secret is not repeated.
    let problems = secrets(&["mock=a=1,hunter2"]).unwrap_err();
    assert_eq!(problems.len(), 1);
}

#[test]
fn obtained_values_are_hidden_and_others_are_not() {
    let known = Arc::new(secrets(&["mock=a=hunter2,b=other"]).unwrap());
    assert_eq!(known.redacted("hunter2 other"), "hunter2 other");
    let secrets = known.clone();
    let script = "import { get } from 'k6/secrets';
        export default async function () { await get('a'); }";
    Test::new(script)
        .runtime(move |options| options.secrets = secrets)
        .run()
        .completed();
    assert_eq!(known.redacted("hunter2 other"), format!("{REDACTED} other"));
}

#[test]
fn a_server_is_asked_once_for_each_key() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        let mut asked = Vec::new();
        // The first answer is a failure that passes, the others are values.
        for number in 0..3 {
            let (mut stream, _) = listener.accept().unwrap();
            let mut buffer = [0; 2048];
            let count = stream.read(&mut buffer).unwrap();
            let head = String::from_utf8_lossy(&buffer[..count]).into_owned();
            asked.push(head.lines().next().unwrap_or_default().to_owned());
            assert!(head.contains("X-Token: t"), "{head}");
            let body = format!("{{\"data\":{{\"value\":\"v{number}\"}}}}");
            let status = if number == 0 { "503 Busy" } else { "200 OK" };
            write!(
                stream,
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
                body.len()
            )
            .unwrap();
        }
        asked
    });
    let source = format!(
        "url=urlTemplate=http://{address}/s/{{key}},headers.X-Token=t,responsePath=data.value,retryBackoff=1ms"
    );
    let ran = run(
        &[&source],
        "console.log(await tell(() => secrets.get('a')));
         console.log(...await Promise.all([1, 2].map(() => tell(() => secrets.get('b')))));
         console.log(await tell(() => secrets.get('a')));",
    );
    assert_eq!(ran.console(), ["v-1", "v-2 v-2", "v-1"]);
    let line = |key: &str| format!("GET /s/{key} HTTP/1.1");
    assert_eq!(server.join().unwrap(), [line("a"), line("a"), line("b")]);
}
