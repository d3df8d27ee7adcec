//! `netload compare`: whether runs differ by more than chance and by more than matters.

use netload_analysis::{
    Comparison, Finding, Margin, Row, Verdict, change as change_for_worse, compare,
};
use netload_record::{Part, Record};
use netload_store::{Store, StoreError};

use super::{Command, Operand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::format;
use crate::keeping::place;
use crate::options::Category;
use crate::terminal::stdout;
use crate::typed::Typed;

/// Names that are shown when they did not change.
const QUIET_NAMES: usize = 5;
/// Where the numbers begin.
const LABEL_WIDTH: usize = 22;
/// Where sentences are broken.
const WIDTH: usize = 80;

pub(super) const COMMAND: Command = Command {
    name: "compare",
    about: "Say whether two runs differ by more than chance",
    details: "A run is named by its id, the beginning of its id, last, last~1, or by labels such as branch=main, which \
              mean the last ten runs that have them. The first is the baseline. The verdict is better, same, worse or \
              cannot tell; docs/comparison.md says how it is found.",
    categories: &[Category::Compare],
    operand: Some(Operand {
        name: "RUN...",
        help: "The baseline and the run, or with --against only the run",
        what: "two runs",
        example: "last~1 last",
        required: false,
        is_file: false,
    }),
    examples: &[
        (
            "The last run with the one before",
            "netload compare last~1 last",
        ),
        (
            "All kept runs of two branches",
            "netload compare branch=main branch=fix",
        ),
        (
            "In CI: fail when the last run is worse than those of main",
            "netload compare --against main --fail-on worse",
        ),
    ],
    hidden: false,
    act,
};

/// What `--fail-on` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FailOn {
    Worse,
    Unsure,
}

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let margin = Margin {
        relative: typed
            .read("margin", share)?
            .unwrap_or(Margin::default().relative),
        ..Margin::default()
    };
    let fail_on = typed.read("failOn", |text| match text {
        "worse" => Ok(FailOn::Worse),
        "unsure" => Ok(FailOn::Unsure),
        _ => Err(format!(
            "`{text}` is no verdict to fail on; there are worse and unsure"
        )),
    })?;
    let store = place::open(typed)?;
    let (a, b) = sides(&store, typed)?;
    let (a, b) = (load(&store, &a)?, load(&store, &b)?);
    let comparison = compare(&a, &b, &margin);
    let longest_ns = b.iter().map(Record::elapsed_ns).max().unwrap_or(0);
    let found = change_for_worse(&comparison, longest_ns);
    if typed.switch("json")? {
        let mut value = comparison.value();
        value["findings"] = found.iter().map(Finding::value).collect();
        stdout::line(&format::pretty(&value))?;
    } else {
        stdout::bytes(text(&comparison).as_bytes())?;
    }
    match (fail_on, comparison.verdict) {
        (Some(_), Verdict::Worse) => {
            let words = found.map_or_else(String::new, |found| found.sentence);
            let text = format!("the run is worse than the baseline. {words}");
            Err(Failure::new(
                Exit::Worse,
                text.trim_end_matches(['.', ' ']).to_owned(),
            ))
        }
        (Some(FailOn::Unsure), Verdict::CannotTell) => Err(Failure::new(
            Exit::Worse,
            "it cannot be told whether the run is worse than the baseline",
        )),
        _ => Ok(Exit::Success),
    }
}

/// The ids of both sides, the baseline first.
fn sides(store: &Store, typed: &Typed) -> Result<(Vec<String>, Vec<String>), Failure> {
    let select = |name: &str| store.select(name).map_err(|error| place::refused(&error));
    let names = &typed.operands;
    let (a, mut b) = match (typed.text("against"), names.as_slice()) {
        (Some(baseline), []) => (against(store, baseline)?, select("last")?),
        (Some(baseline), [run]) => (against(store, baseline)?, select(run)?),
        (None, [a, b]) => (select(a)?, select(b)?),
        (None, []) => (select("last~1")?, select("last")?),
        _ => {
            return Err(
                Failure::usage("two runs are compared, or one with --against")
                    .hint("netload compare last~1 last"),
            );
        }
    };
    let mut a: Vec<String> = a;
    if a == b {
        return Err(
            Failure::usage("both sides are the same run").hint("`netload history` lists the runs")
        );
    }
    // A run that both names mean is on the side where it stands alone.
    if b.len() == 1 {
        a.retain(|id| !b.contains(id));
    } else {
        b.retain(|id| !a.contains(id));
    }
    if a.is_empty() || b.is_empty() {
        return Err(Failure::usage("one side has no run that the other has not")
            .hint("`netload history` lists the runs"));
    }
    Ok((a, b))
}

/// The baseline: runs, or all of a branch.
fn against(store: &Store, name: &str) -> Result<Vec<String>, Failure> {
    match store.select(name) {
        Err(StoreError::NoRun(_)) if !name.contains('=') => {
            let branch = store.select(&format!("branch={name}"));
            branch.map_err(|_| {
                Failure::usage(format!(
                    "there is no run `{name}` and none of a branch `{name}`"
                ))
                .at("--against")
                .hint("`netload history --label branch=NAME` lists the runs of a branch")
            })
        }
        found => found.map_err(|error| place::refused(&error).at("--against")),
    }
}

fn load(store: &Store, ids: &[String]) -> Result<Vec<Record>, Failure> {
    let runs = ids.iter().map(|id| store.load(id));
    runs.collect::<Result<_, _>>()
        .map_err(|error| place::refused(&error))
}

/// A share: `5%` or `0.05`.
fn share(text: &str) -> Result<f64, String> {
    let (digits, unit) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim(), 0.01),
        None => (text, 1.0),
    };
    let number: f64 = digits
        .parse()
        .map_err(|_| format!("`{text}` is no share such as 5%"))?;
    let share = number * unit;
    if (0.0..1.0).contains(&share) {
        Ok(share)
    } else {
        Err(format!("`{text}` is not between 0% and 100%"))
    }
}

fn text(comparison: &Comparison) -> String {
    let mut text = String::new();
    let [a, b] = &comparison.sides;
    for (name, side) in [("baseline", a), ("compared", b)] {
        let more = match side.runs.len() {
            1 => String::new(),
            n => format!(" and {} more", n - 1),
        };
        let run = side.runs.first().map_or("", String::as_str);
        text += &format!(
            "{name}  {run}{more}: {} requests in {} windows\n",
            side.requests, side.windows
        );
    }
    text += &format!("\n{}\n\n", comparison.verdict.name().to_uppercase());
    text += &format!(
        "{:LABEL_WIDTH$} {:>9} {:>9} {:>8} {:16}\n",
        "", "baseline", "compared", "change", "95 % interval"
    );
    for row in &comparison.rows {
        text += &line(row, &row.metric);
    }
    text += &names(&comparison.names);
    text += &explanations(comparison);
    text
}

/// Names that changed, and a few that did not.
fn names(rows: &[Row]) -> String {
    let is_loud = |row: &&Row| matches!(row.verdict, Verdict::Worse | Verdict::Better);
    let (loud, quiet): (Vec<&Row>, Vec<&Row>) = rows.iter().partition(is_loud);
    let mut text = String::new();
    for row in loud.iter().chain(quiet.iter().take(QUIET_NAMES)) {
        if let Part::Name(name) = &row.part {
            text += &line(row, name);
        }
    }
    let left_out = quiet.len().saturating_sub(QUIET_NAMES);
    if left_out > 0 {
        text += &format!(
            "{left_out} more numbers by name did not change or cannot be told; --json has them\n"
        );
    }
    if text.is_empty() {
        text
    } else {
        format!("\nby name\n{text}")
    }
}

fn line(row: &Row, name: &str) -> String {
    let label = cut(&format!("{name} {}", row.stat), LABEL_WIDTH);
    let interval = row.interval.map_or_else(
        || "-".to_owned(),
        |(low, high)| {
            let low = change(row, low);
            let low = low.trim_end_matches(['%', 'p', 't']);
            format!("{low} .. {}", change(row, high))
        },
    );
    let text = format!(
        "{label:LABEL_WIDTH$} {:>9} {:>9} {:>8} {interval:16} {}",
        value(row, row.a),
        value(row, row.b),
        change(row, row.change),
        row.verdict.name()
    );
    text.trim_end().to_owned() + "\n"
}

/// Why some rows say nothing, and what makes the sides hard to compare.
fn explanations(comparison: &Comparison) -> String {
    let mut sentences: Vec<String> = Vec::new();
    for why in comparison.rows.iter().filter_map(|row| row.why.as_ref()) {
        let sentence = format!("Cannot tell: {why}.");
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
    sentences.extend(comparison.caveats.iter().cloned());
    let mut text = String::new();
    for sentence in sentences {
        for (row, line) in netload_output::wrap(&sentence, WIDTH - 2)
            .iter()
            .enumerate()
        {
            text += if row == 0 { "- " } else { "  " };
            text += line;
            text.push('\n');
        }
    }
    if text.is_empty() {
        text
    } else {
        format!("\n{text}")
    }
}

fn value(row: &Row, value: f64) -> String {
    match row.stat {
        "share" => format!("{:.2}%", value * 100.0),
        "rate" => format!("{value:.1}/s"),
        _ if value >= 1_000.0 => format!("{:.3}s", value / 1e3),
        _ => format!("{value:.2}ms"),
    }
}

fn change(row: &Row, change: f64) -> String {
    change_of(row.stat, change)
}

fn change_of(stat: &str, change: f64) -> String {
    match stat {
        "share" => format!("{:+.2}pt", change * 100.0),
        // Beyond a hundredfold only the size is of interest, and the column has no more room.
        _ if change.abs() >= 100.0 => format!("{}%", if change > 0.0 { ">9999" } else { "<-9999" }),
        _ if change.abs() >= 1.0 => format!("{:+.0}%", change * 100.0),
        _ => format!("{:+.1}%", change * 100.0),
    }
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    // The end tells names and numbers apart.
    let skip = text.chars().count() - width + 1;
    ['…'].into_iter().chain(text.chars().skip(skip)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_any_size_fit_their_column() {
        let shown = |change| change_of("p99", change);
        assert_eq!(shown(0.0512), "+5.1%");
        assert_eq!(shown(-2.843), "-284%");
        assert_eq!(shown(63.993), "+6399%");
        assert_eq!(
            (shown(1e9), shown(-1e9)),
            (">9999%".into(), "<-9999%".into())
        );
        assert_eq!(change_of("share", -0.0512), "-5.12pt");
    }

    #[test]
    fn a_margin_is_a_share() {
        assert_eq!(share("5%"), Ok(0.05));
        assert_eq!(share("0.1"), Ok(0.1));
        assert!(share("100%").is_err() && share("-1%").is_err() && share("five").is_err());
    }
}
