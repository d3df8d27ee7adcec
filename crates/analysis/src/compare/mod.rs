//! Whether two sides, each of one run or several, differ by more than chance and by more than anybody cares about.
//!
//! The windows of each side are drawn again and again in blocks, runs first and then blocks inside each run (block
//! bootstrap: Künsch 1989; block length: Politis and White 2004; runs above windows: Kalibera and Jones 2013). The scatter
//! of the change between the draws gives its interval, widened for few blocks by Student's t and for several rows by
//! Bonferroni. Seconds in which the generator touched a number are left out first. The verdict needs both: a change that
//! chance does not explain, and one that is at least the margin.

mod draw;
mod row;
mod series;
mod trust;

use netload_record::{Key, Part, Record};
use serde_json::{Value, json};

use row::Measure;
use trust::{Both, Numbers};

/// How sure an interval is, over all rows of its table together.
pub const CONFIDENCE: f64 = 0.95;
/// Names that are compared at most: those with the most requests.
pub const NAMES_LIMIT: usize = 100;

/// What became of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Changed for the better, beyond margin and chance.
    Better,
    /// Not changed by as much as the margin.
    Same,
    /// The runs are too short, too few or too restless to say.
    CannotTell,
    /// Changed for the worse, beyond margin and chance.
    Worse,
}

impl Verdict {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Same => "same",
            Self::CannotTell => "cannot tell",
            Self::Worse => "worse",
        }
    }
}

/// What is too small a change to matter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// As a share of the first side's number: 0.05 is five percent.
    pub relative: f64,
    /// Times, in milliseconds: smaller changes never matter.
    pub floor_ms: f64,
    /// Shares, from 0 to 1: the same.
    pub floor_share: f64,
}

impl Default for Margin {
    fn default() -> Self {
        Self {
            relative: 0.05,
            floor_ms: 0.05,
            floor_share: 0.001,
        }
    }
}

/// One number on both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The metric.
    pub metric: String,
    /// Which samples of it.
    pub part: Part,
    /// Which number: `rate`, `share`, `p50`, `p95`, `p99`.
    pub stat: &'static str,
    /// On the first side: per second, a share, or milliseconds.
    pub a: f64,
    /// On the second side.
    pub b: f64,
    /// From the first to the second: relative to the first; of shares the difference.
    pub change: f64,
    /// Between which the change lies; none when there is too little to say so.
    pub interval: Option<(f64, f64)>,
    /// What it comes to.
    pub verdict: Verdict,
    /// Why it cannot be told, as a clause.
    pub why: Option<String>,
}

/// One side.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Its runs.
    pub runs: Vec<String>,
    /// Windows that were compared, of all its runs.
    pub windows: usize,
    /// Requests in them.
    pub requests: u64,
}

/// Two sides, compared.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// What it comes to, by the rows of the whole run.
    pub verdict: Verdict,
    /// The first side and the second.
    pub sides: [Side; 2],
    /// Numbers of the whole run.
    pub rows: Vec<Row>,
    /// Numbers by name; they do not decide.
    pub names: Vec<Row>,
    /// What makes the sides hard to compare, as sentences.
    pub caveats: Vec<String>,
    /// What was too small to matter.
    pub margin: Margin,
}

/// Compares two sides of at least one run each, without what the generator itself touched.
pub fn compare(a: &[Record], b: &[Record], margin: &Margin) -> Comparison {
    let [net, other] = [Numbers::Net, Numbers::Other].map(|numbers| Both::of(a, b, numbers));
    let both_of = |key: &Key| match Numbers::of(&key.metric, a.iter().chain(b)) {
        Numbers::Net => &net,
        Numbers::Other => &other,
    };
    let table = |mut what: Vec<(Key, Measure)>| -> Vec<Row> {
        what.retain(|(key, _)| has(&both_of(key).a.runs, key) && has(&both_of(key).b.runs, key));
        let alpha = (1.0 - CONFIDENCE) / what.len().max(1) as f64;
        let one = |(key, measure): &(Key, Measure)| {
            let both = both_of(key);
            let row = row::compare(&both.a.runs, &both.b.runs, key, *measure, margin, alpha);
            both.doubted(row)
        };
        what.iter().map(one).collect()
    };
    let rows = table(whole(a, b));
    Comparison {
        verdict: headline(&rows),
        sides: [side(&net.a.runs), side(&net.b.runs)],
        rows,
        names: table(by_name(a, b)),
        caveats: [caveats(a, b), trust::caveats(&net, &other)].concat(),
        margin: *margin,
    }
}

/// The numbers of whole runs.
fn whole(a: &[Record], b: &[Record]) -> Vec<(Key, Measure)> {
    let all = [
        ("http_reqs", Measure::Rate),
        ("http_req_failed", Measure::Share),
        ("http_req_duration", Measure::Quantile("p50", 0.5)),
        ("http_req_duration", Measure::Quantile("p95", 0.95)),
        ("http_req_duration", Measure::Quantile("p99", 0.99)),
        ("http_req_response", Measure::Quantile("p99", 0.99)),
        ("iteration_duration", Measure::Quantile("p95", 0.95)),
        ("checks", Measure::ShareOfFailures),
    ];
    let all = all
        .into_iter()
        .map(|(metric, measure)| (Key::whole(metric), measure));
    // In the open model the plan decides the rate.
    let is_planned = |record: &Record| record.seconds.iter().any(|frame| frame.planned.is_some());
    let planned = a.iter().chain(b).any(is_planned);
    all.filter(|(_, measure)| !planned || *measure != Measure::Rate)
        .collect()
}

/// The numbers of names that are known on both sides, those with the most requests first.
fn by_name(a: &[Record], b: &[Record]) -> Vec<(Key, Measure)> {
    let mut names: Vec<(u64, &String)> = Vec::new();
    let Some(first) = a.first() else {
        return Vec::new();
    };
    let named = first.parts("http_reqs", |part| match part {
        Part::Name(name) => Some(name),
        _ => None,
    });
    for (_, key, name) in named {
        if b.iter().any(|record| record.key(key).is_some()) {
            names.push((first.total(key).map_or(0, |point| point.samples()), name));
        }
    }
    names.sort_by(|x, y| y.0.cmp(&x.0).then_with(|| x.1.cmp(y.1)));
    let measures = |(_, name): (u64, &String)| {
        let key = |metric: &str| Key::of(metric, Part::Name(name.clone()));
        [
            (key("http_req_duration"), Measure::Quantile("p95", 0.95)),
            (key("http_req_failed"), Measure::Share),
        ]
    };
    let all = names.into_iter().take(NAMES_LIMIT);
    all.flat_map(measures).collect()
}

/// Whether a side has anything of a series in the windows that are compared.
fn has(side: &[Record], key: &Key) -> bool {
    side.iter().any(|record| {
        let windows = series::windows(record.frames_of(key));
        let number = record.key(key);
        number.is_some_and(|number| windows.iter().any(|frame| frame.point(number).is_some()))
    })
}

/// The verdict of several rows: the worst that is known, else the best.
fn headline(rows: &[Row]) -> Verdict {
    let any = |verdict| rows.iter().any(|row| row.verdict == verdict);
    if any(Verdict::Worse) {
        Verdict::Worse
    } else if any(Verdict::Better) {
        Verdict::Better
    } else if any(Verdict::CannotTell) || rows.is_empty() {
        Verdict::CannotTell
    } else {
        Verdict::Same
    }
}

fn side(runs: &[Record]) -> Side {
    let key = Key::whole("http_reqs");
    let requests = runs.iter().filter_map(|run| run.total(&key));
    Side {
        runs: runs.iter().map(|run| run.head.id.clone()).collect(),
        windows: runs
            .iter()
            .map(|run| series::windows(&run.seconds).len())
            .sum(),
        requests: requests.map(|point| point.samples()).sum(),
    }
}

/// Sentences about what differs besides what is compared.
fn caveats(a: &[Record], b: &[Record]) -> Vec<String> {
    let mut caveats = Vec::new();
    let Some(first) = a.first() else {
        return caveats;
    };
    let all = || a.iter().chain(b);
    let mut differs = |different: bool, text: &str| {
        if different {
            caveats.push(text.to_owned());
        }
    };
    differs(
        all().any(|r| r.head.title != first.head.title),
        "The runs are not of the same script or URL.",
    );
    differs(
        all().any(|r| r.head.script != first.head.script),
        "The scripts differ.",
    );
    differs(
        all().any(|r| r.head.options != first.head.options),
        "The options differ.",
    );
    differs(
        all().any(|r| r.head.host != first.head.host),
        "The runs were made on different machines.",
    );
    differs(
        all().any(|r| r.head.tool_version != first.head.tool_version),
        "The runs were made with different versions of netload.",
    );
    differs(
        all().any(|r| r.tail.is_none()),
        "A run did not come to its end.",
    );
    for run in all() {
        if trust::verdict(run) == "concurrency-bound" {
            caveats.push(format!(
                "In run {} all virtual users or connections were busy when starts were due.",
                run.head.id
            ));
        }
    }
    caveats
}

impl Row {
    /// Whether a larger number is a worse one.
    pub fn is_cost(&self) -> bool {
        self.stat != "rate"
    }

    /// As JSON.
    pub fn value(&self) -> Value {
        json!({
            "metric": self.metric,
            "part": self.part,
            "stat": self.stat,
            "a": self.a,
            "b": self.b,
            "change": self.change,
            "interval": self.interval.map(|(low, high)| [low, high]),
            "verdict": self.verdict.name(),
            "why": self.why,
        })
    }
}

impl Comparison {
    /// As JSON: `verdict`, `sides`, `rows`, `names`, `caveats`, `margin`.
    pub fn value(&self) -> Value {
        let side = |side: &Side| json!({ "runs": side.runs, "windows": side.windows, "requests": side.requests });
        let rows = |rows: &[Row]| rows.iter().map(Row::value).collect::<Value>();
        json!({
            "version": 1,
            "verdict": self.verdict.name(),
            "confidence": CONFIDENCE,
            "sides": [side(&self.sides[0]), side(&self.sides[1])],
            "rows": rows(&self.rows),
            "names": rows(&self.names),
            "caveats": self.caveats,
            "margin": {
                "relative": self.margin.relative,
                "floor_ms": self.margin.floor_ms,
                "floor_share": self.margin.floor_share,
            },
        })
    }
}
