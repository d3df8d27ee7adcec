//! The scoreboard `docs/compatibility.md` and the list of all cases that passed.
//!
//! Both are written by `cargo xtask differential --write` and by nothing else.
//! Invariant: a case on the list may not fail, vanish or be given up again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use super::known::Known;
use super::verdict::Verdict;
use crate::{Outcome, k6, shell};

/// What the page says before the numbers.
const INTRODUCTION: &str = "\
# How compatible netload is with k6

Written by `cargo xtask differential --write`; do not edit. Every case is a piece of a k6 script of our own that runs under the
real k6 and under netload, each against a server of its own. Compared are the exit code, what the script sees and prints, the
number of samples by metric and tags, the verdict on thresholds, and the requests as the server saw them
([tests/differential](../tests/differential/README.md)).
";

/// What the page says before the list of differences.
const DIFFERENCES: &str = "\
## Deliberate differences

Where k6 does what its own documentation does not say, loses data or breaks a standard, netload does not follow. This is the
whole list that the cases show.
";

/// A module's cases, counted.
#[derive(Default)]
struct Row {
    cases: usize,
    same: usize,
    deliberate: usize,
    open: usize,
}

/// Writes the page and the list.
pub(crate) fn write(verdicts: &[Verdict], known: &Known) -> Outcome {
    std::fs::write(
        shell::root().join("docs/compatibility.md"),
        page(verdicts, known),
    )?;
    let mut names = passed(verdicts, known);
    names.extend(listed()?);
    let names: Vec<_> = names.into_iter().collect();
    std::fs::write(list(), names.join("\n") + "\n")?;
    Ok(())
}

/// A sentence for every case that passed once and is gone or given up now; one that fails is reported anyway.
pub(crate) fn lost(verdicts: &[Verdict], known: &Known) -> Result<Vec<String>, std::io::Error> {
    let mut passed = passed(verdicts, known);
    for verdict in verdicts {
        let failing = verdict.differences.keys();
        passed.extend(failing.map(|case| verdict.full_name(case)));
    }
    let lost = listed()?.into_iter().filter(|name| !passed.contains(name));
    Ok(lost
        .map(|name| format!("{name} passed once and is not there now"))
        .collect())
}

fn list() -> PathBuf {
    shell::root().join("tests/differential/passed.txt")
}

fn listed() -> Result<BTreeSet<String>, std::io::Error> {
    let text = std::fs::read_to_string(list())?;
    Ok(text.lines().map(String::from).collect())
}

fn passed(verdicts: &[Verdict], known: &Known) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for verdict in verdicts.iter().filter(|v| !known.gives_up(&v.name)) {
        let good = verdict
            .cases
            .iter()
            .filter(|case| !verdict.differences.contains_key(*case));
        names.extend(good.map(|case| verdict.full_name(case)));
    }
    names
}

fn page(verdicts: &[Verdict], known: &Known) -> String {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    for verdict in verdicts {
        let (module, _) = verdict.name.split_once('/').unwrap_or((&verdict.name, ""));
        count(rows.entry(module).or_default(), verdict, known);
    }
    let mut total = Row::default();
    let mut page = format!("{INTRODUCTION}\nCompared with k6 {}.\n\n", k6::VERSION);
    page += "| module | cases | the same | the same but for what is listed below | different |\n|---|---|---|---|---|\n";
    for (module, row) in &rows {
        total.cases += row.cases;
        total.same += row.same;
        total.deliberate += row.deliberate;
        total.open += row.open;
        page += &line(module, row);
    }
    page += &line("all", &total);
    page += &format!("\n{DIFFERENCES}\n| where | why |\n|---|---|\n");
    for (reason, scripts) in known.reasons() {
        let scripts: Vec<_> = scripts.into_iter().collect();
        // Writing into a text cannot fail.
        let _ = writeln!(page, "| {} | {reason} |", scripts.join(", "));
    }
    page
}

fn line(module: &str, row: &Row) -> String {
    format!(
        "| {module} | {} | {} | {} | {} |\n",
        row.cases, row.same, row.deliberate, row.open
    )
}

fn count(row: &mut Row, verdict: &Verdict, known: &Known) {
    for case in &verdict.cases {
        row.cases += 1;
        if known.gives_up(&verdict.name) || verdict.differences.contains_key(case) {
            row.open += 1;
        } else if verdict.deliberate.contains_key(case) {
            row.deliberate += 1;
        } else {
            row.same += 1;
        }
    }
}
