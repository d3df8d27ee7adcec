//! The life of a script: init, setup, iterations, teardown, handleSummary, and how each can fail.

mod harness;

use harness::{Test, printed};
use netload_engine::{End, Finish, ProgramError};
use serde_json::json;

#[test]
fn an_iteration_knows_its_vu_and_its_number() {
    assert_eq!(
        printed("console.log('hello', __VU, __ITER);"),
        ["hello 1 0"]
    );
}

#[test]
fn setup_data_reaches_vus_and_teardown_as_copies() {
    let ran = Test::new(
        "export const options = { iterations: 2 };
         export function setup() {
             console.log('setup', __VU, __ITER);
             return { list: [1], when: new Date(5), gone: undefined };
         }
         export default function (data) { data.list.push(2); console.log(JSON.stringify(data)); }
         export function teardown(data) { console.log('teardown', JSON.stringify(data)); }",
    )
    .run();
    ran.completed();
    assert_eq!(
        ran.console(),
        [
            "setup 0 undefined",
            r#"{"list":[1,2],"when":"1970-01-01T00:00:00.005Z"}"#,
            r#"{"list":[1,2,2],"when":"1970-01-01T00:00:00.005Z"}"#,
            r#"teardown {"list":[1],"when":"1970-01-01T00:00:00.005Z"}"#,
        ]
    );
}

#[test]
fn asynchronous_life_cycle_functions_are_awaited() {
    let ran = Test::new(
        "const later = (value) => new Promise((done) => setTimeout(() => done(value), 1));
         const top = await later('top');
         export async function setup() { return await later({ top }); }
         export default async function (data) { console.log(await later('in'), data.top); }
         export async function teardown(data) { await later(); console.log('out', data.top); }",
    )
    .run();
    ran.completed();
    assert_eq!(ran.console(), ["in top", "out top"]);
}

#[test]
fn setup_without_result_gives_undefined() {
    let ran = Test::new(
        "export function setup() {}
         export default function (data) { console.log(data); }",
    )
    .run();
    assert_eq!(ran.console(), ["undefined"]);
}

#[test]
fn scenarios_call_their_functions_with_their_environment() {
    let ran = Test::new(
        "export const options = { scenarios: {
             first: { executor: 'shared-iterations', exec: 'one', env: { WHO: 'first' } },
             second: { executor: 'shared-iterations', exec: 'two', env: { WHO: 'second' }, startTime: '200ms' },
         } };
         console.log('init', __ENV.WHO, __ENV.GIVEN);
         export function one() { console.log('one', __ENV.WHO, __ENV.GIVEN); }
         export function two() { console.log('two', __ENV.WHO, __ENV.GIVEN); }",
    )
    .runtime(|r| r.env = vec![("GIVEN".into(), "x".into()), ("WHO".into(), "env".into())])
    .run();
    ran.completed();
    let mut lines = ran.console();
    lines.retain(|l| !l.starts_with("init"));
    assert_eq!(lines, ["one first x", "two second x"]);
}

#[test]
fn a_failing_setup_ends_the_run_without_teardown() {
    let ran = Test::new(
        "export function setup() { throw new Error('no database'); }
         export default function () { console.log('never'); }
         export function teardown() { console.log('never'); }",
    )
    .run();
    let Finish::Setup(ProgramError::Exception(text)) = &ran.result.finish else {
        panic!("{:?}", ran.result.finish);
    };
    assert!(
        text.starts_with("Error: no database\n\tat setup (file:///scripts/-:1:"),
        "{text}"
    );
    assert_eq!(ran.console(), Vec::<&str>::new());
}

#[test]
fn setup_that_outlives_its_time_is_stopped() {
    let ran = Test::new(
        "import { sleep } from 'k6';
         export function setup() { sleep(100); }
         export default function () {}",
    )
    .options(json!({ "setupTimeout": "50ms" }))
    .run();
    assert!(
        matches!(&ran.result.finish, Finish::Setup(ProgramError::Timeout(_))),
        "{:?}",
        ran.result.finish
    );
}

#[test]
fn exceptions_end_the_iteration_not_the_test() {
    let ran = Test::new(
        "export const options = { iterations: 3 };
         export default function () { if (__ITER === 1) { throw new Error('once'); } console.log(__ITER); }",
    )
    .run();
    ran.completed();
    assert_eq!(ran.console(), ["0", "2"]);
    assert_eq!(ran.count("iterations"), 3);
    assert_eq!(ran.exceptions().len(), 1);
}

#[test]
fn an_aborted_test_says_why_and_still_tears_down() {
    let ran = Test::new(
        "import exec from 'k6/execution';
         export const options = { iterations: 5 };
         export default function () { try { exec.test.abort('enough'); } finally { console.log('never'); } }
         export function teardown() { console.log('teardown'); }",
    )
    .run();
    let end = Finish::Ended(End::Script("test aborted: enough".into()));
    assert_eq!(ran.result.finish, end);
    assert_eq!(ran.console(), ["teardown"]);
    assert_eq!(ran.count("iterations"), 1, "no further one starts");
}

#[test]
fn handle_summary_returns_documents() {
    let ran = Test::new(
        "export default function () {}
         export function handleSummary(data) {
             return { stdout: `count ${data.count}`, 'out.bin': new Uint8Array([1, 2]).buffer };
         }",
    )
    .summary(r#"{"count": 3}"#)
    .run();
    let expected = vec![
        ("stdout".to_owned(), b"count 3".to_vec()),
        ("out.bin".to_owned(), vec![1, 2]),
    ];
    assert_eq!(ran.result.documents, Some(expected));
}

#[test]
fn a_script_must_export_a_function() {
    let load = |script: &str| Test::new(script).load().err().map(|e| e.to_string());
    assert_eq!(
        load("export const options = {};").unwrap(),
        "file:///scripts/- exports no function; write 'export default function () { ... }'"
    );
    assert_eq!(
        load("export default 5; export function other() {}").unwrap(),
        "the exported 'default' of file:///scripts/- must be a function"
    );
    assert_eq!(load("export function other() {}"), None);
}

#[test]
fn options_are_found_as_json() {
    let (script, options) = Test::new(
        "export const options = { vus: 1 + 1, stages: [{ duration: '1s', target: 3 }], nothing: undefined };
         export default function () {}
         export function other() {}",
    )
    .load()
    .unwrap();
    assert_eq!(
        options,
        json!({ "vus": 2, "stages": [{ "duration": "1s", "target": 3 }] })
    );
    assert_eq!(script.functions(), ["default", "other"]);
    assert!(script.has_function("other") && !script.has_function("options"));
}

#[test]
fn a_missing_function_fails_the_iteration_with_its_name() {
    let ran = Test::new(
        "export const options = { scenarios: { s: { executor: 'shared-iterations', exec: 'nope' } } };
         export default function () {}",
    )
    .run();
    assert!(
        ran.exceptions()[0].contains("function 'nope' not found in exports"),
        "{:?}",
        ran.exceptions()
    );
}
