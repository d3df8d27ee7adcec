//! The verdict on the generator, from the outside: what is said, where, and with which exit code.
//!
//! Only disturbances that do not depend on how busy the machine is; the others are in `cargo xtask verdict`.

mod harness;

use std::process::Command;

use harness::{Folder, Ran};
use netload_target::{Running, Target, TargetConfig};
use serde_json::Value;

fn target() -> Running {
    Target::start(TargetConfig::default()).unwrap()
}

fn document(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}{}", ran.stdout, ran.stderr))
}

/// A script that starts `rate` iterations per second with `vus` VUs, each with one request to `path`.
fn script(target: &Running, rate: u32, vus: u32, path: &str) -> Folder {
    Folder::with_script(&format!(
        "import http from 'k6/http';
        export const options = {{ scenarios: {{ a: {{ executor: 'constant-arrival-rate', rate: {rate}, timeUnit: '1s',
            duration: '2s', preAllocatedVUs: {vus}, gracefulStop: '0s' }} }} }};
        export default () => {{ http.get('http://{}{path}'); }};",
        target.addr()
    ))
}

#[test]
fn too_few_vus_are_told_and_are_not_the_generators_fault() {
    let target = target();
    let folder = script(&target, 100, 2, "/fixed/300ms");
    let arguments = [
        "run",
        "-q",
        "--fail-on-generator=invalid",
        "script.js",
        "--format",
        "json",
    ];
    let ran = folder.run(&arguments);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let generator = &document(&ran)["generator"];
    assert_eq!(generator["verdict"], "concurrency-bound", "{generator:#}");
    assert_eq!(generator["cause"], "all-busy");
    assert!(
        generator["meaning"]
            .as_str()
            .unwrap()
            .contains("not netload")
    );
    let evidence = generator["evidence"].as_array().unwrap();
    assert!(evidence.iter().any(|e| e["dropped"].as_u64().unwrap() > 10));
    assert!(generator["episodes"][0]["found_s"].as_f64().unwrap() <= 2.0);
}

#[test]
fn running_out_of_files_is_the_generators_fault() {
    let target = target();
    let folder = Folder::new();
    let url = format!("http://{}/fixed/1ms", target.addr());
    let hit = folder.command(&[
        "hit",
        "-q",
        "-c",
        "100",
        "-z",
        "2s",
        "--fail-on-generator",
        &url,
    ]);
    let mut limited = Command::new("/bin/sh");
    limited
        .args(["-c", "ulimit -n 40 && exec \"$@\"", "sh"])
        .arg(hit.get_program())
        .args(hit.get_args())
        .current_dir(folder.path())
        .env_clear();
    let ran: Ran = limited.output().unwrap().into();
    assert_eq!(ran.code, 111, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stderr
            .contains("the verdict on the generator is generator-bound"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("no free file descriptor"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stdout.contains("failures are not the server's"),
        "{}",
        ran.stdout
    );
}

#[test]
fn only_a_verdict_can_be_asked_about() {
    let ran = Folder::new().run(&["hit", "--fail-on-generator=clean", "http://127.0.0.1:1"]);
    assert_eq!(ran.code, 255);
    let hint = "there are disturbed, generator-bound and invalid";
    assert!(ran.stderr.contains(hint), "{}", ran.stderr);
}

#[test]
fn a_machine_is_measured_alone() {
    let folder = Folder::new();
    let ran = folder.run(&[
        "zero", "-q", "--rate", "200", "-z", "1s", "--format", "json",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let zero = document(&ran);
    assert_eq!(zero["exchanges"], 200);
    for part in ["tare_ms", "gross_ms", "lateness_ms"] {
        let [p50, max] = ["p50", "max"].map(|name| zero[part][name].as_f64().unwrap());
        assert!(0.0 < p50 && p50 <= max, "{zero:#}");
    }
    let text = folder
        .run(&["zero", "-q", "--rate", "200", "-z", "200ms"])
        .stdout;
    assert!(text.contains("200/s on up to 50 connections"), "{text}");
    assert!(text.contains("Honest"), "{text}");
}

#[test]
fn what_was_measured_alone_stands_beside_the_verdict() {
    let target = target();
    // Enough VUs for a machine that stands still for half a second.
    let folder = script(&target, 50, 25, "/");
    let ran = folder.run(&["run", "-q", "--zero", "script.js", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let document = document(&ran);
    assert_eq!(document["metrics"]["http_reqs"]["values"]["count"], 100);
    let zero = &document["generator"]["zero"];
    assert_eq!(
        (&zero["rate_per_s"], &zero["connections"]),
        (&50.into(), &25.into())
    );
}
