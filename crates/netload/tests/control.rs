//! Steering a running test: signals, the REST API and its commands.

mod harness;

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use harness::{Folder, Ran};

/// Waits until a condition holds; generous, because machines that run tests are busy.
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(
            begin.elapsed() < Duration::from_secs(30),
            "{what} did not happen"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Starts a test that says when its first iteration runs.
fn start(folder: &Folder, arguments: &[&str]) -> (Child, BufReader<std::process::ChildStderr>) {
    let all = [&["run", "--quiet"], arguments, &["script.js"]].concat();
    let mut command = folder.command(&all);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("running now") {
        line.clear();
        assert!(
            errors.read_line(&mut line).unwrap() > 0,
            "it ended too early"
        );
    }
    (child, errors)
}

const LOOPING: &str = "import { sleep } from 'k6';\n\
    export const options = { vus: 2, duration: '60s' };\n\
    export default function () { if (__ITER === 0) console.log('running now'); sleep(0.05); }\n\
    export function teardown() { console.log('torn down'); }";

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(
        std::process::Command::new("kill")
            .args(["-INT", &id])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn one_interrupt_ends_the_test_in_order() {
    let folder = Folder::with_script(LOOPING);
    let (child, errors) = start(&folder, &[]);
    interrupt(&child);
    let rest: Vec<String> = errors.lines().map_while(Result::ok).collect();
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, 105);
    assert!(ran.stdout.contains("TOTAL RESULTS"), "{}", ran.stdout);
    assert!(rest.iter().any(|l| l.contains("torn down")), "{rest:?}");
}

#[test]
fn a_second_interrupt_ends_the_process() {
    let folder = Folder::with_script(
        "import { sleep } from 'k6';\nexport const options = { vus: 1, duration: '60s' };\n\
         export default function () { console.log('running now'); sleep(0.05); }\n\
         export function teardown() { console.log('running now'); sleep(50); }",
    );
    let (child, errors) = start(&folder, &[]);
    interrupt(&child);
    let mut lines = errors.lines();
    eventually("teardown", || {
        interrupt(&child);
        lines.next().is_none()
    });
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!((ran.code, ran.stdout.as_str()), (105, ""));
}

/// A port that was free a moment ago.
fn free_address() -> String {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().to_string()
}

#[test]
fn a_test_can_be_watched_scaled_paused_and_stopped() {
    let folder = Folder::with_script(
        "import { sleep } from 'k6';\nexport const options = { scenarios: { s: {\n\
         executor: 'externally-controlled', vus: 1, maxVUs: 5, duration: '60s' } } };\n\
         export default function () { if (__ITER === 0) console.log('running now'); sleep(0.02); }",
    );
    let address = free_address();
    let (child, errors) = start(&folder, &["--address", &address]);
    let drain = std::thread::spawn(move || errors.lines().map_while(Result::ok).count());
    let says = |arguments: &[&str], part: &str| {
        let ran = folder.run(&[arguments, &["--address", &address]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout.contains(part)
    };
    eventually("the start", || says(&["status"], "vus: 1\n"));
    assert!(says(&["scale", "--vus", "4"], ""));
    eventually("four users", || says(&["status"], "vus: 4\n"));
    assert!(says(&["pause"], "paused: true"));
    assert!(says(&["resume"], "paused: false"));
    let ran = folder.run(&["scale", "--vus", "many", "--address", &address]);
    assert_eq!(ran.code, 255);
    interrupt(&child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(105));
    drain.join().unwrap();
}

#[test]
fn an_address_in_use_is_told_before_the_test_starts() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let folder = Folder::with_script("export default function () {}");
    let ran = folder.run(&["run", "--quiet", "--address", &address, "script.js"]);
    assert_eq!(ran.code, 106, "{}", ran.stderr);
}
