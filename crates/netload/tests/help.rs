//! Help texts and everything else that is made from the options table.

mod harness;

use std::path::Path;

use harness::{Folder, check_file, check_golden};

fn said(arguments: &[&str]) -> String {
    let ran = Folder::new().run(arguments);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    ran.stdout
}

#[test]
fn help_is_what_it_was_and_fits_80_columns() {
    for (golden, arguments) in [
        ("help.txt", vec!["--help"]),
        ("help-run.txt", vec!["run", "--help"]),
        ("help-run-short.txt", vec!["run", "-h"]),
        ("help-hit.txt", vec!["hit", "--help"]),
        ("help-new.txt", vec!["new", "--help"]),
    ] {
        let text = said(&arguments);
        let widest = text.lines().map(|l| l.chars().count()).max().unwrap_or(0);
        assert!(widest <= 80, "{arguments:?}: {widest} columns");
        check_golden(golden, &text);
    }
}

#[test]
fn without_a_command_the_help_is_shown() {
    assert_eq!(said(&[]), said(&["-h"]));
}

#[test]
fn the_reference_page_is_current() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/options.md");
    check_file(&page, &said(&["reference"]));
}

#[test]
fn completions_know_commands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = said(&["completion", shell]);
        assert!(script.contains("discard-response-bodies"), "{shell}");
        assert!(script.contains("inspect"), "{shell}");
    }
}

#[test]
fn man_pages_are_written_for_every_command() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["man", "pages"]).code, 0);
    assert!(folder.read("pages/netload.1").contains(".TH"));
    assert!(folder.read("pages/netload-run.1").contains("vus"));
}

#[test]
fn the_version_is_told_in_two_forms() {
    assert!(said(&["version"]).starts_with("netload 0."));
    assert!(said(&["version", "--json"]).contains("\"version\""));
}
