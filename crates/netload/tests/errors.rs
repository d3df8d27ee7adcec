//! What the user reads and the caller gets when something is wrong: one sentence, a place, a hint, k6's exit code.

mod harness;

use std::fmt::Write;

use harness::{Folder, check_golden};

const EMPTY: &str = "export default function () {}";

fn folder() -> Folder {
    let folder = Folder::with_script(EMPTY);
    folder.write(
        "throws.js",
        "\n  nothing.at.all;\nexport default function () {}",
    );
    folder.write("syntax.js", "export default function () { let = ; }");
    folder.write(
        "import.js",
        "import './missing.js';\nexport default function () {}",
    );
    folder.write("none.js", "const a = 1;");
    folder.write(
        "setup.js",
        "export function setup() { throw new Error('no'); }\nexport default function () {}",
    );
    folder.write(
        "scenario.js",
        "export const options = { scenarios: { a: { executor: 'constant-vus', vuss: 1, duration: '1s' } } };\n\
         export default function () {}",
    );
    folder.write(
        "exec.js",
        "export const options = { scenarios: { a: { executor: 'constant-vus', duration: '1s', exec: 'brwse' } } };\n\
         export function browse() {}",
    );
    folder.write(
        "threshold.js",
        "export const options = { thresholds: { http_req_duraton: ['p(95)<1'], checks: ['p(95)<1'] } };\n\
         export default function () {}",
    );
    folder.write(
        "everything.js",
        "export const options = { vus: -1, thresholds: { nothing: ['count>1'], http_reqs: ['cuont>1'], checks: ['rate>1'] } };\n\
         export default function () {}",
    );
    folder.write("config.json", "{ \"vus\": true }");
    folder
}

#[test]
fn errors_say_what_where_and_what_to_do() {
    let folder = folder();
    let mut text = String::new();
    for line in [
        "frob",
        "script.js",
        "--vus 3",
        "run",
        "run a.js b.js",
        "run missing.js",
        "run .",
        "run --vuss 3 script.js",
        "run --vus x script.js",
        "run --duration 5 script.js",
        "run --stage 10 script.js",
        "run --tag foo script.js",
        "run --vus",
        "run --no-setup=maybe script.js",
        "run --vus 0 script.js",
        "run --iterations 1 --vus 2 script.js",
        "run --out foo script.js",
        "run --out kafka script.js",
        "run --summary-mode some script.js",
        "run --log-format some script.js",
        "run --log-output loki script.js",
        "run --config missing.json script.js",
        "run --config config.json script.js",
        "run --type archive script.js",
        "run --workers 0 script.js",
        "run throws.js",
        "run syntax.js",
        "run import.js",
        "run none.js",
        "run --quiet --summary-mode disabled setup.js",
        "run scenario.js",
        "run exec.js",
        "run threshold.js",
        "run everything.js",
        "inspect --execution-requirements threshold.js",
        "archive threshold.js",
        "run -e A-B=1 script.js",
        "hit",
        "hit ftp://127.0.0.1/",
        "hit http:///path",
        "hit --rate fast 127.0.0.1",
        "hit --requests 0 127.0.0.1",
        "hit --header broken 127.0.0.1",
        "hit --data @missing 127.0.0.1",
        "hit --resolve a 127.0.0.1",
        "hit --threshold p(95)<<5 127.0.0.1",
        "hit --threshold nothing:count>5 127.0.0.1",
        "hit --cacert missing.pem 127.0.0.1",
        "hit -4 -6 127.0.0.1",
        "new script.js",
        "new --template missing other.js",
        "completion",
        "completion ksh",
        "scale",
        "status --address 127.0.0.1:1",
        "version extra",
    ] {
        let ran = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.stdout, "", "{line}");
        let stderr = ran
            .stderr
            .replace(&folder.path().display().to_string(), "FOLDER");
        // What the script crate says about exceptions is held by its own tests.
        let stderr = match (ran.code, stderr.split_once('\n')) {
            (107, Some((first, _))) => format!("{first}\n"),
            _ => stderr,
        };
        let _ = write!(text, "$ netload {line}\n{stderr}exit {}\n\n", ran.code);
    }
    check_golden("errors.txt", &text);
}

#[test]
fn a_bad_variable_is_bad_configuration() {
    let folder = folder();
    let mut command = folder.command(&["run", "script.js"]);
    let output = command.env("K6_DURATION", "abc").output().unwrap();
    assert_eq!(output.status.code(), Some(104));
    assert!(String::from_utf8_lossy(&output.stderr).contains("K6_DURATION"));
}
