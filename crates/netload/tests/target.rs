//! The reference server as a program: what it logs, and what it says when it cannot.

mod harness;

#[cfg(target_os = "linux")]
use std::io::{BufRead, BufReader, Read};
#[cfg(target_os = "linux")]
use std::process::Stdio;

use harness::Folder;
#[cfg(target_os = "linux")]
use netload_target::ServiceLog;

#[cfg(target_os = "linux")]
#[test]
fn the_log_holds_what_hit_sent_and_hit_tells_the_same_times() {
    let folder = Folder::new();
    let arguments = ["target", "--listen", "127.0.0.1:0", "--workers", "1"];
    let mut command = folder.command(&[&arguments[..], &["--log", "served.bin"]].concat());
    let mut target = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(target.stdout.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    let url = line.trim().strip_prefix("listening on ").unwrap();
    let url = format!("{url}/fixed/20ms");
    let hit = ["hit", "--quiet", "--format", "json", "-n", "60", "-c", "3"];
    let ran = folder.run(&[&hit[..], &[&url]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let id = target.id().to_string();
    let mut kill = std::process::Command::new("kill");
    assert!(kill.args(["-INT", &id]).status().unwrap().success());
    assert!(target.wait().unwrap().success());
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    assert!(
        rest.starts_with("60 requests logged to served.bin; "),
        "{rest}"
    );

    let log = ServiceLog::read(&folder.path().join("served.bin")).unwrap();
    assert_eq!((log.served.len(), log.left_out), (60, 0));
    let times = log.served.iter().map(|s| s.service_ns().unwrap());
    let least = times.min().unwrap() as f64 / 1e6;
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    let told = &document["metrics"]["http_req_duration"]["values"];
    let min = told["min"].as_f64().unwrap();
    // However busy this machine is, and whatever it does to both programs: net is at least what the server's kernel saw.
    // Half a millisecond is allowed for the assumed way of requests to the device.
    assert!(min > least - 0.5, "{min} told, {least} served");
    assert!(least >= 20.0, "{least} served");
}

#[test]
fn a_log_that_cannot_be_written_is_told_before_it_listens() {
    let ran = Folder::new().run(&["target", "--listen", "127.0.0.1:0", "--log", "no/such/log"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (255, ""));
    assert!(
        ran.stderr
            .starts_with("error: cannot write no/such/log: No such file"),
        "{}",
        ran.stderr
    );
}
