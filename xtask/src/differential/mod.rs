//! `cargo xtask differential`: our own scripts under the real k6 and under
//! netload, against the same server, and everything observable compared.
//!
//! The scripts are in `tests/differential/scripts`; `tests/differential/README.md`
//! explains how to write one. Invariant: every difference is either reported
//! or listed with its reason in `tests/differential/known-differences.txt`.

mod case;
mod known;
mod observe;
mod run;
mod wire;

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use crate::ci::Count;
use crate::{Outcome, k6, shell};
use case::Case;
use known::Known;
use run::Tool;

type Failure = Box<dyn std::error::Error>;

/// What one run of one script showed: sorted lines per aspect.
pub(crate) type Observation = BTreeMap<String, Vec<String>>;

const HELP: &str = "cargo xtask differential [OPTIONS] [NAME...]

  NAME             only scripts whose name contains this
  --fresh          run k6 even if its behaviour on this script is remembered
  --self           compare k6 with k6: shows scripts that are not deterministic
  --profile NAME   the cargo profile netload is built with (release)
  --binary PATH    this netload instead of building one
  --jobs N         scripts at the same time (2)
  --show           print all that was observed";

/// The options of this command.
struct Options {
    names: Vec<String>,
    fresh: bool,
    subject: Subject,
    jobs: usize,
    show: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            names: Vec::new(),
            fresh: false,
            subject: Subject::Profile("release".into()),
            jobs: 2,
            show: false,
        }
    }
}

/// What is compared with k6.
enum Subject {
    K6Itself,
    Profile(String),
    Binary(PathBuf),
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let Some(options) = parse(arguments)? else {
        println!("{HELP}");
        return Ok(());
    };
    match compare_selected(&options)?.failed {
        0 => Ok(()),
        _ => Err("netload and k6 differ".into()),
    }
}

/// All scripts, with nothing remembered: what `cargo xtask ci` does.
pub(crate) fn count() -> Result<Count, Failure> {
    let options = Options {
        fresh: true,
        ..Options::default()
    };
    compare_selected(&options)
}

fn compare_selected(options: &Options) -> Result<Count, Failure> {
    let oracle = Tool::k6(k6::path()?, options.fresh);
    let subject = match &options.subject {
        Subject::K6Itself => Tool::k6(k6::path()?, true),
        Subject::Profile(profile) => Tool::netload(shell::netload(profile)?),
        Subject::Binary(path) => Tool::netload(std::path::absolute(path)?),
    };
    let folder = shell::root().join("tests/differential");
    let known = Known::read(&folder.join("known-differences.txt"))?;
    let cases = selected(&folder.join("scripts"), &options.names)?;
    let start = Instant::now();
    let mut verdicts = compare_all(&cases, &oracle, &subject, &known, options);
    verdicts.sort_by(|a, b| a.name.cmp(&b.name));
    let count = report(&verdicts, start);
    if options.names.is_empty() && count.failed == 0 {
        known
            .idle()
            .for_each(|entry| println!("no longer needed: {entry}"));
    }
    Ok(count)
}

fn parse(arguments: &[String]) -> Result<Option<Options>, Failure> {
    let mut options = Options::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--fresh" => options.fresh = true,
            "--self" => options.subject = Subject::K6Itself,
            "--profile" => options.subject = Subject::Profile(value()?.clone()),
            "--binary" => options.subject = Subject::Binary(value()?.into()),
            "--jobs" => options.jobs = value()?.parse::<usize>()?.max(1),
            "--show" => options.show = true,
            unknown if unknown.starts_with('-') => {
                return Err(format!("unknown option {unknown}\n\n{HELP}").into());
            }
            name => options.names.push(name.to_owned()),
        }
    }
    Ok(Some(options))
}

fn selected(folder: &Path, names: &[String]) -> Result<Vec<Case>, Failure> {
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "js" || extension == "ts")
        {
            cases.push(Case::read(&path)?);
        }
    }
    cases.retain(|case| names.is_empty() || names.iter().any(|name| case.name.contains(name)));
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    if cases.is_empty() {
        return Err("no such script in tests/differential/scripts".into());
    }
    Ok(cases)
}

/// How one script compared.
struct Verdict {
    name: String,
    /// Lines to show; empty when all is equal.
    differences: Vec<String>,
    /// Differences that are listed as deliberate.
    deliberate: usize,
    /// 2 when the first attempt differed.
    attempts: usize,
    seconds: f64,
}

fn compare_all(
    cases: &[Case],
    oracle: &Tool,
    subject: &Tool,
    known: &Known,
    options: &Options,
) -> Vec<Verdict> {
    // Scripts that take long go first, so that none is left over at the end.
    let mut order: Vec<&Case> = cases.iter().collect();
    order.sort_by_key(|case| std::cmp::Reverse(case.seconds));
    let queue = Mutex::new(VecDeque::from(order));
    let verdicts = Mutex::new(Vec::new());
    let next = || queue.lock().ok().and_then(|mut queue| queue.pop_front());
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                while let Some(case) = next() {
                    let verdict = compare(case, oracle, subject, known, options.show);
                    print_line(&verdict);
                    if let Ok(mut verdicts) = verdicts.lock() {
                        verdicts.push(verdict);
                    }
                }
            });
        }
    });
    verdicts.into_inner().unwrap_or_default()
}

fn compare(case: &Case, oracle: &Tool, subject: &Tool, known: &Known, show: bool) -> Verdict {
    let start = Instant::now();
    let mut verdict = attempt(
        case,
        oracle.observe(case),
        subject.observe(case),
        known,
        show,
    );
    // Where time decides, a machine that stood still for a moment decides too.
    if !verdict.differences.is_empty() && case.seconds > 1 {
        verdict = attempt(case, oracle.run(case), subject.run(case), known, show);
        verdict.attempts = 2;
    }
    verdict.seconds = start.elapsed().as_secs_f64();
    verdict
}

fn attempt(
    case: &Case,
    expected: Result<Observation, Failure>,
    actual: Result<Observation, Failure>,
    known: &Known,
    show: bool,
) -> Verdict {
    let mut verdict = Verdict {
        name: case.name.clone(),
        differences: Vec::new(),
        deliberate: 0,
        attempts: 1,
        seconds: 0.0,
    };
    match (expected, actual) {
        (Ok(expected), Ok(actual)) => {
            if show {
                println!("{}:\n{expected:#?}", case.name);
            }
            differ(case, &expected, &actual, known, &mut verdict);
        }
        (Err(error), _) => verdict.differences.push(format!("k6: {error}")),
        (_, Err(error)) => verdict.differences.push(format!("netload: {error}")),
    }
    verdict
}

/// Adds to the verdict all lines that only one side has.
fn differ(
    case: &Case,
    expected: &Observation,
    actual: &Observation,
    known: &Known,
    verdict: &mut Verdict,
) {
    let none = Vec::new();
    let mut aspects: Vec<_> = expected.keys().chain(actual.keys()).collect();
    aspects.sort();
    aspects.dedup();
    for aspect in aspects.into_iter().filter(|aspect| !case.masks(aspect)) {
        let wanted = expected.get(aspect).unwrap_or(&none);
        let got = actual.get(aspect).unwrap_or(&none);
        let missing = subtract(wanted, got).into_iter().map(|line| ('-', line));
        let extra = subtract(got, wanted).into_iter().map(|line| ('+', line));
        for (sign, line) in missing.chain(extra) {
            if known.covers(&case.name, aspect, sign, line) {
                verdict.deliberate += 1;
            } else {
                verdict.differences.push(format!("{aspect}: {sign} {line}"));
            }
        }
    }
}

/// The lines of sorted `a` that sorted `b` lacks, counting repetitions.
fn subtract<'a>(a: &'a [String], b: &[String]) -> Vec<&'a String> {
    let mut rest = b.iter().peekable();
    a.iter()
        .filter(|line| {
            while rest.next_if(|other| other < line).is_some() {}
            rest.next_if(|other| other == line).is_none()
        })
        .collect()
}

fn print_line(verdict: &Verdict) {
    let mark = if verdict.differences.is_empty() {
        "same"
    } else {
        "DIFFERS"
    };
    let deliberate = match verdict.deliberate {
        0 => String::new(),
        count => format!(", {count} deliberate differences"),
    };
    let attempts = match verdict.attempts {
        1 => "",
        _ => ", second attempt",
    };
    println!(
        "{:36} {mark:8} {:5.1} s{deliberate}{attempts}",
        verdict.name, verdict.seconds
    );
}

fn report(verdicts: &[Verdict], start: Instant) -> Count {
    /// Lines shown per script; the rest is counted.
    const SHOWN: usize = 24;
    let failed: Vec<_> = verdicts
        .iter()
        .filter(|verdict| !verdict.differences.is_empty())
        .collect();
    for verdict in &failed {
        println!("\n{} (- k6, + netload)", verdict.name);
        for line in verdict.differences.iter().take(SHOWN) {
            println!("  {line}");
        }
        if verdict.differences.len() > SHOWN {
            println!("  and {} more", verdict.differences.len() - SHOWN);
        }
    }
    let count = Count {
        passed: verdicts.len() - failed.len(),
        failed: failed.len(),
    };
    println!(
        "\ndifferential: {count} in {:.0} s",
        start.elapsed().as_secs_f64()
    );
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_of_one_side_differ_and_repetitions_count() {
        let lines = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
        let (a, b) = (lines("a a b d"), lines("a b b c"));
        assert_eq!(subtract(&a, &b), ["a", "d"]);
        assert_eq!(subtract(&b, &a), ["b", "c"]);
        assert_eq!(subtract(&a, &a), Vec::<&String>::new());
    }
}
