//! What of a side can be compared: not the seconds in which the generator touched a number, and no run in which there is
//! little else.
//!
//! Net times hold while netload is late, so they lose fewer seconds than the others. Invariant: a number that the
//! generator touched is never called better or worse.

use std::borrow::Cow;

use netload_record::{Frame, Key, Point, Record};
use serde_json::Value;

use super::{Row, Verdict};

/// A disturbed run is compared by its other seconds when they are at least this share of it.
const CLEAN_SHARE: f64 = 0.5;
/// Evidence and frames are not cut at the same instants: a frame that has less than this of a disturbed second, in
/// nanoseconds, is untouched.
const EDGE_NS: u64 = 200_000_000;

/// Which numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Numbers {
    /// What holds while netload is late: net times, and failures.
    Net,
    /// All others.
    Other,
}

impl Numbers {
    /// What a metric of these runs is.
    pub(crate) fn of<'a>(metric: &str, mut runs: impl Iterator<Item = &'a Record>) -> Self {
        let is_net = |run: &Record| match &run.tail {
            Some(tail) => tail.document["accuracy"]["basis"] == "net",
            None => false,
        };
        match metric {
            "http_req_failed" => Self::Net,
            "http_req_duration" if runs.all(is_net) => Self::Net,
            _ => Self::Other,
        }
    }

    /// Whether they are wrong in a second with this evidence.
    fn are_touched(self, entry: &Value) -> bool {
        let is_wrong = entry["verdict"].as_str().is_some_and(|v| v != "clean");
        match (self, entry["touched"].as_array()) {
            (Self::Net, Some(touched)) => {
                let matters = ["net", "load", "failures"];
                is_wrong && touched.iter().any(|name| matters.iter().any(|m| name == m))
            }
            _ => is_wrong,
        }
    }
}

/// A side without what cannot be trusted.
pub(crate) struct Trusted<'a> {
    /// Its runs; all of them when none can be trusted.
    pub(crate) runs: Cow<'a, [Record]>,
    /// Why nothing can be told of the side, as a clause.
    pub(crate) doubt: Option<String>,
    /// What was left out, as sentences.
    pub(crate) caveats: Vec<String>,
}

/// Both sides without what cannot be trusted of some numbers.
pub(crate) struct Both<'a> {
    pub(crate) a: Trusted<'a>,
    pub(crate) b: Trusted<'a>,
}

impl<'a> Both<'a> {
    pub(crate) fn of(a: &'a [Record], b: &'a [Record], numbers: Numbers) -> Self {
        Self {
            a: trusted(a, numbers),
            b: trusted(b, numbers),
        }
    }

    /// The row, about which nothing is told when a side has nothing that can be trusted.
    pub(crate) fn doubted(&self, row: Row) -> Row {
        match self.a.doubt.as_ref().or(self.b.doubt.as_ref()) {
            None => row,
            Some(doubt) => Row {
                verdict: Verdict::CannotTell,
                why: Some(doubt.clone()),
                ..row
            },
        }
    }

    fn caveats(&self) -> impl Iterator<Item = &String> {
        self.a.caveats.iter().chain(&self.b.caveats)
    }
}

/// What was left out of net numbers, and beyond that of the others.
pub(crate) fn caveats(net: &Both<'_>, other: &Both<'_>) -> Vec<String> {
    let more = other
        .caveats()
        .filter(|text| !net.caveats().any(|t| t == *text));
    net.caveats().chain(more).cloned().collect()
}

/// What the generator's verdict leaves of a run.
enum Trust {
    All,
    Some(Box<Record>, String),
    None(String),
}

/// Takes out of a side what cannot be trusted of these numbers.
fn trusted(side: &[Record], numbers: Numbers) -> Trusted<'_> {
    let trust: Vec<Trust> = side.iter().map(|run| trust(run, numbers)).collect();
    let is_all = |trust: &Trust| matches!(trust, Trust::All);
    if trust.iter().all(is_all) {
        return Trusted {
            runs: Cow::Borrowed(side),
            doubt: None,
            caveats: Vec::new(),
        };
    }
    let (mut runs, mut doubts, mut caveats) = (Vec::new(), Vec::new(), Vec::new());
    for (run, trust) in side.iter().zip(trust) {
        match trust {
            Trust::All => runs.push(run.clone()),
            Trust::Some(rest, caveat) => {
                runs.push(*rest);
                caveats.push(caveat);
            }
            Trust::None(doubt) => doubts.push((doubt, &run.head.id)),
        }
    }
    if runs.is_empty() {
        return Trusted {
            runs: Cow::Borrowed(side),
            doubt: doubts.into_iter().next().map(|(doubt, _)| doubt),
            caveats,
        };
    }
    let left_out = |(doubt, id): (String, &String)| format!("Run {id} is left out: {doubt}.");
    caveats.extend(doubts.into_iter().map(left_out));
    Trusted {
        runs: Cow::Owned(runs),
        doubt: None,
        caveats,
    }
}

fn trust(run: &Record, numbers: Numbers) -> Trust {
    let id = &run.head.id;
    match verdict(run) {
        "generator-bound" => Trust::None(format!(
            "in run {id} netload itself was the limit (generator-bound)"
        )),
        "invalid" => Trust::None(format!("run {id} contradicts itself (invalid)")),
        "disturbed" => {
            let [touched, net] = [numbers, Numbers::Net].map(|numbers| touched(run, numbers));
            // It is known when it was disturbed, and never these numbers.
            if touched.is_empty() && !self::touched(run, Numbers::Other).is_empty() {
                return Trust::All;
            }
            let rest = without(&run.seconds, &touched);
            let (all, clean) = (run.seconds.len(), rest.len());
            let lost = all - clean;
            if lost == 0 || (clean as f64) < CLEAN_SHARE * all as f64 {
                return Trust::None(format!(
                    "the generator was disturbed in run {id}, and too little of it is untouched"
                ));
            }
            let more = match touched == net {
                true => "",
                false => " for times that are not net",
            };
            let caveat = format!(
                "Of run {id}, {lost} of {all} seconds are left out{more}: the generator was disturbed in them."
            );
            let rest = Record {
                seconds: rest,
                spans: without(&run.spans, &touched),
                head: run.head.clone(),
                keys: run.keys.clone(),
                tail: run.tail.clone(),
            };
            Trust::Some(Box::new(rest), caveat)
        }
        _ => Trust::All,
    }
}

/// The generator's verdict; empty when there is none.
pub(crate) fn verdict(run: &Record) -> &str {
    let tail = run.tail.as_ref();
    let verdict = tail.and_then(|tail| tail.document["generator"]["verdict"].as_str());
    verdict.unwrap_or_default()
}

/// When something was wrong, in nanoseconds since the run started, and until the requests of that time had ended: they
/// count when they end.
fn touched(run: &Record, numbers: Numbers) -> Vec<(u64, u64)> {
    let Some(tail) = &run.tail else {
        return Vec::new();
    };
    let at_ns =
        |entry: &Value, name: &str| (entry[name].as_f64().unwrap_or(0.0).max(0.0) * 1e9) as u64;
    let until_ns = |entry| at_ns(entry, "at_s").saturating_add(at_ns(entry, "span_s"));
    // Evidence counts from the start of the load, frames from that of the run: setup() lies between, and how long it
    // took is not known apart from teardown().
    let known_ns = tail.evidence.last().map_or(0, until_ns);
    let shift_ns = tail.elapsed_ns.saturating_sub(known_ns);
    let lasts_ns = slow_ns(run);
    let wrong = tail.evidence.iter();
    let wrong = wrong.filter(|entry| numbers.are_touched(entry));
    wrong
        .map(|entry| {
            let until_ns = until_ns(entry).saturating_add(shift_ns);
            (at_ns(entry, "at_s"), until_ns.saturating_add(lasts_ns))
        })
        .collect()
}

/// How long a slow request took: p99, 0 when there was none.
fn slow_ns(run: &Record) -> u64 {
    let total = run.total(&Key::whole("http_req_duration"));
    let dist = total.as_ref().and_then(Point::dist);
    let slow_ms = dist.filter(|d| d.count > 0).map(|dist| dist.quantile(0.99));
    (slow_ms.unwrap_or(0.0).max(0.0) * 1e6) as u64
}

fn without(frames: &[Frame], touched: &[(u64, u64)]) -> Vec<Frame> {
    let is_clean = |frame: &&Frame| {
        let common_ns = |(from, until): &(u64, u64)| {
            let until = frame.until_ns().min(*until);
            until.saturating_sub(frame.at_ns.max(*from))
        };
        touched.iter().map(common_ns).max().unwrap_or(0) < EDGE_NS
    };
    frames.iter().filter(is_clean).cloned().collect()
}
