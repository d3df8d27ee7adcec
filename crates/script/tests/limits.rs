//! Scripts that never end, recurse for ever or eat all memory cost one iteration, never the process.

mod harness;

use harness::Test;
use netload_engine::{Finish, ProgramError};
use serde_json::json;

#[test]
fn an_endless_loop_is_stopped_at_the_end_of_the_test() {
    let ran = Test::new("export default function () { for (;;) {} }")
        .options(json!({ "scenarios": { "s": {
            "executor": "constant-vus", "duration": "1s", "gracefulStop": "0s" } } }))
        .run();
    ran.completed();
    assert_eq!(ran.count("iterations"), 0);
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
}

#[test]
fn a_loop_over_promises_and_a_swallowing_loop_are_stopped_too() {
    for body in [
        "async function f() { for (;;) { await null; } } return f();",
        "for (;;) { try { for (;;) {} } catch (e) {} }",
        "const again = () => setTimeout(again, 0); again();",
    ] {
        let ran = Test::new(&format!("export default function () {{ {body} }}"))
            .options(json!({ "scenarios": { "s": {
                "executor": "constant-vus", "duration": "1s", "gracefulStop": "0s" } } }))
            .run();
        ran.completed();
        assert_eq!(ran.exceptions(), Vec::<&str>::new(), "{body}");
    }
}

#[test]
fn a_busy_vu_lets_the_others_of_its_worker_run() {
    let ran = Test::new(
        "export const options = { scenarios: {
             busy: { executor: 'per-vu-iterations', exec: 'busy', maxDuration: '2s', gracefulStop: '0s' },
             other: { executor: 'per-vu-iterations', exec: 'other', iterations: 5, startTime: '200ms' },
         } };
         export function busy() { for (;;) {} }
         export function other() { console.log('other'); }",
    )
    .run();
    assert_eq!(ran.console(), ["other"; 5]);
}

#[test]
fn endless_recursion_is_a_range_error() {
    let ran = Test::new(
        "import { group, check } from 'k6';
         export const options = { iterations: 4 };
         function deep() { return deep() + 1; }
         function grouped() { group('g', grouped); }
         function checked() { check(1, { c: () => checked() }); }
         export default function () {
             const which = [deep, grouped, checked, () => { const a = []; a[0] = a; return JSON.stringify([].concat(a)) }][__ITER];
             try { which(); } catch (e) { console.log(e.name); }
         }",
    )
    .run();
    ran.completed();
    assert_eq!(
        ran.console(),
        ["RangeError", "RangeError", "RangeError", "TypeError"]
    );
}

#[test]
fn memory_is_limited_per_vu_with_a_clear_error() {
    let eat = "const kept = []; for (;;) { kept.push(new Array(1000).fill('x')); }";
    let ran = Test::new(&format!(
        "export const options = {{ iterations: 2 }};
         export default function () {{ if (__ITER === 0) {{ {eat} }} console.log('alive'); }}"
    ))
    .runtime(|r| r.memory_limit_bytes = 16 << 20)
    .run();
    ran.completed();
    assert_eq!(ran.console(), ["alive"]);
    let text = ran.exceptions()[0];
    assert!(
        text.starts_with("InternalError: out of memory (the script used more than 16 MiB)"),
        "{text}"
    );
    let error = Test::new(&format!("{eat} export default function () {{}}"))
        .runtime(|r| r.memory_limit_bytes = 16 << 20)
        .load()
        .err();
    assert!(
        matches!(&error, Some(ProgramError::Exception(t)) if t.contains("more than 16 MiB")),
        "{error:?}"
    );
}

#[test]
fn a_vu_that_fails_in_its_own_init_ends_the_run() {
    let ran =
        Test::new("if (__VU > 0) { throw new Error('only here'); } export default function () {}")
            .run();
    assert!(
        matches!(&ran.result.finish, Finish::Init(ProgramError::Exception(t)) if t.contains("only here")),
        "{:?}",
        ran.result.finish
    );
}

#[test]
fn an_interrupted_sleep_ends_the_iteration_at_once() {
    let ran = Test::new(
        "import { sleep } from 'k6';
         export default function () { try { sleep(100); } catch (e) { console.log('never'); } }",
    )
    .options(json!({ "scenarios": { "s": {
        "executor": "constant-vus", "duration": "1s", "gracefulStop": "0s" } } }))
    .run();
    ran.completed();
    assert_eq!(ran.console(), Vec::<&str>::new());
}
