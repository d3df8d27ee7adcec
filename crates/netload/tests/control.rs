//! Steering a running test: signals, the REST API and its commands.

mod harness;

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use harness::{Folder, Ran};
use netload_target::{Target, TargetConfig};

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
fn setup_and_teardown_can_be_run_and_their_data_set() {
    let folder = Folder::with_script(
        "import { sleep } from 'k6';\nexport const options = { vus: 1, iterations: 1 };\n\
         export function setup() { return { made: 'by setup' }; }\n\
         export default function (data) { console.log('got ' + JSON.stringify(data)); sleep(0.5); }\n\
         export function teardown(data) { console.log('torn down ' + JSON.stringify(data)); }",
    );
    let address = free_address();
    let arguments = [
        "run",
        "--quiet",
        "--paused",
        "--no-setup",
        "--address",
        &address,
        "script.js",
    ];
    let mut command = folder.command(&arguments);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    eventually("listening", || {
        std::net::TcpStream::connect(&address).is_ok()
    });
    eventually("pausing", || {
        folder
            .run(&["status", "--address", &address])
            .stdout
            .contains("status: 4")
    });
    let ask = |method: &str, path: &str, body: &str| ask(&address, method, path, body);
    let none =
        serde_json::json!({ "data": { "type": "setupData", "id": "default", "attributes": {} } });
    assert_eq!(ask("GET", "/v1/setup", ""), (200, none.clone()));
    let (status, document) = ask("POST", "/v1/setup", "");
    assert_eq!(
        (status, &document["data"]["attributes"]["data"]["made"]),
        (200, &"by setup".into())
    );
    assert_eq!(
        ask("POST", "/v1/teardown", ""),
        (200, serde_json::Value::Null)
    );
    assert_eq!(ask("PUT", "/v1/setup", "nonsense").0, 400);
    assert_eq!(ask("PUT", "/v1/setup", ""), (200, none));
    let (status, document) = ask("PUT", "/v1/setup", "{\"set\":[1]}");
    assert_eq!(
        (status, &document["data"]["attributes"]["data"]["set"][0]),
        (200, &1.into())
    );
    assert_eq!(ask("GET", "/v1/teardown", "").0, 405);
    assert_eq!(folder.run(&["resume", "--address", &address]).code, 0);
    let errors = BufReader::new(child.stderr.take().unwrap());
    let lines: Vec<String> = errors.lines().map_while(Result::ok).collect();
    let said = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{lines:?}");
    assert_eq!(
        said("got {\\\"set\\\":[1]}") + said("got {\"set\":[1]}"),
        1,
        "{lines:?}"
    );
    assert_eq!(said("torn down"), 2, "{lines:?}");
    assert!(
        lines
            .iter()
            .any(|l| l.contains("torn down") && l.contains("by setup")),
        "{lines:?}"
    );
}

/// Status and document of an answer of the API.
fn ask(address: &str, method: &str, path: &str, body: &str) -> (u16, serde_json::Value) {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    (status, serde_json::from_str(body).unwrap_or_default())
}

#[test]
fn a_hit_that_lingers_ends_when_it_is_interrupted() {
    let target = Target::start(TargetConfig::default()).unwrap();
    let url = format!("http://{}/", target.addr());
    let folder = Folder::new();
    let mut command = folder.command(&["hit", "-n", "3", "--linger", &url]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("the test is over")));
    assert_eq!(child.try_wait().unwrap(), None);
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn the_rate_of_a_running_test_can_be_changed() {
    let folder = Folder::with_script(
        "export const options = { scenarios: {\n\
         slow: { executor: 'constant-arrival-rate', rate: 1, timeUnit: '1m', duration: '60s', preAllocatedVUs: 2 },\n\
         ramp: { executor: 'ramping-arrival-rate', startRate: 1, timeUnit: '1m', preAllocatedVUs: 1, maxVUs: 1,\n\
           exec: 'other', stages: [{ duration: '60s', target: 2 }] } } };\n\
         export default function () { if (__ITER === 0) console.log('running now'); }\n\
         export function other() {}",
    );
    let address = free_address();
    let (child, errors) = start(
        &folder,
        &[
            "--address",
            &address,
            "--format",
            "json",
            "--summary-mode",
            "full",
        ],
    );
    let drain = std::thread::spawn(move || errors.lines().map_while(Result::ok).collect());
    let scale =
        |arguments: &[&str]| folder.run(&[&["scale", "--address", &address], arguments].concat());
    assert!(
        scale(&["--rate", "50"])
            .stderr
            .contains("name one of ramp, slow")
    );
    assert!(
        scale(&["--rate", "50", "--scenario", "x"])
            .stderr
            .contains("no scenario `x`")
    );
    assert!(
        scale(&["--vus", "5"])
            .stderr
            .contains("externally-controlled")
    );
    assert!(
        scale(&["--rate", "fast"])
            .stderr
            .contains("write it like 100")
    );
    // The next start of the old plan is a minute away: the change does not wait for it.
    let ran = scale(&["--rate", "600/m", "--scenario", "slow"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let status = || folder.run(&["status", "--address", &address]).stdout;
    eventually("the new rate", || status().contains("\"slow\":10.0"));
    assert!(status().contains("\"ramp\":0.0"), "{}", status());
    assert_eq!(scale(&["--rate", "100", "--scenario", "ramp"]).code, 0);
    eventually("iterations of both", || iterations(&address) > 60.0);
    interrupt(&child);
    let ran: Ran = child.wait_with_output().unwrap().into();
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let kept = &document["accuracy"]["conservation"];
    assert_eq!(kept["holds"], true, "{kept}");
    assert!(kept["planned"].as_u64() > Some(60), "{kept}");
    let log: Vec<String> = drain.join().unwrap();
    let told = |text: &str| log.iter().any(|line| line.contains(text));
    assert!(
        told("the rate is now 600 in 1m0s") && told("scenario=slow"),
        "{log:?}"
    );
}

#[test]
fn the_users_of_a_running_test_can_be_changed() {
    let folder = Folder::with_script(
        "import { sleep } from 'k6';\nexport const options = { scenarios: {\n\
         still: { executor: 'constant-vus', vus: 2, duration: '60s' },\n\
         ramp: { executor: 'ramping-vus', startVUs: 1, stages: [{ duration: '60s', target: 1 }] },\n\
         all: { executor: 'shared-iterations', vus: 1, iterations: 1, exec: 'other' } } };\n\
         export default function () { if (__ITER === 0) console.log('running now'); sleep(0.02); }\n\
         export function other() {}",
    );
    let address = free_address();
    let json = ["--format", "json", "--summary-mode", "full"];
    let (child, errors) = start(&folder, &[&["--address", &address], &json[..]].concat());
    let drain = std::thread::spawn(move || errors.lines().map_while(Result::ok).collect());
    let scale =
        |arguments: &[&str]| folder.run(&[&["scale", "--address", &address], arguments].concat());
    let refused = |arguments: &[&str], reason: &str| {
        let ran = scale(arguments);
        assert!(
            ran.code != 0 && ran.stderr.contains(reason),
            "{}",
            ran.stderr
        );
    };
    let status = || folder.run(&["status", "--address", &address]).stdout;
    eventually("the start", || status().contains("vus: 3\n"));
    refused(&["--vus", "9"], "name one of ramp, still");
    refused(&["--vus", "9", "--scenario", "all"], "no scenario `all`");
    // More than planned, none, some again; and of the ramp, whose line asks for one to the end.
    for (scenario, vus, together) in [
        ("still", "9", "vus: 10\n"),
        ("ramp", "4", "vus: 13\n"),
        ("still", "0", "vus: 4\n"),
        ("still", "12", "vus: 16\n"),
        ("ramp", "0", "vus: 12\n"),
        ("still", "1", "vus: 1\n"),
        ("ramp", "2", "vus: 3\n"),
    ] {
        let ran = scale(&["--vus", vus, "--scenario", scenario]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        eventually(&format!("{vus} in {scenario}"), || {
            status().contains(together)
        });
    }
    interrupt(&child);
    let ran: Ran = child.wait_with_output().unwrap().into();
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let kept = &document["accuracy"]["conservation"];
    assert_eq!(kept["holds"], true, "{kept}");
    let log: Vec<String> = drain.join().unwrap();
    let told = log
        .iter()
        .find(|line| line.contains("the number of virtual users is now 12"));
    assert!(
        told.is_some_and(|line| line.contains("scenario=still")),
        "{log:?}"
    );
}

#[test]
fn users_that_were_sent_away_can_be_called_back_before_they_are_gone() {
    let folder = Folder::with_script(
        "import { sleep } from 'k6';\nexport const options = { scenarios: { s: {\n\
         executor: 'externally-controlled', vus: 2, maxVUs: 2, duration: '60s', gracefulStop: '40s' } } };\n\
         export default function () { if (__ITER === 0) console.log('running now'); sleep(__ITER === 0 ? 3 : 0.02); }",
    );
    let address = free_address();
    let (child, errors) = start(&folder, &["--address", &address]);
    let drain = std::thread::spawn(move || errors.lines().map_while(Result::ok).count());
    let run = |arguments: &[&str]| folder.run(&[arguments, &["--address", &address]].concat());
    for vus in ["0", "2", "0", "2"] {
        assert_eq!(run(&["scale", "--vus", vus]).code, 0);
    }
    eventually("both again", || {
        run(&["status"]).stdout.contains("vus: 2\n")
    });
    eventually("more than their first iterations", || {
        iterations(&address) > 10.0
    });
    interrupt(&child);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(105));
    drain.join().unwrap();
}

/// Iterations so far, by the API.
fn iterations(address: &str) -> f64 {
    let port = address.rsplit_once(':').unwrap().1.parse().unwrap();
    let answer = harness::receiver::get(port, "/v1/metrics/iterations");
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap_or_default();
    let sample = &answer["data"]["attributes"]["sample"];
    sample["count"].as_f64().unwrap_or_default()
}

#[test]
fn an_address_in_use_is_told_before_the_test_starts() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let folder = Folder::with_script("export default function () {}");
    let ran = folder.run(&["run", "--quiet", "--address", &address, "script.js"]);
    assert_eq!(ran.code, 106, "{}", ran.stderr);
}
