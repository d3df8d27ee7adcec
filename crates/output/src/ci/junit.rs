//! JUnit's XML, as Jenkins, GitLab, Azure and GitHub's actions read it.
//!
//! Two suites, thresholds and checks, with one case each. <https://github.com/testmoapp/junitxml>. Invariant: always well-formed,
//! whatever names a script chooses.

use std::fmt::Write;

use netload_metrics::Summary;

use super::{Case, CaseKind, cases};

pub(super) fn render(summary: &Summary) -> String {
    let cases = cases(summary);
    let seconds = summary.elapsed_ns as f64 / 1e9;
    let mut xml = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Writing into memory cannot fail.
    let _ = writeln!(
        xml,
        "<testsuites name=\"netload\" {} time=\"{seconds:.3}\">",
        counts(&cases.iter().collect::<Vec<_>>())
    );
    for (name, kind) in [
        ("thresholds", CaseKind::Threshold),
        ("checks", CaseKind::Check),
    ] {
        let of_kind: Vec<&Case> = cases.iter().filter(|c| c.kind == kind).collect();
        if !of_kind.is_empty() {
            suite(name, &of_kind, seconds, &mut xml);
        }
    }
    xml += "</testsuites>\n";
    xml
}

fn counts(cases: &[&Case]) -> String {
    let failures = cases.iter().filter(|c| c.failure.is_some()).count();
    format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"0\"",
        cases.len()
    )
}

fn suite(name: &str, cases: &[&Case], seconds: f64, xml: &mut String) {
    let _ = writeln!(
        xml,
        "  <testsuite name=\"{name}\" {} skipped=\"0\" time=\"{seconds:.3}\">",
        counts(cases)
    );
    for case in cases {
        let of = match case.of.as_str() {
            "" => name.to_owned(),
            of => format!("{name}.{of}"),
        };
        let head = format!(
            "    <testcase classname=\"{}\" name=\"{}\" time=\"0\"",
            escaped(&of),
            escaped(&case.name)
        );
        let _ = match &case.failure {
            None => writeln!(xml, "{head}/>"),
            Some(text) => writeln!(
                xml,
                "{head}>\n      <failure message=\"{}\" type=\"{name}\"/>\n    </testcase>",
                escaped(text)
            ),
        };
    }
    *xml += "  </testsuite>\n";
}

/// Without what ends an attribute, and without the characters that XML does not have.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
