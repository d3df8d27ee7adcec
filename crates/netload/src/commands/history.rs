//! `netload history`: the runs that were kept, the newest first, and where they are going.

use netload_store::{Filter, RunLine, State, Store};
use serde_json::{Value, json};

use super::Command;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::format;
use crate::keeping::{self, labels, place};
use crate::options::Category;
use crate::terminal::stdout;
use crate::typed::Typed;

/// Runs that are shown when nobody says.
const LIMIT: usize = 20;
/// Where the title ends.
const TITLE_WIDTH: usize = 21;
/// How much of that the branch may take.
const BRANCH_WIDTH: usize = 10;

pub(super) const COMMAND: Command = Command {
    name: "history",
    about: "List the runs that were kept",
    details: "Every `netload run` and `netload hit` is kept, second by second, unless --no-store says otherwise. The \
              trend at the end is that of the runs with the newest run's script or URL.",
    categories: &[Category::History],
    operand: None,
    examples: &[
        ("The last 20 runs", "netload history"),
        ("Those of one branch", "netload history --label branch=main"),
        ("Forget one", "netload history --delete 20261122-0445"),
        ("For a program", "netload history --json --limit 100"),
    ],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let filter = Filter {
        labels: labels::named(typed)?,
        title: typed.text("title").map(str::to_owned),
        limit: typed.read("limit", str::parse)?.unwrap_or(LIMIT),
    };
    let budget = typed.read("prune", size)?;
    let mut store = place::open(typed)?;
    let refused = |error| place::refused(&error);
    if !typed.texts("delete").is_empty() {
        return delete(&mut store, typed.texts("delete"));
    }
    if let Some(bytes) = budget {
        let gone = store.prune(bytes).map_err(refused)?;
        let (runs, bytes) = store.size().map_err(refused)?;
        stdout::line(&format!(
            "{}; {} take {}",
            counted(gone, "forgotten"),
            runs_of(runs),
            mebibytes(bytes)
        ))?;
        return Ok(Exit::Success);
    }
    let runs = store
        .list(&filter, keeping::now_unix_ns())
        .map_err(refused)?;
    if typed.switch("json")? {
        let runs: Vec<Value> = runs.iter().map(RunLine::value).collect();
        stdout::line(&format::pretty(&json!({ "version": 1, "runs": runs })))?;
    } else {
        stdout::bytes(table(&runs).as_bytes())?;
    }
    Ok(Exit::Success)
}

fn delete(store: &mut Store, names: &[String]) -> Result<Exit, Failure> {
    let refused = |error| place::refused(&error);
    let mut ids = Vec::new();
    for name in names {
        ids.extend(store.select(name).map_err(refused)?);
    }
    let gone = store.delete(&ids).map_err(refused)?;
    stdout::line(&counted(gone, "forgotten"))?;
    Ok(Exit::Success)
}

/// The table, at most 80 columns wide, and the trends below it.
fn table(runs: &[RunLine]) -> String {
    if runs.is_empty() {
        return "no runs\n".to_owned();
    }
    let mut text = format!(
        "{:20} {:TITLE_WIDTH$} {:>6} {:>8} {:>7} {:>6}  {}\n",
        "RUN", "TITLE", "LASTED", "RATE/S", "P95", "FAILED", "EXIT"
    );
    for run in runs {
        text += row(run).trim_end();
        text.push('\n');
    }
    text += &trends(runs);
    text
}

fn row(run: &RunLine) -> String {
    let line = &run.line;
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let exit = match run.state {
        State::Running => "running".to_owned(),
        State::Interrupted => "killed".to_owned(),
        State::Finished => or_dash(line.exit_code.map(|code| code.to_string())),
    };
    // One letter for the generator: nothing when it was clean.
    let verdict = match line.verdict.as_deref() {
        None | Some("clean") => "",
        Some("disturbed") => " d",
        Some("concurrency-bound") => " c",
        Some("generator-bound") => " g",
        Some(_) => " i",
    };
    format!(
        "{:20} {:TITLE_WIDTH$} {:>6} {:>8} {:>7} {:>6}  {exit}{verdict}",
        run.id,
        name(&run.title, run.labels.get("branch")),
        duration(line.elapsed_ns),
        or_dash(line.rate.map(amount)),
        or_dash(line.p95_ms.map(ms)),
        or_dash(
            line.failed_share
                .map(|share| format!("{:.1}%", share * 100.0))
        ),
    )
}

/// Where rate and p95 of the newest run's script or URL are going: oldest first.
fn trends(runs: &[RunLine]) -> String {
    let title = &runs[0].title;
    let same = || {
        runs.iter()
            .rev()
            .filter(|run| run.title == *title && run.state == State::Finished)
    };
    let mut text = String::new();
    let rates: Vec<f64> = same().filter_map(|run| run.line.rate).collect();
    let p95s: Vec<f64> = same().filter_map(|run| run.line.p95_ms).collect();
    for (name, values, words) in [
        ("rate/s", rates, amount as fn(f64) -> String),
        ("p95", p95s, ms),
    ] {
        if let ([first, .., last], true) = (values.as_slice(), values.len() >= 3) {
            text += &format!(
                "{name:6} {}  {} to {}\n",
                spark(&values),
                words(*first),
                words(*last)
            );
        }
    }
    if text.is_empty() {
        text
    } else {
        format!("\nTrend of {}, oldest first\n{text}", short(title))
    }
}

/// Values as a row of bars, the largest full.
fn spark(values: &[f64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let top = values.iter().copied().fold(0.0, f64::max);
    let bar = |value: &f64| {
        let eighth = if top > 0.0 {
            (value / top * 8.0).ceil() as usize
        } else {
            1
        };
        BARS[eighth.clamp(1, BARS.len()) - 1]
    };
    values.iter().map(bar).collect()
}

/// A title without what all have: the method, the scheme, the folders.
fn short(title: &str) -> String {
    let title = title.strip_prefix("GET ").unwrap_or(title);
    match title.split_once("://") {
        Some((_, rest)) => rest.to_owned(),
        None => title.rsplit('/').next().unwrap_or(title).to_owned(),
    }
}

/// The title and the branch, cut so that both can be told.
fn name(title: &str, branch: Option<&String>) -> String {
    let branch = branch.map_or_else(String::new, |branch| {
        cut(&format!(" @{branch}"), BRANCH_WIDTH)
    });
    cut(&short(title), TITLE_WIDTH - branch.chars().count()) + &branch
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

fn duration(ns: u64) -> String {
    let seconds = ns / 1_000_000_000;
    match seconds {
        0..100 => format!("{:.1}s", ns as f64 / 1e9),
        100..6_000 => format!("{}m{:02}", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}", seconds / 3_600, seconds % 3_600 / 60),
    }
}

fn amount(value: f64) -> String {
    match value {
        value if value >= 1e6 => format!("{:.2}M", value / 1e6),
        value if value >= 1e4 => format!("{:.1}k", value / 1e3),
        value if value >= 100.0 => format!("{value:.0}"),
        value => format!("{value:.1}"),
    }
}

fn ms(ms: f64) -> String {
    match ms {
        ms if ms >= 10_000.0 => format!("{:.1}s", ms / 1e3),
        ms if ms >= 100.0 => format!("{ms:.0}ms"),
        ms if ms >= 10.0 => format!("{ms:.1}ms"),
        ms if ms >= 1.0 => format!("{ms:.2}ms"),
        ms => format!("{:.0}us", ms * 1e3),
    }
}

/// Bytes with a unit: `100M`, `1G`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        unit => {
            return Err(format!(
                "`{unit}` is not a unit of size; there are K, M and G"
            ));
        }
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| format!("`{text}` is not a size such as 100M or 1G"))?;
    number
        .checked_mul(unit)
        .ok_or_else(|| format!("`{text}` is too large"))
}

fn counted(runs: usize, what: &str) -> String {
    format!("{} {what}", runs_of(runs as u64))
}

fn runs_of(runs: u64) -> String {
    if runs == 1 {
        "1 run".to_owned()
    } else {
        format!("{runs} runs")
    }
}

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_high_as_its_share() {
        assert_eq!(spark(&[1.0, 4.0, 8.0]), "▁▄█");
        assert_eq!(spark(&[0.0, 0.0]), "▁▁");
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("100M"), Ok(100 << 20));
        assert_eq!(size("0"), Ok(0));
        assert!(size("M").is_err() && size("5 parsec").is_err() && size("99999999999G").is_err());
    }
}
