//! Made-up runs with known differences: how often the verdict is right.
//!
//! Windows are as restless as those of real runs: each second's median moves with the ones before it.

use netload_analysis::{Margin, Verdict, compare};
use netload_metrics::Histogram;
use netload_record::{Dist, Frame, Head, Key, Part, Point, Record, Tail};
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// Seconds of each run.
const SECONDS: u64 = 90;
/// Requests in a second.
const REQUESTS: u64 = 400;
/// How much of a second's deviation the next one keeps, and how large it is.
const MEMORY: f64 = 0.6;
const RESTLESSNESS: f64 = 0.03;

/// A normally distributed number, by the sum of twelve even ones.
fn normal(chance: &mut SmallRng) -> f64 {
    (0..12).map(|_| chance.random::<f64>()).sum::<f64>() - 6.0
}

/// A run; `slower` is by how much the slowest twentieth of its requests is slower than usual.
fn run(seed: u64, slower: f64) -> Record {
    let mut chance = SmallRng::seed_from_u64(seed);
    let mut mood = 0.0;
    let seconds = (0..SECONDS).map(|second| {
        mood = MEMORY * mood + (1.0 - MEMORY * MEMORY).sqrt() * RESTLESSNESS * normal(&mut chance);
        let mut values = Histogram::default();
        for _ in 0..REQUESTS {
            let place = normal(&mut chance);
            let usual = 10.0 * f64::exp(0.3 * place + mood);
            values.record(if place > 1.645 {
                usual * (1.0 + slower)
            } else {
                usual
            });
        }
        let requests = Point::Counter {
            sum: REQUESTS as f64,
            samples: REQUESTS,
        };
        let failed = Point::Rate {
            passes: 0,
            total: REQUESTS,
        };
        Frame {
            at_ns: second * 1_000_000_000,
            span_ns: 1_000_000_000,
            points: vec![
                (0, requests),
                (1, failed),
                (2, Point::Trend(Dist::of(&values, 8))),
            ],
            ..Frame::default()
        }
    });
    Record {
        seconds: seconds.collect(),
        keys: ["http_reqs", "http_req_failed", "http_req_duration"]
            .map(Key::whole)
            .into(),
        head: Head {
            id: format!("run {seed}"),
            ..Head::default()
        },
        ..Record::default()
    }
}

/// How many of so many pairs come to each verdict: worse, better, same, cannot tell.
fn verdicts(pairs: u64, slower: f64) -> [usize; 4] {
    let mut counts = [0; 4];
    for pair in 0..pairs {
        let (a, b) = (run(2 * pair + 1, 0.0), run(2 * pair + 2, slower));
        let verdict = compare(&[a], &[b], &Margin::default()).verdict;
        let order = [
            Verdict::Worse,
            Verdict::Better,
            Verdict::Same,
            Verdict::CannotTell,
        ];
        counts[order.iter().position(|v| *v == verdict).unwrap()] += 1;
    }
    counts
}

#[test]
fn of_100_pairs_of_the_same_build_at_most_5_are_called_worse() {
    let counts = verdicts(100, 0.0);
    assert!(
        counts[0] <= 5 && counts[1] <= 5,
        "worse, better, same, cannot tell: {counts:?}"
    );
    assert!(
        counts[2] >= 50,
        "worse, better, same, cannot tell: {counts:?}"
    );
}

#[test]
fn of_100_pairs_with_a_p99_10_percent_longer_at_least_95_are_called_worse() {
    let counts = verdicts(100, 0.10);
    assert!(
        counts[0] >= 95,
        "worse, better, same, cannot tell: {counts:?}"
    );
}

#[test]
fn too_little_says_nothing() {
    let mut short = run(1, 0.0);
    short.seconds.truncate(2);
    let comparison = compare(&[short.clone()], &[run(2, 0.5)], &Margin::default());
    assert_eq!(comparison.verdict, Verdict::CannotTell);
    let why = comparison.rows[0].why.as_deref().unwrap();
    assert!(why.contains("too short"), "{why}");
    assert_eq!(
        compare(&[], &[], &Margin::default()).verdict,
        Verdict::CannotTell
    );
}

#[test]
fn several_runs_on_a_side_show_how_much_runs_differ() {
    let side = |first: u64, slower: f64| {
        (first..first + 4)
            .map(|seed| run(seed, slower))
            .collect::<Vec<_>>()
    };
    let same = compare(&side(100, 0.0), &side(200, 0.0), &Margin::default());
    assert_eq!(same.verdict, Verdict::Same, "{:#}", same.value());
    let worse = compare(&side(100, 0.0), &side(200, 0.2), &Margin::default());
    assert_eq!(worse.verdict, Verdict::Worse);
    let better = compare(&side(100, 0.2), &side(200, 0.0), &Margin::default());
    assert_eq!(better.verdict, Verdict::Better);
}

#[test]
fn the_same_records_give_the_same_answer() {
    let (a, b) = (run(1, 0.0), run(2, 0.03));
    let once = compare(
        std::slice::from_ref(&a),
        std::slice::from_ref(&b),
        &Margin::default(),
    );
    assert_eq!(once, compare(&[a], &[b], &Margin::default()));
}

/// The run with the generator's verdict, and its first `touched` seconds slower by half because of the generator.
fn disturbed(seed: u64, verdict: &str, touched: usize) -> Record {
    let mut record = run(seed, 0.0);
    for frame in record.seconds.iter_mut().take(touched) {
        let Point::Trend(dist) = &mut frame.points[2].1 else {
            unreachable!()
        };
        let half_more = (1.5f64.log2() * f64::from(dist.scale).exp2()).round() as i32;
        dist.positive
            .iter_mut()
            .for_each(|(at, _)| *at += half_more);
    }
    let entry = |second: u64| {
        let is_touched = (second as usize) < touched;
        let verdict = if is_touched { "disturbed" } else { "clean" };
        serde_json::json!({ "at_s": second, "span_s": 1.0, "verdict": verdict })
    };
    record.tail = Some(Tail {
        elapsed_ns: SECONDS * 1_000_000_000,
        document: serde_json::json!({ "generator": { "verdict": verdict } }),
        evidence: (0..SECONDS).map(entry).collect(),
        ..Tail::default()
    });
    record
}

#[test]
fn seconds_in_which_the_generator_was_disturbed_do_not_count() {
    let baseline = || run(1, 0.0);
    let compared = |run: Record| compare(&[baseline()], &[run], &Margin::default());
    // Nobody knows that the generator did it: worse.
    assert_eq!(compared(disturbed(2, "clean", 90)).verdict, Verdict::Worse);
    let comparison = compared(disturbed(2, "disturbed", 20));
    assert_eq!(
        comparison.verdict,
        Verdict::Same,
        "{:#}",
        comparison.value()
    );
    let told = "Of run run 2, 20 of 90 seconds are left out: the generator was disturbed in them.";
    let is_told = |caveats: &[String]| caveats.iter().any(|text| text == told);
    assert!(is_told(&comparison.caveats), "{:?}", comparison.caveats);
    // Health is looked at a little after the frames are cut.
    let mut later = disturbed(2, "disturbed", 20);
    for entry in &mut later.tail.as_mut().unwrap().evidence {
        entry["at_s"] = (entry["at_s"].as_f64().unwrap() + 0.1).into();
    }
    let comparison = compared(later);
    assert!(is_told(&comparison.caveats), "{:?}", comparison.caveats);
}

#[test]
fn a_run_that_the_generator_spoiled_tells_nothing() {
    let compared = |run: Record| {
        let comparison = compare(&[self::run(1, 0.0)], &[run], &Margin::default());
        (
            comparison.verdict,
            comparison.rows[2].why.clone().unwrap_or_default(),
        )
    };
    for (verdict, words) in [
        ("disturbed", "too little of it is untouched"),
        ("generator-bound", "netload itself was the limit"),
        ("invalid", "contradicts itself"),
    ] {
        let (found, why) = compared(disturbed(2, verdict, 60));
        assert_eq!(found, Verdict::CannotTell, "{verdict}");
        assert!(why.contains(words), "{why}");
    }
    // On either side, and also when the other numbers are better.
    let spoiled = || disturbed(2, "disturbed", 60);
    let turned = compare(&[spoiled()], &[run(1, 0.0)], &Margin::default());
    assert_eq!(turned.verdict, Verdict::CannotTell);
    // Beside runs that can be trusted it is left out.
    let side = [spoiled(), run(3, 0.0), run(4, 0.0)];
    let comparison = compare(&[run(1, 0.0), run(5, 0.0)], &side, &Margin::default());
    assert_eq!(
        comparison.verdict,
        Verdict::Same,
        "{:#}",
        comparison.value()
    );
    assert_eq!(comparison.sides[1].runs, ["run 3", "run 4"]);
    let is_told = |text: &String| text.starts_with("Run run 2 is left out: ");
    assert!(
        comparison.caveats.iter().any(is_told),
        "{:?}",
        comparison.caveats
    );
}

#[test]
fn a_name_that_was_only_seen_while_the_generator_was_disturbed_is_not_compared() {
    let of = |metric| Key::of(metric, Part::Name("/".into()));
    // By name there are spans of ten seconds; the disturbed ones are the first three.
    let named = |mut record: Record, spans: std::ops::Range<usize>| {
        record
            .keys
            .extend(["http_reqs", "http_req_duration"].map(of));
        record.spans = (spans.start..spans.end)
            .map(|span| Frame {
                at_ns: span as u64 * 10_000_000_000,
                span_ns: 10_000_000_000,
                points: vec![
                    (3, record.seconds[span * 10].points[0].1.clone()),
                    (4, record.seconds[span * 10].points[2].1.clone()),
                ],
                ..Frame::default()
            })
            .collect();
        record
    };
    let compared = |spans| {
        let b = named(disturbed(2, "disturbed", 30), spans);
        compare(&[named(run(1, 0.0), 0..9)], &[b], &Margin::default())
    };
    assert_eq!(compared(0..9).names.len(), 1);
    assert_eq!(compared(0..3).names.len(), 0);
}

#[test]
fn net_times_are_compared_where_the_generator_was_only_late() {
    let with_tail = |seed: u64, touched: &str, basis: &str| {
        let mut tail = disturbed(seed, "disturbed", 60).tail.unwrap();
        tail.document["accuracy"] = serde_json::json!({ "basis": basis });
        for entry in &mut tail.evidence {
            entry["touched"] = serde_json::json!([touched]);
        }
        Record {
            tail: Some(tail),
            ..run(seed, 0.0)
        }
    };
    let compared = |touched, basis| {
        let sides = [1, 2].map(|seed| [with_tail(seed, touched, basis)]);
        let comparison = compare(&sides[0], &sides[1], &Margin::default());
        let of = |metric: &str| {
            let mut rows = comparison.rows.iter();
            rows.find(|row| row.metric == metric).unwrap().verdict
        };
        ["http_req_duration", "http_req_failed", "http_reqs"].map(of)
    };
    use Verdict::{CannotTell, Same};
    assert_eq!(compared("gross", "net"), [Same, Same, CannotTell]);
    // Nobody knows when.
    let mut unknown = with_tail(2, "gross", "net");
    unknown.tail.as_mut().unwrap().evidence.clear();
    let comparison = compare(
        &[with_tail(1, "gross", "net")],
        &[unknown],
        &Margin::default(),
    );
    assert!(comparison.rows.iter().all(|row| row.verdict == CannotTell));
    // What is touched is not compared, whatever it is called.
    assert_eq!(compared("net", "net"), [CannotTell; 3]);
    assert_eq!(compared("gross", "gross"), [CannotTell, Same, CannotTell]);
}
