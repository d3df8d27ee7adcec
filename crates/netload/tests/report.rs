//! The report as a file: asked for before the run by option, output or variable, and afterwards from the store.

mod harness;

use harness::{Folder, Ran};
use netload_target::{Running, Target, TargetConfig};

const SCRIPT: &str = "import http from 'k6/http';\nexport const options = { iterations: 3 };\n\
                      export default function () { http.get(__ENV.BASE_URL); }\n";

fn target() -> Running {
    Target::start(TargetConfig::default()).unwrap()
}

/// Runs a script with three requests here; `store` says whether runs are kept.
fn run(folder: &Folder, target: &Running, store: bool, arguments: &[&str]) -> Ran {
    let mut command = folder.command(arguments);
    command.env("BASE_URL", format!("http://{}/", target.addr()));
    if store {
        keep(&mut command);
    }
    command.output().unwrap().into()
}

fn keep(command: &mut std::process::Command) {
    command
        .env("NETLOAD_NO_STORE", "")
        .env("NETLOAD_STORE", "runs.db");
}

/// Whether a text is a report of that script's run: whole, with its result in words and its data.
fn check_report(html: &str) {
    assert!(html.starts_with("<!DOCTYPE html>") && html.trim_end().ends_with("</html>"));
    assert!(html.contains("<h1>script.js</h1>"));
    assert!(html.contains("3 requests, 0 failed, 3 iterations"));
    assert!(html.contains("id=\"data\""));
}

#[test]
fn a_report_needs_no_store() {
    let target = target();
    for arguments in [
        &["run", "--quiet", "--report", "out.html", "script.js"][..],
        &["run", "--quiet", "-o", "report=out.html", "script.js"],
        &["run", "--quiet", "--out", "html=out.html", "script.js"],
    ] {
        let folder = Folder::with_script(SCRIPT);
        let ran = run(&folder, &target, false, arguments);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        check_report(&folder.read("out.html"));
        assert!(!folder.path().join("runs.db").exists());
    }
}

#[test]
fn the_variable_of_k6_asks_for_a_report() {
    let (folder, target) = (Folder::with_script(SCRIPT), target());
    let mut command = folder.command(&["run", "--quiet", "script.js"]);
    command
        .env("BASE_URL", format!("http://{}/", target.addr()))
        .env("K6_WEB_DASHBOARD_EXPORT", "out.html");
    let ran: Ran = command.output().unwrap().into();
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    check_report(&folder.read("out.html"));
}

#[test]
fn a_test_that_failed_has_a_report_too() {
    let (folder, target) = (Folder::with_script(SCRIPT), target());
    folder.write(
        "script.js",
        &SCRIPT.replace(
            "iterations: 3",
            "iterations: 3, thresholds: { http_reqs: ['count > 3'] }",
        ),
    );
    let ran = run(
        &folder,
        &target,
        false,
        &["run", "--quiet", "--report", "out.html", "script.js"],
    );
    assert_eq!(ran.code, 99, "{}", ran.stderr);
    let html = folder.read("out.html");
    check_report(&html);
    assert!(html.contains("<p>Failed: "));
}

#[test]
fn a_run_that_was_kept_becomes_a_report_afterwards() {
    let (folder, target) = (Folder::with_script(SCRIPT), target());
    let ran = run(&folder, &target, true, &["run", "--quiet", "script.js"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report = |arguments: &[&str]| -> Ran {
        let mut command = folder.command(&[&["report"], arguments].concat());
        keep(&mut command);
        command.output().unwrap().into()
    };
    let named = report(&["last"]);
    assert_eq!(named.code, 0, "{}", named.stderr);
    let file = named.stdout.trim();
    assert!(
        file.starts_with("netload-") && file.ends_with(".html"),
        "{file}"
    );
    check_report(&folder.read(file));
    // Without a name the last one; another file, or the standard output.
    assert_eq!(report(&["-o", "other.html"]).stdout, "other.html\n");
    let piped = report(&["-o", "-"]);
    check_report(&piped.stdout);
    assert_eq!(piped.stdout, folder.read("other.html"));
    let none = report(&["last~1"]);
    assert_eq!(none.code, 255, "{}", none.stdout);
    assert!(none.stderr.contains("last~1"), "{}", none.stderr);
}

#[test]
fn a_report_that_cannot_be_written_is_told_before_the_run() {
    let (folder, target) = (Folder::with_script(SCRIPT), target());
    let ran = run(
        &folder,
        &target,
        false,
        &[
            "run",
            "--quiet",
            "--report",
            "no/such/out.html",
            "script.js",
        ],
    );
    assert_eq!(ran.code, 255, "{}", ran.stdout);
    assert!(
        ran.stderr
            .contains("cannot write the report to `no/such/out.html`"),
        "{}",
        ran.stderr
    );
    assert_eq!(target.connections(), 0);
}
