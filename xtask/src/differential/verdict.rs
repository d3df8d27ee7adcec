//! What comparing two observations of one script comes to, and how it is shown.
//!
//! Invariant: a difference belongs to exactly one case: to the named case that
//! made the line, else to the script as a whole.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use super::Observation;
use super::case::Case;
use super::known::Known;
use super::observe::CASE;
use crate::ci::Count;

/// How one script compared.
pub(crate) struct Verdict {
    pub(crate) name: String,
    /// Lines to show, by case; the name of the whole script's case is empty.
    pub(crate) differences: BTreeMap<String, Vec<String>>,
    /// The cases that the script has under k6; the whole script's is there too.
    pub(crate) cases: BTreeSet<String>,
    /// Cases with differences that are listed as deliberate, and how many.
    pub(crate) deliberate: BTreeMap<String, usize>,
    /// 2 when the first attempt differed.
    pub(crate) attempts: usize,
    pub(crate) seconds: f64,
}

impl Verdict {
    /// One without any difference.
    pub(crate) fn new(case: &Case) -> Verdict {
        Verdict {
            name: case.name.clone(),
            differences: BTreeMap::new(),
            cases: BTreeSet::from([String::new()]),
            deliberate: BTreeMap::new(),
            attempts: 1,
            seconds: 0.0,
        }
    }

    /// Adds a line about the script as a whole.
    pub(crate) fn fail(&mut self, line: String) {
        self.differences
            .entry(String::new())
            .or_default()
            .push(line);
    }

    /// `k6-http/cookies: kept`, or only the script's name for the case that is the script.
    pub(crate) fn full_name(&self, case: &str) -> String {
        match case {
            "" => self.name.clone(),
            case => format!("{}: {case}", self.name),
        }
    }

    /// How many of its cases are the same under both tools.
    pub(crate) fn count(&self) -> Count {
        let failed = self.differences.len();
        Count {
            passed: self.cases.len().saturating_sub(failed),
            failed,
        }
    }
}

/// Adds to the verdict all lines that only one side has.
pub(crate) fn differ(
    case: &Case,
    expected: &Observation,
    actual: &Observation,
    known: &Known,
    verdict: &mut Verdict,
) {
    let none = Vec::new();
    let aspects: BTreeSet<_> = expected.keys().chain(actual.keys()).collect();
    for aspect in aspects.into_iter().filter(|aspect| !case.masks(aspect)) {
        let named = aspect.strip_prefix(CASE).unwrap_or_default();
        if expected.contains_key(aspect) {
            verdict.cases.insert(named.to_owned());
        }
        let wanted = expected.get(aspect).unwrap_or(&none);
        let got = actual.get(aspect).unwrap_or(&none);
        let missing = subtract(wanted, got).into_iter().map(|line| ('-', line));
        let extra = subtract(got, wanted).into_iter().map(|line| ('+', line));
        for (sign, line) in missing.chain(extra) {
            let key = named.to_owned();
            if known.covers(&case.name, aspect, sign, line) {
                *verdict.deliberate.entry(key).or_default() += 1;
            } else {
                let lines = verdict.differences.entry(key).or_default();
                lines.push(format!("{aspect}: {sign} {line}"));
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

/// One line about one script, printed as soon as it is known.
pub(crate) fn print_line(verdict: &Verdict) {
    let mark = if verdict.differences.is_empty() {
        "same"
    } else {
        "DIFFERS"
    };
    let deliberate = match verdict.deliberate.values().sum::<usize>() {
        0 => String::new(),
        count => format!(", {count} deliberate differences"),
    };
    let attempts = match verdict.attempts {
        1 => "",
        _ => ", second attempt",
    };
    println!(
        "{:40} {mark:8} {:3} cases {:5.1} s{deliberate}{attempts}",
        verdict.name,
        verdict.cases.len(),
        verdict.seconds
    );
}

/// Shows all differences and adds up.
pub(crate) fn report(verdicts: &[Verdict], start: Instant) -> Count {
    /// Lines shown per script; the rest is counted.
    const SHOWN: usize = 24;
    let mut count = Count::default();
    for verdict in verdicts {
        count.add(verdict.count());
        if verdict.differences.is_empty() {
            continue;
        }
        println!("\n{} (- k6, + netload)", verdict.name);
        let lines: Vec<_> = verdict.differences.values().flatten().collect();
        for line in lines.iter().take(SHOWN) {
            println!("  {line}");
        }
        if lines.len() > SHOWN {
            println!("  and {} more", lines.len() - SHOWN);
        }
    }
    println!(
        "\ndifferential: {count}, in {} scripts, in {:.0} s",
        verdicts.len(),
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
