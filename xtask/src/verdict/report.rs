//! What was heard, compared with what should have been, as a table.

use std::fmt::Write;

use serde_json::Value;

use super::Failure;
use super::case::{CASES, Case};
use crate::{Outcome, shell};

/// Where the table goes.
const FILE: &str = "bench/results/verdict.md";
/// A disturbance must be known after so many seconds.
const DELAY_S: f64 = 2.0;
/// Share of the runs whose cause must be right.
const RIGHT: f64 = 0.9;

/// What netload said about one run.
pub(super) struct Heard {
    verdict: String,
    cause: String,
    detail: String,
    /// Seconds from the beginning of the disturbance until it was known.
    delay_s: Option<f64>,
}

impl Heard {
    /// Reads the object `generator`; the disturbance began `onset_s` after the load.
    pub(super) fn read(generator: &Value, onset_s: f64) -> Result<Self, Failure> {
        let text = |name: &str| generator[name].as_str().unwrap_or_default().to_owned();
        let verdict = text("verdict");
        if verdict.is_empty() {
            return Err("the document has no verdict".into());
        }
        // What was found before the disturbance is not the disturbance.
        let found = generator["episodes"].as_array().into_iter().flatten();
        let found = found
            .filter_map(|e| e["found_s"].as_f64())
            .map(|found_s| found_s - onset_s)
            .find(|delay_s| *delay_s >= 0.0);
        Ok(Self {
            verdict,
            cause: text("cause"),
            detail: text("detail"),
            delay_s: found,
        })
    }

    /// Whether verdict and cause are right.
    pub(super) fn is_right(&self, case: &Case) -> bool {
        case.verdicts.contains(&self.verdict.as_str())
            && (case.is_clean() || case.causes.contains(&self.cause.as_str()))
    }

    /// One line for people.
    pub(super) fn line(&self) -> String {
        match self.delay_s {
            Some(delay_s) => format!("{} after {delay_s:.1} s: {}", self.verdict, self.detail),
            None => format!("{} {}", self.verdict, self.detail),
        }
    }
}

/// One case with all its runs.
pub(super) struct Row {
    case: &'static Case,
    pub(super) heard: Vec<Heard>,
    pub(super) failed: Vec<String>,
    /// Runs that prove nothing, because the hypervisor disturbed them.
    pub(super) set_aside: usize,
    left_out: Option<String>,
}

impl Row {
    pub(super) fn new(case: &'static Case) -> Self {
        Self {
            case,
            heard: Vec::new(),
            failed: Vec::new(),
            set_aside: 0,
            left_out: None,
        }
    }

    /// A case that this machine cannot do.
    pub(super) fn left_out(case: &'static Case, reason: String) -> Self {
        Self {
            left_out: Some(reason),
            ..Self::new(case)
        }
    }

    /// Runs that count.
    pub(super) fn runs(&self) -> usize {
        self.heard.len() + self.failed.len()
    }

    fn count(&self, is: impl Fn(&Heard) -> bool) -> usize {
        self.heard.iter().filter(|h| is(h)).count()
    }

    fn right_verdict(&self) -> usize {
        self.count(|h| self.case.verdicts.contains(&h.verdict.as_str()))
    }

    fn right_cause(&self) -> usize {
        self.count(|h| self.case.causes.contains(&h.cause.as_str()))
    }

    fn in_time(&self) -> usize {
        self.count(|h| h.delay_s.is_some_and(|d| d <= DELAY_S))
    }

    /// Whether everything promised holds; none when it was left out.
    fn passes(&self) -> Option<bool> {
        if self.left_out.is_some() {
            return None;
        }
        let runs = self.runs();
        if self.case.is_clean() {
            return Some(runs > 0 && self.right_verdict() == runs);
        }
        let enough = |count: usize| count as f64 >= RIGHT * runs as f64;
        Some(
            runs > 0
                && enough(self.right_cause())
                && enough(self.in_time())
                && enough(self.right_verdict()),
        )
    }

    fn delays(&self) -> String {
        let mut delays: Vec<f64> = self.heard.iter().filter_map(|h| h.delay_s).collect();
        delays.sort_by(f64::total_cmp);
        match (delays.get(delays.len() / 2), delays.last()) {
            (Some(median), Some(worst)) if !self.case.is_clean() => {
                format!("{median:.1} s, at most {worst:.1} s")
            }
            _ => "-".to_owned(),
        }
    }

    /// One line for people.
    pub(super) fn line(&self) -> String {
        if let Some(reason) = &self.left_out {
            return format!("left out: {reason}");
        }
        let runs = self.runs();
        let verdict = self.right_verdict();
        match self.case.is_clean() {
            true => format!(
                "{} false alarms in {runs} runs, {} more set aside",
                runs - verdict,
                self.set_aside
            ),
            false => format!(
                "of {runs} runs: right verdict {verdict}, right cause {}, known within {DELAY_S} s {} ({})",
                self.right_cause(),
                self.in_time(),
                self.delays()
            ),
        }
    }
}

/// Writes the table. Cases that were not measured now keep what stands in the table from before.
pub(super) fn write(rows: &[Row]) -> Outcome {
    let path = shell::root().join(FILE);
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    Ok(std::fs::write(path, page(rows, &before)?)?)
}

fn page(rows: &[Row], before: &str) -> Result<String, Failure> {
    let mut text = String::from(
        "# The verdict on the generator\n\n\
         Made by `cargo xtask verdict`: netload with one worker on a core of its own, its target on the other; the\n\
         disturbance begins three seconds after the start and lasts three. Wanted: no alarm without a disturbance; with\n\
         one, the right cause in 9 of 10 runs, known within 2 s.\n\n\
         | case | what happens | runs | right verdict | right cause | within 2 s | median and longest delay | |\n\
         |---|---|---:|---:|---:|---:|---|---|\n",
    );
    let mut notes = String::new();
    for case in CASES {
        match rows.iter().find(|row| row.case.name == case.name) {
            Some(row) => {
                writeln!(text, "{}", row.table_line())?;
                row.notes(&mut notes)?;
            }
            None => {
                let line = |start: String| before.lines().filter(move |l| l.starts_with(&start));
                for line in line(format!("| {} |", case.name)) {
                    writeln!(text, "{line}")?;
                }
                for line in line(format!("`{}` ", case.name)) {
                    writeln!(notes, "\n{line}")?;
                }
            }
        }
    }
    Ok(text + &notes)
}

impl Row {
    fn table_line(&self) -> String {
        let mark = match self.passes() {
            Some(true) => "holds",
            Some(false) => "**missed**",
            None => "left out",
        };
        let (cause, time) = match self.case.is_clean() {
            true => ("-".to_owned(), "-".to_owned()),
            false => (self.right_cause().to_string(), self.in_time().to_string()),
        };
        format!(
            "| {} | {} | {} | {} | {cause} | {time} | {} | {mark} |",
            self.case.name,
            self.case.about,
            self.runs(),
            self.right_verdict(),
            self.delays()
        )
    }

    /// What went wrong, in sentences.
    fn notes(&self, text: &mut String) -> Outcome {
        let name = self.case.name;
        if let Some(reason) = &self.left_out {
            writeln!(text, "\n`{name}` was left out: {reason}.")?;
        }
        if self.set_aside > 0 {
            writeln!(
                text,
                "\n`{name}` was begun {} times more: the hypervisor took more than 5 % of a half second in these runs.",
                self.set_aside
            )?;
        }
        for heard in self.heard.iter().filter(|heard| !heard.is_right(self.case)) {
            writeln!(text, "\n`{name}` was called {}.", heard.line())?;
        }
        for reason in &self.failed {
            writeln!(text, "\n`{name}` failed: {reason}.")?;
        }
        Ok(())
    }
}

/// Succeeds when everything promised holds.
pub(super) fn conclude(rows: &[Row]) -> Outcome {
    println!("written to {FILE}");
    let missed: Vec<&str> = rows
        .iter()
        .filter(|row| row.passes() == Some(false))
        .map(|row| row.case.name)
        .collect();
    match missed.is_empty() {
        true => Ok(()),
        false => Err(format!("missed: {}", missed.join(", ")).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_disturbance_counts_from_its_beginning() {
        let generator = json!({
            "verdict": "disturbed", "cause": "stopped", "detail": "x",
            "episodes": [{ "found_s": 1.0 }, { "found_s": 4.5 }],
        });
        let heard = Heard::read(&generator, 3.0).unwrap();
        assert_eq!(heard.delay_s, Some(1.5));
        assert!(Heard::read(&json!({}), 0.0).is_err());
    }

    #[test]
    fn a_case_that_is_not_measured_keeps_its_line() {
        let find = |name: &str| CASES.iter().find(|c| c.name == name).unwrap();
        let mut hog = Row::new(find("hog"));
        hog.failed.push("no reason".to_owned());
        let before = page(&[hog], "").unwrap();
        assert!(before.contains("| hog |") && before.contains("`hog` failed: no reason."));
        let clean = Row::new(find("clean"));
        let both = page(&[clean], &before).unwrap();
        assert!(both.contains("| clean |") && both.contains("`hog` failed: no reason."));
        assert_eq!(both.matches("| hog |").count(), 1);
    }

    #[test]
    fn one_false_alarm_in_clean_runs_is_a_miss_and_one_wrong_cause_in_ten_is_not() {
        let heard = |verdict: &str, cause: &str| Heard {
            verdict: verdict.to_owned(),
            cause: cause.to_owned(),
            detail: String::new(),
            delay_s: Some(1.0),
        };
        let find = |name: &str| CASES.iter().find(|c| c.name == name).unwrap();
        let mut clean = Row::new(find("clean"));
        clean.heard.extend((0..39).map(|_| heard("clean", "")));
        assert_eq!(clean.passes(), Some(true));
        clean.heard.push(heard("disturbed", "steal"));
        assert_eq!(clean.passes(), Some(false));
        let mut hog = Row::new(find("hog"));
        hog.heard
            .extend((0..9).map(|_| heard("disturbed", "cpu-contention")));
        hog.heard.push(heard("disturbed", "steal"));
        assert_eq!(hog.passes(), Some(true));
        hog.heard[0].cause = "unknown".to_owned();
        assert_eq!(hog.passes(), Some(false));
    }
}
