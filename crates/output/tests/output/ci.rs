//! What build servers get: files and commands.

use std::collections::BTreeMap;

use netload_output::OutputError;
use netload_output::sinks::{self, SinkOptions};

use super::support::{Run, check, example};

/// An example with names that would break every format if nobody cared.
fn odd() -> Run {
    let mut run = example();
    for (group, name, passed) in [
        ("::a | b", "is \"<ok>\" & 100%\n::error::x", false),
        ("", "`code` | pipe", false),
        ("", "fine", true),
    ] {
        let slot = run.recorder.check_slot(group, Some(name));
        run.recorder.check(slot, passed);
    }
    run
}

/// Runs a sink and returns what is in its file.
fn written(name: &str) -> String {
    let folder = std::env::temp_dir().join(format!("netload-ci-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("file");
    let spec = format!("{name}={}", file.display());
    let mut sink = sinks::open(&spec, &SinkOptions::default()).unwrap();
    assert!(!sink.wants_samples());
    odd().finish_into(&mut *sink);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    text
}

#[test]
fn junit_has_a_case_for_every_threshold_and_check() {
    check(&written("junit"), "ci_junit.xml");
}

#[test]
fn gitlab_gets_metrics_to_compare() {
    check(&written("gitlab"), "ci_gitlab.txt");
}

#[test]
fn github_and_azure_get_a_page() {
    let page = written("github");
    check(&page, "ci_summary.md");
    assert_eq!(written("azure"), page);
}

#[test]
fn github_needs_to_know_where_its_summary_is() {
    let Err(error) = sinks::open("github", &SinkOptions::default()) else {
        panic!("there is no such variable");
    };
    assert!(matches!(
        error,
        OutputError::Argument { sink: "github", .. }
    ));
    assert!(error.to_string().contains("GITHUB_STEP_SUMMARY is not set"));
    let environment = BTreeMap::from([("GITHUB_STEP_SUMMARY".to_owned(), "/x/y".to_owned())]);
    let options = SinkOptions {
        environment,
        ..SinkOptions::default()
    };
    let sink = sinks::open("github", &options).unwrap();
    assert_eq!(sink.describe(), "github (/x/y)");
}
