//! The life of a script: init, setup, iterations, teardown, handleSummary, and how each can fail.

mod harness;

use harness::{Test, printed};
use netload_engine::{End, Finish, ProgramError};
use serde_json::json;

#[test]
fn an_iteration_prints() {
    assert_eq!(
        printed("console.log('hello', __VU, __ITER);"),
        ["hello 1 0"]
    );
}

#[test]
fn setup_data_reaches_vus_and_teardown_as_copies() {
    let ran = Test::new(
        "export const options = { iterations: 2 };
         export function setup() { console.log('setup', __VU, __ITER); return { list: [1], when: new Date(5), gone: undefined }; }
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
