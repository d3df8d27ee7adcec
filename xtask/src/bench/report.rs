//! Rows of results: medians, spreads, targets, and the files they go to.

use std::fmt::Write;

use serde_json::json;

use super::{Failure, Rig};
use crate::{Outcome, shell};

/// Figures of several rounds.
#[derive(Debug, Clone)]
pub(super) struct Spread {
    sorted: Vec<f64>,
}

impl Spread {
    /// Figures in any order.
    pub(super) fn of(mut figures: Vec<f64>) -> Spread {
        figures.sort_by(f64::total_cmp);
        Spread { sorted: figures }
    }

    fn median(&self) -> f64 {
        let middle = self.sorted.len() / 2;
        match self.sorted.len() {
            0 => f64::NAN,
            count if count % 2 == 1 => self.sorted[middle],
            _ => f64::midpoint(self.sorted[middle - 1], self.sorted[middle]),
        }
    }

    fn range(&self) -> String {
        match self.sorted.as_slice() {
            [] | [_] => String::new(),
            [least, .., most] => format!("{} to {}", shown(*least), shown(*most)),
        }
    }
}

/// One row of the table.
#[derive(Debug, Clone)]
pub(super) struct Row {
    name: String,
    unit: String,
    spread: Spread,
    target: Target,
}

#[derive(Debug, Clone, PartialEq)]
enum Target {
    None,
    AtLeast(f64),
    AtMost(f64),
    /// Must be true; the figure is 1 or 0.
    Yes,
    Unmeasured(String),
}

impl Row {
    /// A figure without a target.
    pub(super) fn plain(name: &str, unit: &str, spread: Spread) -> Row {
        Row::new(name, unit, spread, Target::None)
    }

    /// A figure whose median must reach a target.
    pub(super) fn at_least(name: &str, unit: &str, spread: Spread, target: f64) -> Row {
        Row::new(name, unit, spread, Target::AtLeast(target))
    }

    /// A figure whose median must not exceed a target.
    pub(super) fn at_most(name: &str, unit: &str, spread: Spread, target: f64) -> Row {
        Row::new(name, unit, spread, Target::AtMost(target))
    }

    /// Something that must be so.
    pub(super) fn yes(name: &str, is: bool) -> Row {
        let figure = if is { 1.0 } else { 0.0 };
        Row::new(name, "", Spread::of(vec![figure]), Target::Yes)
    }

    /// Something that could not be measured.
    pub(super) fn failed(name: &str, why: &str) -> Row {
        Row::new(
            name,
            "",
            Spread::of(Vec::new()),
            Target::Unmeasured(why.into()),
        )
    }

    fn new(name: &str, unit: &str, spread: Spread, target: Target) -> Row {
        Row {
            name: name.into(),
            unit: unit.into(),
            spread,
            target,
        }
    }

    /// The same row under another name.
    pub(super) fn renamed(mut self, name: impl FnOnce(&str) -> String) -> Row {
        self.name = name(&self.name);
        self
    }

    fn passes(&self) -> Option<bool> {
        let median = self.spread.median();
        match &self.target {
            Target::None => None,
            Target::AtLeast(target) => Some(median >= *target),
            Target::AtMost(target) => Some(median <= *target),
            Target::Yes => Some(median == 1.0),
            Target::Unmeasured(_) => Some(false),
        }
    }

    fn figure(&self) -> String {
        match self.target {
            Target::Yes if self.spread.median() == 1.0 => "yes".into(),
            Target::Yes => "no".into(),
            Target::Unmeasured(_) => "not measured".into(),
            _ => format!("{} {}", shown(self.spread.median()), self.unit),
        }
    }

    fn wanted(&self) -> String {
        match &self.target {
            Target::None => String::new(),
            Target::AtLeast(target) => format!("at least {}", shown(*target)),
            Target::AtMost(target) => format!("at most {}", shown(*target)),
            Target::Yes => "yes".into(),
            Target::Unmeasured(why) => why.replace('|', "/"),
        }
    }

    fn verdict(&self) -> &'static str {
        match self.passes() {
            None => "",
            Some(true) => "pass",
            Some(false) => "MISS",
        }
    }

    /// The row as text for a terminal.
    pub(super) fn line(&self) -> String {
        let line = format!(
            "{:40} {:>26} {:>20} {:>16} {}",
            self.name,
            self.figure(),
            self.spread.range(),
            self.wanted(),
            self.verdict()
        );
        line.trim_end().to_owned()
    }
}

/// Three significant digits or so, never in scientific notation.
fn shown(value: f64) -> String {
    match value.abs() {
        large if large >= 100.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// Writes `bench/results/DATE-GROUPS.md` and `.json`; fails if a target was missed.
pub(super) fn write(rows: &[Row], groups: &[&str], rig: &Rig) -> Outcome {
    let date = shell::read(shell::command("date").args(["-u", "+%Y-%m-%d"]))?;
    let set = if groups.len() > 4 {
        "all".to_owned()
    } else {
        groups.join("-")
    };
    let stem = format!("{}-{set}", date.trim());
    let folder = shell::root().join("bench/results");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(
        folder.join(format!("{stem}.md")),
        markdown(rows, date.trim(), rig)?,
    )?;
    std::fs::write(
        folder.join(format!("{stem}.json")),
        json_text(rows, date.trim()),
    )?;
    println!("\nwritten to bench/results/{stem}.md");
    let missed = rows
        .iter()
        .filter(|row| row.passes() == Some(false))
        .count();
    match missed {
        0 => Ok(()),
        _ => Err(format!("{missed} targets missed").into()),
    }
}

fn markdown(rows: &[Row], date: &str, rig: &Rig) -> Result<String, Failure> {
    let mut text = format!("# Speed and size, {date}\n\n{}\n\n", machine(rig)?);
    text.push_str("| what | median | range | target | |\n|---|---|---|---|---|\n");
    for row in rows {
        writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            row.name,
            row.figure(),
            row.spread.range(),
            row.wanted(),
            row.verdict()
        )?;
    }
    Ok(text)
}

/// What the figures were measured on and with.
fn machine(rig: &Rig) -> Result<String, Failure> {
    let cpu = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name"))
        .map_or("unknown processor", |rest| {
            rest.trim_start_matches([' ', '\t', ':'])
        });
    let cores = std::thread::available_parallelism()?;
    let kernel = shell::read(shell::command("uname").arg("-r"))?;
    let load = &rig.load_before;
    let commit = shell::read(shell::command("git").args(["rev-parse", "--short", "HEAD"]))?;
    Ok(format!(
        "{model}, {cores} cores, Linux {}, load {load} before the start; commit {}. One nginx worker on core 1, generators on core 0 with 64 \
         connections and one worker unless the row says otherwise; {} interleaved rounds of {} s, medians. \
         CPU time is user and system time of the generator's process.",
        kernel.trim(),
        commit.trim(),
        rig.rounds,
        rig.length.as_secs(),
    ))
}

fn json_text(rows: &[Row], date: &str) -> String {
    let rows: Vec<_> = rows
        .iter()
        .map(|row| {
            json!({
                "name": row.name,
                "unit": row.unit,
                "median": row.spread.median(),
                "figures": row.spread.sorted,
                "target": row.wanted(),
                "passes": row.passes(),
            })
        })
        .collect();
    format!("{:#}\n", json!({ "date": date, "rows": rows }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_decide_about_targets() {
        let row = Row::at_least("a", "x", Spread::of(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!((row.figure().as_str(), row.verdict()), ("2.00 x", "pass"));
        let row = Row::at_most("a", "x", Spread::of(vec![1.0, 4.0]), 2.0);
        assert_eq!((row.figure().as_str(), row.verdict()), ("2.50 x", "MISS"));
        assert_eq!(Row::failed("a", "why").verdict(), "MISS");
        assert_eq!(Row::yes("a", true).verdict(), "pass");
    }
}
