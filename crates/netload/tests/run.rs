//! `netload run`, `inspect` and `new`: options, streams and exit codes, with scripts that need no server.

mod harness;

use std::io::Write;
use std::process::Stdio;

use harness::{Folder, check_golden};

/// Runs `script.js` without progress, with further arguments.
fn run(script: &str, arguments: &[&str]) -> harness::Ran {
    let all = [&["run", "--quiet"], arguments, &["script.js"]].concat();
    Folder::with_script(script).run(&all)
}

#[test]
fn exit_codes_are_those_of_k6() {
    let failing = "import { check } from 'k6';\n\
                   export const options = { thresholds: { checks: ['rate>0.5'] } };\n\
                   export default function () { check(1, { no: () => false }); }";
    for (code, arguments, script) in [
        (0, vec![], "export default function () {}"),
        (
            0,
            vec![],
            "export default function () { throw new Error('counts, but does not fail'); }",
        ),
        (99, vec![], failing),
        (0, vec!["--no-thresholds"], failing),
        (
            107,
            vec![],
            "export function setup() { throw new Error('x'); }\nexport default function () {}",
        ),
        (
            107,
            vec![],
            "export default function () {}\nexport function teardown() { throw new Error('x'); }",
        ),
        (
            108,
            vec![],
            "import exec from 'k6/execution';\nexport default function () { exec.test.abort('x'); }",
        ),
        (
            110,
            vec![],
            "import exec from 'k6/execution';\nexport default function () { exec.test.fail('x'); }",
        ),
        (
            100,
            vec![],
            "import { sleep } from 'k6';\nexport const options = { setupTimeout: '100ms' };\n\
             export function setup() { sleep(30); }\nexport default function () {}",
        ),
    ] {
        let ran = run(script, &arguments);
        assert_eq!(ran.code, code, "{script}\n{}", ran.stderr);
    }
}

#[test]
fn results_go_to_stdout_and_everything_else_to_stderr() {
    let folder = Folder::with_script("export default function () { console.log('hello'); }");
    let ran = folder.run(&["run", "--iterations", "3", "script.js"]);
    assert!(ran.stdout.contains("iterations"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("hello"));
    assert_eq!(
        ran.stderr
            .matches("level=info msg=hello source=console")
            .count(),
        3,
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr
            .contains("3 complete and 0 interrupted iterations"),
        "{}",
        ran.stderr
    );
    assert!(!ran.stdout.contains('\x1b') && !ran.stderr.contains('\x1b'));
}

#[test]
fn quiet_leaves_only_results_and_logs() {
    let ran = run("export default function () {}", &[]);
    assert_eq!(ran.stderr, "");
    let ran = run("export default function () {}", &["--no-summary"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
}

#[test]
fn a_script_can_come_from_standard_input() {
    let folder = Folder::new();
    let mut command = folder.command(&["run", "--quiet", "--summary-mode=disabled", "-"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let script = b"export default function () { console.log(`from ${__VU}`); }";
    child.stdin.take().unwrap().write_all(script).unwrap();
    let ran: harness::Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("msg=\"from 1\""), "{}", ran.stderr);
}

#[test]
fn env_is_for_the_script_and_sets_options_as_the_environment_does() {
    let script = "export default function () { console.log(`${__ENV.A} ${__ENV.K6_ITERATIONS}`); }";
    let check = |arguments: &[&str], printed: usize| {
        let ran = run(
            script,
            &[&["-e", "A=b c", "-e", "K6_ITERATIONS=5"], arguments].concat(),
        );
        let lines = ran.stderr.matches("msg=\"b c 5\"").count();
        assert_eq!(lines, printed, "{arguments:?}: {}", ran.stderr);
    };
    check(&[], 5);
    check(&["-i", "2"], 2);
    check(&["--include-system-env-vars=false"], 1);
    // An option of the program, not of the test.
    check(&["-e", "K6_LOG_OUTPUT=none"], 5);
}

#[test]
fn values_win_by_their_layer_and_inspect_tells_it() {
    let folder = Folder::with_script(
        "export const options = { batch: 2, batchPerHost: 2, maxRedirects: 2, throw: true };\n\
         export default function () {}",
    );
    folder.write(
        "config.json",
        r#"{ "batch": 1, "batchPerHost": 1, "maxRedirects": 1, "rps": 1 }"#,
    );
    let mut command = folder.command(&[
        "inspect",
        "--origins",
        "-c",
        "config.json",
        "--batch",
        "4",
        "script.js",
    ]);
    let output = command
        .env("K6_BATCH", "3")
        .env("K6_BATCH_PER_HOST", "3")
        .output()
        .unwrap();
    check_golden(
        "inspect-origins.txt",
        &String::from_utf8_lossy(&output.stdout),
    );
}

#[test]
fn inspect_prints_options_as_json() {
    let folder = Folder::with_script(
        "export const options = { vus: 3, duration: '10s', thresholds: { checks: ['rate>0.9'] } };\n\
         export default function () {}",
    );
    check_golden(
        "inspect.json",
        &folder.run(&["inspect", "script.js"]).stdout,
    );
    let ran = folder.run(&["inspect", "--execution-requirements", "script.js"]);
    check_golden("inspect-requirements.json", &ran.stdout);
}

#[test]
fn new_scripts_are_complete() {
    let folder = Folder::new();
    for template in ["minimal", "protocol"] {
        let file = format!("{template}.js");
        let ran = folder.run(&["new", "--template", template, &file]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let ran = folder.run(&["inspect", &file]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{template}");
    }
    folder.write("own.js", "// mine");
    assert_eq!(folder.run(&["new", "--template", "own.js"]).code, 0);
    assert_eq!(folder.read("script.js"), "// mine");
    assert_eq!(folder.run(&["new", "--force"]).code, 0);
    assert!(folder.read("script.js").contains("export default"));
}

#[test]
fn a_configuration_file_lies_where_the_user_keeps_it() {
    let folder = Folder::with_script("export default function () { console.log('x'); }");
    folder.write(".config/netload/config.json", r#"{ "iterations": 4 }"#);
    let ran = folder.run(&["run", "--quiet", "script.js"]);
    assert_eq!(ran.stderr.matches("msg=x").count(), 4, "{}", ran.stderr);
}

#[test]
fn logs_go_where_they_are_sent() {
    let script = "export default function () { console.log('plain'); console.warn('odd'); }";
    let folder = Folder::with_script(script);
    let ran = folder.run(&[
        "run",
        "--quiet",
        "--log-output",
        "file=all.log,level=warning",
        "script.js",
    ]);
    assert_eq!(ran.stderr, "");
    let log = folder.read("all.log");
    assert!(
        log.contains("msg=odd") && !log.contains("msg=plain"),
        "{log}"
    );

    let ran = folder.run(&["run", "--quiet", "--log-format", "json", "script.js"]);
    let first: serde_json::Value =
        serde_json::from_str(ran.stderr.lines().next().unwrap()).unwrap();
    assert_eq!(
        (first["msg"].as_str(), first["level"].as_str()),
        (Some("plain"), Some("info"))
    );

    let ran = folder.run(&[
        "run",
        "--quiet",
        "--console-output",
        "console.log",
        "script.js",
    ]);
    assert_eq!(ran.stderr, "");
    assert!(
        folder
            .read("console.log")
            .contains("level=info msg=plain\n")
    );
}

#[test]
fn the_summary_is_written_where_it_is_wanted() {
    let folder = Folder::with_script("export default function () {}");
    let ran = folder.run(&[
        "run",
        "--quiet",
        "--format",
        "json",
        "--summary-export",
        "old.json",
        "script.js",
    ]);
    let document: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(document["metrics"]["iterations"]["values"]["count"], 1);
    let old: serde_json::Value = serde_json::from_str(&folder.read("old.json")).unwrap();
    assert_eq!(old["metrics"]["iterations"]["count"], 1);

    folder.write(
        "script.js",
        "export default function () {}\nexport function handleSummary(data) {\n\
         return { stdout: `ran ${data.metrics.iterations.values.count}`, 'mine.txt': 'written', stderr: 'told' }; }",
    );
    let ran = folder.run(&["run", "--quiet", "script.js"]);
    assert_eq!(
        (ran.stdout.as_str(), ran.stderr.as_str()),
        ("ran 1", "told")
    );
    assert_eq!(folder.read("mine.txt"), "written");
}

#[test]
fn outputs_get_every_sample() {
    let folder = Folder::with_script(
        "export const options = { iterations: 7 };\nexport default function () {}",
    );
    let ran = folder.run(&[
        "run",
        "--quiet",
        "-o",
        "json=a.json",
        "-o",
        "csv=a.csv",
        "script.js",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let is_iteration = |l: &&str| l.contains("\"iterations\"") && l.contains("Point");
    assert_eq!(
        folder.read("a.json").lines().filter(is_iteration).count(),
        7
    );
    assert_eq!(
        folder
            .read("a.csv")
            .lines()
            .filter(|l| l.starts_with("iterations,"))
            .count(),
        7
    );
}

#[test]
fn metadata_stands_on_samples_and_makes_no_series() {
    let folder = Folder::with_script(
        "import exec from 'k6/execution';\nimport { Counter } from 'k6/metrics';\n\
         const mine = new Counter('mine');\n\
         export const options = { systemTags: ['iter', 'vu'] };\n\
         export default function () {\n\
           mine.add(1);\n\
           exec.vu.metrics.metadata.trace_id = 'a,b';\n\
           exec.vu.metrics.metadata.n = 3;\n\
           mine.add(2);\n\
           delete exec.vu.metrics.metadata.trace_id;\n\
           mine.add(3);\n\
         }",
    );
    let outputs = ["-o", "json=a.json", "-o", "csv=a.csv"];
    let ran = folder.run(&[&["run", "--quiet"], &outputs[..], &["script.js"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let json = folder.read("a.json");
    let points = json
        .lines()
        .filter(|l| l.contains("\"mine\"") && l.contains("Point"));
    let seen: Vec<String> = points
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|point| point["data"]["metadata"].to_string())
        .collect();
    assert_eq!(
        seen,
        [
            r#"{"iter":"0","vu":"1"}"#,
            r#"{"iter":"0","n":"3","trace_id":"a,b","vu":"1"}"#,
            r#"{"iter":"0","n":"3","vu":"1"}"#,
        ]
    );
    let csv = folder.read("a.csv");
    let mine: Vec<&str> = csv.lines().filter(|l| l.starts_with("mine,")).collect();
    assert!(
        mine[1].ends_with(r#","iter=0&n=3&trace_id=a,b&vu=1""#),
        "{}",
        mine[1]
    );
    assert!(mine[2].ends_with(",iter=0&n=3&vu=1"), "{}", mine[2]);
}
