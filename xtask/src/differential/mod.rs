//! `cargo xtask differential`: our own scripts under the real k6 and under
//! netload, against the same server, and everything observable compared.
//!
//! The scripts are in `tests/differential/scripts`; `tests/differential/README.md`
//! explains how to write one. Invariant: every difference is either reported
//! or listed with its reason in `tests/differential/known-differences.txt`.

mod board;
mod case;
mod known;
mod npm;
mod observe;
mod run;
mod verdict;
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
use verdict::{Verdict, differ, print_line, report};

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
  --show           print all that was observed
  --write          write docs/compatibility.md and tests/differential/passed.txt";

/// The options of this command.
struct Options {
    names: Vec<String>,
    fresh: bool,
    subject: Subject,
    jobs: usize,
    show: bool,
    write: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            names: Vec::new(),
            fresh: false,
            subject: Subject::Profile("release".into()),
            jobs: 2,
            show: false,
            write: false,
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
    let cases = selected(&options.names)?;
    let start = Instant::now();
    let mut verdicts = compare_all(&cases, &oracle, &subject, &known, options);
    verdicts.sort_by(|a, b| a.name.cmp(&b.name));
    let mut count = report(&verdicts, start);
    if options.names.is_empty() {
        for lost in board::lost(&verdicts, &known)? {
            println!("{lost}");
            count.add(Count::of(false));
        }
        if count.failed == 0 {
            let idle = known.idle();
            idle.for_each(|entry| println!("no longer needed: {entry}"));
        }
        if options.write {
            board::write(&verdicts, &known)?;
        }
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
            "--write" => options.write = true,
            unknown if unknown.starts_with('-') => {
                return Err(format!("unknown option {unknown}\n\n{HELP}").into());
            }
            name => options.names.push(name.to_owned()),
        }
    }
    Ok(Some(options))
}

/// Folders among the scripts that hold what scripts read and import.
const BESIDE: [&str; 2] = ["data", "lib"];

/// The folder of all scripts, with a folder for each module.
fn scripts() -> PathBuf {
    shell::root().join("tests/differential/scripts")
}

/// The files directly in a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder)?.flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    Ok(paths)
}

fn selected(names: &[String]) -> Result<Vec<Case>, Failure> {
    let folder = scripts();
    let mut cases = Vec::new();
    for entry in std::fs::read_dir(&folder)? {
        let module = entry?.path();
        if !module.is_dir() || BESIDE.iter().any(|beside| module.ends_with(beside)) {
            continue;
        }
        for path in files(&module)? {
            let extension = path.extension().unwrap_or_default();
            if extension == "js" || extension == "ts" {
                cases.push(Case::read(&folder, &path)?);
            }
        }
    }
    cases.retain(|case| names.is_empty() || names.iter().any(|name| case.name.contains(name)));
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    if cases.is_empty() {
        return Err("no such script in tests/differential/scripts".into());
    }
    Ok(cases)
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
    let mut verdict = Verdict::new(case);
    match (expected, actual) {
        (Ok(expected), Ok(actual)) => {
            if show {
                println!("{}:\n{expected:#?}", case.name);
            }
            differ(case, &expected, &actual, known, &mut verdict);
        }
        (Err(error), _) => verdict.fail(format!("k6: {error}")),
        (_, Err(error)) => verdict.fail(format!("netload: {error}")),
    }
    verdict
}
