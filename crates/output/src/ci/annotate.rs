//! Commands that runners of GitHub and Azure find in the output of a step: what failed, beside the code or the log.
//!
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions> and
//! <https://learn.microsoft.com/azure/devops/pipelines/scripts/logging-commands>. Invariant: one line for a command, whatever names a script chooses.

use std::path::Path;

use super::{Case, CaseKind};

/// Failed thresholds are errors, failed checks warnings: only thresholds fail a run.
pub(super) fn github(cases: &[Case]) -> String {
    let command = |case: &Case| {
        let level = match case.kind {
            CaseKind::Threshold => "error",
            CaseKind::Check => "warning",
        };
        let title = property(&title(case));
        Some(format!(
            "::{level} title={title}::{}\n",
            message(&text(case)?)
        ))
    };
    cases.iter().filter_map(command).collect()
}

/// The same, and the file with the summary.
pub(super) fn azure(cases: &[Case], summary: &Path) -> String {
    let command = |case: &Case| {
        let level = match case.kind {
            CaseKind::Threshold => "error",
            CaseKind::Check => "warning",
        };
        let text = format!("{}: {}", title(case), text(case)?);
        Some(format!(
            "##vso[task.logissue type={level}]{}\n",
            azure_message(&text)
        ))
    };
    let mut commands: String = cases.iter().filter_map(command).collect();
    // The agent wants the whole path.
    let path = std::path::absolute(summary).unwrap_or_else(|_| summary.to_owned());
    let path = azure_message(&path.display().to_string());
    commands += &format!("##vso[task.uploadsummary]{path}\n");
    commands
}

fn title(case: &Case) -> String {
    let kind = match case.kind {
        CaseKind::Threshold => "threshold",
        CaseKind::Check => "check",
    };
    match case.of.as_str() {
        "" => format!("{kind} failed"),
        of => format!("{kind} failed on {of}"),
    }
}

fn text(case: &Case) -> Option<String> {
    case.failure
        .as_ref()
        .map(|why| format!("{}: {why}", case.name))
}

fn message(text: &str) -> String {
    let text = text.replace('%', "%25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

fn azure_message(text: &str) -> String {
    let text = text.replace('%', "%AZP25");
    text.replace('\r', "%0D").replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases() -> [Case; 3] {
        let case = |of: &str, name: &str, kind, failure: Option<&str>| Case {
            of: of.to_owned(),
            name: name.to_owned(),
            kind,
            failure: failure.map(str::to_owned),
        };
        [
            case(
                "http_reqs{a:b,c:d}",
                "count>9",
                CaseKind::Threshold,
                Some("it is 4"),
            ),
            case("http_reqs", "rate>1", CaseKind::Threshold, None),
            case(
                "",
                "100%\n::error::x",
                CaseKind::Check,
                Some("failed 1 of 2 times"),
            ),
        ]
    }

    #[test]
    fn commands_of_github_are_single_lines() {
        assert_eq!(
            github(&cases()),
            "::error title=threshold failed on http_reqs{a%3Ab%2Cc%3Ad}::count>9: it is 4\n\
             ::warning title=check failed::100%25%0A::error::x: failed 1 of 2 times\n"
        );
    }

    #[test]
    fn commands_of_azure_are_single_lines() {
        assert_eq!(
            azure(&cases(), Path::new("/a/b.md")),
            "##vso[task.logissue type=error]threshold failed on http_reqs{a:b,c:d}: count>9: it is 4\n\
             ##vso[task.logissue type=warning]check failed: 100%AZP25%0A::error::x: failed 1 of 2 times\n\
             ##vso[task.uploadsummary]/a/b.md\n"
        );
    }
}
