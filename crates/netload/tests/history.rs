//! Runs that are kept: listed, found again after a kill, compared, and what stands out in them.

mod harness;

use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use harness::{Folder, Ran, unbroken};
use netload_record::Key;
use netload_store::Store;
use netload_target::{Running, Target, TargetConfig};
use serde_json::Value;

fn target() -> Running {
    Target::start(TargetConfig::default()).unwrap()
}

/// Runs the binary here, with a store.
fn run(folder: &Folder, arguments: &[&str]) -> Ran {
    let mut command = folder.command(arguments);
    command
        .env("NETLOAD_NO_STORE", "")
        .env("NETLOAD_STORE", "runs.db");
    command.output().unwrap().into()
}

/// Sends requests for that long and keeps them.
fn hit(folder: &Folder, target: &Running, path: &str, arguments: &[&str]) -> Ran {
    let url = format!("http://{}{path}", target.addr());
    run(
        folder,
        &[&["hit", "--quiet", "-c", "4"], arguments, &[url.as_str()]].concat(),
    )
}

fn history(folder: &Folder, arguments: &[&str]) -> Value {
    let ran = run(folder, &[&["history", "--json"], arguments].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    serde_json::from_str::<Value>(&ran.stdout).unwrap()["runs"].clone()
}

#[test]
fn a_run_is_listed_with_its_numbers_and_forgotten_when_asked() {
    let (folder, target) = (Folder::new(), target());
    assert_eq!(
        hit(
            &folder,
            &target,
            "/",
            &["-n", "50", "--label", "branch=main"]
        )
        .code,
        0
    );
    assert_eq!(
        hit(
            &folder,
            &target,
            "/",
            &["-n", "20", "--label", "branch=fix"]
        )
        .code,
        0
    );
    let runs = history(&folder, &["--label", "branch=main"]);
    assert_eq!(runs.as_array().unwrap().len(), 1);
    assert_eq!(
        (&runs[0]["state"], &runs[0]["exit_code"]),
        (&"finished".into(), &0.into())
    );
    assert!(runs[0]["rate"].as_f64().unwrap() > 0.0 && runs[0]["p95_ms"].as_f64().unwrap() > 0.0);
    let store = Store::open_existing(&folder.path().join("runs.db")).unwrap();
    let record = store.load(runs[0]["id"].as_str().unwrap()).unwrap();
    assert_eq!(
        record.total(&Key::whole("http_reqs")).unwrap().samples(),
        50
    );
    assert_eq!(record.head.command, "hit");
    assert_eq!(
        record.tail.unwrap().document["metrics"]["http_reqs"]["values"]["count"],
        50
    );
    let table = run(&folder, &["history"]).stdout;
    assert!(
        table.lines().all(|line| line.chars().count() <= 80),
        "{table}"
    );
    assert!(table.contains("@main") && table.contains("@fix"), "{table}");
    assert_eq!(
        run(&folder, &["history", "--delete", "last"]).stdout,
        "1 run forgotten\n"
    );
    assert_eq!(history(&folder, &[]).as_array().unwrap().len(), 1);
}

#[test]
fn a_run_with_a_script_is_kept_with_its_script_and_checks() {
    let folder = Folder::with_script(
        "import { check } from 'k6';\nexport const options = { iterations: 3 };\n\
         export default function () { check(1, { 'is one': (n) => n === 1 }); }\n",
    );
    let ran = run(&folder, &["run", "--quiet", "script.js"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let id = history(&folder, &[])[0]["id"].as_str().unwrap().to_owned();
    let store = Store::open_existing(&folder.path().join("runs.db")).unwrap();
    let record = store.load(&id).unwrap();
    assert!(record.head.script.unwrap().contains("is one"));
    assert_eq!(record.head.title, "script.js");
    assert!(
        record
            .keys
            .iter()
            .any(|key| key.metric == "checks" && !key.part.is_by_second())
    );
}

/// Waits until something holds; a busy machine may take its time.
fn wait(what: &str, mut holds: impl FnMut() -> bool) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < patience, "never {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn has_run(file: &Path) -> bool {
    Store::open_existing(file).is_ok_and(|store| store.select("last").is_ok())
}

#[test]
fn a_killed_run_loses_at_most_its_last_second() {
    let (folder, target) = (Folder::new(), target());
    let url = format!("http://{}/", target.addr());
    let mut command = folder.command(&["hit", "--quiet", "-r", "50", "-z", "10m", &url]);
    command
        .env("NETLOAD_NO_STORE", "")
        .env("NETLOAD_STORE", "runs.db");
    let mut child: Child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = folder.path().join("runs.db");
    wait("begun", || has_run(&file));
    // SIGKILL: the process has no chance to tidy up.
    std::thread::sleep(Duration::from_millis(4500));
    child.kill().unwrap();
    child.wait().unwrap();
    let store = Store::open_existing(&file).unwrap();
    let id = store.select("last").unwrap().remove(0);
    let record = store.load(&id).unwrap();
    // Three and a half seconds, less what a busy machine may need to start the load.
    assert!(
        record.elapsed_ns() >= 3_000_000_000,
        "{}",
        record.elapsed_ns()
    );
    assert!(record.tail.is_none());
    // No second lasts several, also when moments are missed.
    let longest = record.seconds.iter().map(|frame| frame.span_ns).max();
    assert!(longest < Some(2_000_000_000), "{longest:?}");
    let ends: Vec<u64> = record
        .seconds
        .iter()
        .map(|frame| frame.until_ns())
        .collect();
    assert!(
        record.seconds[1..]
            .iter()
            .zip(&ends)
            .all(|(next, end)| next.at_ns.abs_diff(*end) < 50_000_000)
    );
    wait("told as killed", || {
        history(&folder, &[])[0]["state"] == "interrupted"
    });
    assert!(run(&folder, &["history"]).stdout.contains("killed"));
}

#[test]
fn two_runs_are_compared_and_the_worse_one_fails_the_job() {
    let target = target();
    let compared = || {
        let folder = Folder::new();
        for (path, branch) in [("/delay/10ms", "main"), ("/delay/30ms", "fix")] {
            let label = format!("branch={branch}");
            let load = ["-z", "7s", "-r", "100", "--label", &label];
            let ran = hit(&folder, &target, path, &load);
            assert_eq!(ran.code, 0, "{}", ran.stderr);
        }
        let against = ["compare", "--against", "main", "--fail-on", "worse"];
        let ran = run(&folder, &against);
        (folder, ran)
    };
    // On a busy machine the generator is disturbed now and then, and nothing can be told: then it is done again.
    let is_told = |ran: &Ran| !ran.stdout.contains("CANNOT TELL");
    let (folder, ran) = (0..3)
        .map(|_| compared())
        .find(|(_, ran)| is_told(ran))
        .unwrap_or_else(compared);
    assert!(ran.stdout.contains("WORSE"), "{}", ran.stdout);
    assert_eq!(ran.code, 112, "{}", ran.stderr);
    let text = unbroken(&ran.stderr);
    assert!(
        text.contains("worse than the baseline. Against ")
            && text.contains("p95 of http_req_duration +"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stdout.lines().all(|line| line.chars().count() <= 80),
        "{}",
        ran.stdout
    );
    // The finding `changed`, which a run that got better does not have.
    let compare = |sides: [&str; 2]| {
        let ran = run(&folder, &["compare", sides[0], sides[1], "--json"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        serde_json::from_str::<Value>(&ran.stdout).unwrap()
    };
    let worse = compare(["branch=main", "branch=fix"]);
    assert_eq!(worse["verdict"], "worse");
    assert_eq!(worse["findings"][0]["rule"], "changed");
    assert_eq!(worse["findings"][0]["severity"], "problem");
    let better = compare(["branch=fix", "branch=main"]);
    assert_eq!(better["verdict"], "better");
    assert_eq!(better["findings"], Value::Array(Vec::new()));
}

#[test]
fn wrong_names_are_told() {
    let (folder, target) = (Folder::new(), target());
    let nothing = run(&folder, &["history"]);
    assert_eq!(nothing.code, 255);
    assert!(
        nothing
            .stderr
            .contains("there is no store of runs at `runs.db`"),
        "{}",
        nothing.stderr
    );
    hit(&folder, &target, "/", &["-n", "1"]);
    let told = |arguments: &[&str], words: &str| {
        let ran = run(&folder, arguments);
        assert_eq!(ran.code, 255, "{}", ran.stdout);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
    };
    told(&["compare", "last", "last"], "both sides are the same run");
    told(
        &["compare", "--against", "main"],
        "there is no run `main` and none of a branch `main`",
    );
    told(&["compare", "a", "b", "c"], "two runs are compared");
    told(
        &["compare", "--margin", "lots"],
        "`lots` is no share such as 5%",
    );
    told(&["history", "--label", "branch"], "`branch` is no label");
    told(&["history", "--prune", "5 parsec"], "is not a unit of size");
}

#[test]
fn a_store_that_cannot_be_written_costs_a_warning_and_not_the_run() {
    let (folder, target) = (Folder::new(), target());
    folder.write(
        "runs.db",
        &"this is no database, and it is longer than a header. ".repeat(20),
    );
    let ran = hit(&folder, &target, "/", &["-n", "5"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr.contains("this run is not kept"),
        "{}",
        ran.stderr
    );
    assert!(folder.read("runs.db").starts_with("this is no database"));
}

#[test]
fn what_stands_out_is_told_below_the_summary() {
    let (folder, target) = (Folder::new(), target());
    let ran = hit(&folder, &target, "/status/503", &["-n", "500"]);
    let text = unbroken(&ran.stdout);
    assert!(
        ran.stdout
            .contains("! Requests fail from the start: 100 % of the first"),
        "{}",
        ran.stdout
    );
    assert!(text.contains("mostly with status 503"), "{}", ran.stdout);
    let ran = hit(&folder, &target, "/", &["-n", "500"]);
    assert!(!ran.stdout.contains("Requests fail"), "{}", ran.stdout);
}
