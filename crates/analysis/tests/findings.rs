//! Every rule on a run that shows what it looks for, and on one that does not.

use netload_analysis::{Finding, RULES, Severity, findings};
use netload_metrics::Histogram;
use netload_record::{Dist, Frame, Key, Part, Point, Record, Tail};
use serde_json::json;

const SECOND_NS: u64 = 1_000_000_000;

/// A second of a made-up run.
#[derive(Clone, Copy)]
struct Second {
    vus: u64,
    planned: Option<u64>,
    dropped: u64,
    requests: u64,
    failed: u64,
    ms: f64,
}

/// A healthy one.
const USUAL: Second = Second {
    vus: 10,
    planned: None,
    dropped: 0,
    requests: 100,
    failed: 0,
    ms: 20.0,
};

/// Evenly spread around a middle, by a tenth.
fn spread(count: u64, ms: f64) -> Dist {
    let mut values = Histogram::default();
    (0..count).for_each(|i| values.record(ms * (0.95 + 0.1 * i as f64 / count as f64)));
    Dist::of(&values, 8)
}

fn run(seconds: impl IntoIterator<Item = Second>) -> Record {
    let frame = |(second, at): (Second, u64)| Frame {
        at_ns: at * SECOND_NS,
        span_ns: SECOND_NS,
        vus: second.vus,
        vus_max: second.vus,
        planned: second.planned,
        started: second.requests,
        dropped: second.dropped,
        points: vec![
            (
                0,
                Point::Counter {
                    sum: second.requests as f64,
                    samples: second.requests,
                },
            ),
            (
                1,
                Point::Rate {
                    passes: second.failed,
                    total: second.requests,
                },
            ),
            (2, Point::Trend(spread(second.requests, second.ms))),
        ],
    };
    let seconds: Vec<Frame> = seconds.into_iter().zip(0..).map(frame).collect();
    Record {
        keys: ["http_reqs", "http_req_failed", "http_req_duration"]
            .map(Key::whole)
            .into(),
        tail: Some(Tail {
            elapsed_ns: seconds.len() as u64 * SECOND_NS,
            document: json!({ "generator": { "verdict": "clean" } }),
            ..Tail::default()
        }),
        seconds,
        ..Record::default()
    }
}

/// A minute in which nothing happens.
fn healthy() -> Record {
    run([USUAL; 60])
}

/// Adds what one more series has seen in the whole run.
fn add(record: &mut Record, key: Key, point: Point) {
    let number = record.keys.len() as u32;
    let by_second = key.part.is_by_second();
    record.keys.push(key);
    let frames = if by_second {
        &mut record.seconds
    } else {
        &mut record.spans
    };
    if frames.is_empty() {
        frames.push(Frame {
            span_ns: 10 * SECOND_NS,
            ..Frame::default()
        });
    }
    frames[0].points.push((number, point));
}

fn counted(record: &mut Record, part: Part, samples: u64) {
    add(
        record,
        Key::of("http_reqs", part),
        Point::Counter {
            sum: samples as f64,
            samples,
        },
    );
}

fn found(record: &Record, rule: &str) -> Option<Finding> {
    assert!(
        RULES.iter().any(|known| known.name == rule),
        "{rule} is no rule"
    );
    findings(record)
        .into_iter()
        .find(|finding| finding.rule == rule)
}

/// The rule finds something in this run, says this, and nothing in a healthy one.
fn check(record: &Record, rule: &str, words: &str) -> Finding {
    let finding = found(record, rule)
        .unwrap_or_else(|| panic!("{rule} found nothing: {:?}", findings(record)));
    assert!(finding.sentence.contains(words), "{}", finding.sentence);
    assert!(finding.since_ns <= finding.until_ns && !finding.title.ends_with('.'));
    assert!(finding.sentence.ends_with('.') && finding.evidence.is_object());
    finding
}

#[test]
fn nothing_is_found_in_a_healthy_run_and_in_none() {
    assert_eq!(findings(&healthy()), []);
    assert_eq!(findings(&Record::default()), []);
    let names: std::collections::HashSet<_> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), RULES.len());
}

#[test]
fn every_rule_is_documented() {
    let text = include_str!("../../../docs/findings.md");
    for rule in RULES {
        assert!(
            text.contains(&format!("| `{}` |", rule.name)),
            "docs/findings.md lacks {}",
            rule.name
        );
    }
}

#[test]
fn errors_from_the_start() {
    let mut record = run([Second {
        failed: 30,
        ..USUAL
    }; 60]);
    counted(&mut record, Part::Status("401".to_owned()), 1_800);
    let finding = check(
        &record,
        "early-errors",
        "30 % of the first 100 requests failed, mostly with status 401",
    );
    assert_eq!(finding.severity, Severity::Problem);
    assert_eq!(
        found(
            &run([Second {
                failed: 10,
                ..USUAL
            }; 60]),
            "early-errors"
        ),
        None
    );
}

#[test]
fn errors_under_load() {
    let at = |second: u64| Second {
        failed: if second >= 30 { 40 } else { 1 },
        vus: second + 1,
        ..USUAL
    };
    let finding = check(
        &run((0..60).map(at)),
        "error-onset",
        "From 30s on, at 31 virtual users",
    );
    assert_eq!(
        (finding.since_ns, finding.until_ns),
        (30 * SECOND_NS, 60 * SECOND_NS)
    );
    // One bad second is none.
    let blip = |second: u64| Second {
        failed: if second == 30 { 40 } else { 1 },
        ..USUAL
    };
    assert_eq!(found(&run((0..60).map(blip)), "error-onset"), None);
}

#[test]
fn a_generator_that_was_not_clean() {
    let mut record = healthy();
    let report = json!({
        "verdict": "generator-bound", "since_s": 3.0, "until_s": 9.0, "cause": "own-cpu",
        "detail": "worker 0 used all of its CPU", "meaning": "the load was not the planned one",
    });
    record.tail.as_mut().unwrap().document = json!({ "generator": report });
    let finding = check(
        &record,
        "generator-trouble",
        "Worker 0 used all of its CPU. The load was not the planned one.",
    );
    assert_eq!(
        (finding.since_ns, finding.severity),
        (3 * SECOND_NS, Severity::Problem)
    );
}

#[test]
fn a_clock_that_was_set() {
    let mut record = healthy();
    let slice =
        |steps| json!({ "at_s": 5.0, "span_s": 1.0, "clock_steps": steps, "clock_step_ms": 250.0 });
    record.tail.as_mut().unwrap().evidence = vec![slice(0), slice(1)];
    check(&record, "clock-skew", "was set once, by up to 250 ms");
    record.tail.as_mut().unwrap().evidence = vec![slice(0)];
    assert_eq!(found(&record, "clock-skew"), None);
}

#[test]
fn planned_starts_that_were_dropped() {
    let open = Second {
        planned: Some(100),
        ..USUAL
    };
    let record = run((0..60).map(|second| Second {
        dropped: if second > 40 { 20 } else { 0 },
        ..open
    }));
    let finding = check(
        &record,
        "dropped-arrivals",
        "380 of 6,000 planned starts (6.3 %) were dropped",
    );
    assert_eq!(finding.since_ns, 41 * SECOND_NS);
    // In the closed model nothing is planned.
    assert_eq!(
        found(
            &run([Second {
                dropped: 20,
                ..USUAL
            }; 60]),
            "dropped-arrivals"
        ),
        None
    );
    assert_eq!(found(&run([open; 60]), "dropped-arrivals"), None);
}

#[test]
fn throughput_that_reaches_its_end() {
    // 10 ms of service on 20 servers: more than 2,000 a second there are not.
    let at = |second: u64| {
        let vus = 1 + second;
        let requests = (vus * 100).min(2_000);
        Second {
            vus,
            requests,
            ms: 10.0 * (vus as f64 / 20.0).max(1.0),
            ..USUAL
        }
    };
    let record = run((0..60).map(at));
    let finding = check(
        &record,
        "throughput-plateau",
        "the rate stays near 2,000 requests a second",
    );
    let knee = finding.since_ns / SECOND_NS;
    assert!((17..=22).contains(&knee), "{knee}");
    let finding = check(&record, "latency-knee", "p95 is near 10.4 ms");
    let knee = finding.since_ns / SECOND_NS;
    assert!((16..=26).contains(&knee), "{knee}");
    // A server with room.
    let with_room = |second: u64| Second {
        vus: 1 + second,
        requests: 100 * (1 + second),
        ms: 10.0,
        ..USUAL
    };
    let record = run((0..60).map(with_room));
    assert_eq!(
        (
            found(&record, "throughput-plateau"),
            found(&record, "latency-knee")
        ),
        (None, None)
    );
}

#[test]
fn a_second_without_responses() {
    let at = |second: u64| Second {
        requests: if second == 30 || second == 31 { 2 } else { 100 },
        ..USUAL
    };
    let finding = check(&run((0..60).map(at)), "stall", "At 30s, for 2s in all");
    assert_eq!(finding.until_ns, 32 * SECOND_NS);
    // Fewer users, fewer requests.
    let paused = |second: u64| match second {
        30 | 31 => Second {
            requests: 2,
            vus: 1,
            ..USUAL
        },
        _ => USUAL,
    };
    assert_eq!(found(&run((0..60).map(paused)), "stall"), None);
}

#[test]
fn responses_that_get_slower_at_the_same_load() {
    let slower = |second: u64| Second {
        ms: 20.0 + second as f64,
        ..USUAL
    };
    check(
        &run((0..60).map(slower)),
        "slow-growth",
        "Under constant load p95 grew from",
    );
    let waves = |second: u64| Second {
        ms: 20.0 + 10.0 * (second % 2) as f64,
        ..USUAL
    };
    assert_eq!(found(&run((0..60).map(waves)), "slow-growth"), None);
}

#[test]
fn waiting_before_the_request() {
    let mut record = healthy();
    let waited = |ms| Point::Trend(spread(6_000, ms));
    add(&mut record, Key::whole("http_req_response"), waited(90.0));
    check(
        &record,
        "hidden-waiting",
        "requests waited for a free user or connection",
    );
    let mut record = healthy();
    add(&mut record, Key::whole("http_req_response"), waited(20.5));
    assert_eq!(found(&record, "hidden-waiting"), None);
}

#[test]
fn connections_that_are_not_reused() {
    let connecting = |fresh: u64, reused: u64| {
        let mut dist = spread(fresh, 0.5);
        dist.count += reused;
        dist.zeros = reused;
        dist.min = 0.0;
        let mut record = healthy();
        add(
            &mut record,
            Key::whole("http_req_connecting"),
            Point::Trend(dist),
        );
        record
    };
    check(
        &connecting(5_900, 100),
        "connection-churn",
        "98 % of the requests made a new connection",
    );
    assert_eq!(found(&connecting(10, 5_990), "connection-churn"), None);
}

#[test]
fn a_name_with_two_kinds_of_requests() {
    let named = |slow: f64| {
        let mut dist = spread(950, 2.0);
        dist.merge(&spread(50, slow));
        let mut record = healthy();
        add(
            &mut record,
            Key::of("http_req_duration", Part::Name("search".to_owned())),
            Point::Trend(dist),
        );
        record
    };
    let finding = check(
        &named(80.0),
        "variable-endpoint",
        "times as long, in 1000 requests",
    );
    assert_eq!(finding.title, "Response times of search vary widely");
    assert_eq!(found(&named(8.0), "variable-endpoint"), None);
}

#[test]
fn one_address_that_gets_nearly_everything() {
    let spread = |first, second| {
        let mut record = healthy();
        counted(&mut record, Part::Ip("10.0.0.1".to_owned()), first);
        counted(&mut record, Part::Ip("10.0.0.2".to_owned()), second);
        record
    };
    check(
        &spread(5_700, 300),
        "uneven-targets",
        "10.0.0.1 got 95 % of the requests",
    );
    assert_eq!(found(&spread(3_100, 2_900), "uneven-targets"), None);
}

#[test]
fn answers_out_of_a_cache() {
    let answers = |fresh, unchanged| {
        let mut record = healthy();
        counted(&mut record, Part::Status("200".to_owned()), fresh);
        counted(&mut record, Part::Status("304".to_owned()), unchanged);
        record
    };
    check(
        &answers(1_000, 5_000),
        "caching",
        "83 % of the responses have the status 304",
    );
    assert_eq!(found(&answers(5_000, 1_000), "caching"), None);
}

#[test]
fn hosts_of_others() {
    let hosts = |count| {
        let mut record = healthy();
        (0..count)
            .for_each(|host| counted(&mut record, Part::Host(format!("host{host}.example")), 100));
        record
    };
    check(
        &hosts(6),
        "third-party-hosts",
        "Requests went to 6 hosts: host0.example",
    );
    assert_eq!(found(&hosts(3), "third-party-hosts"), None);
}

#[test]
fn names_without_end() {
    let names = |count| {
        let mut record = healthy();
        (0..count).for_each(|id| {
            counted(
                &mut record,
                Part::Name(format!("http://shop.example/item/{id}")),
                1,
            )
        });
        record
    };
    check(
        &names(501),
        "cardinality",
        "Many look like http://shop.example/item/${}",
    );
    assert_eq!(found(&names(50), "cardinality"), None);
}

#[test]
fn a_slow_start() {
    let at = |second: u64| Second {
        ms: if second < 5 { 60.0 } else { 20.0 },
        ..USUAL
    };
    check(&run((0..60).map(at)), "warm-up", "In the first 6s p95 was");
}

#[test]
fn a_short_run() {
    let finding = check(&run([USUAL; 5]), "too-short", "500 requests in 5s");
    assert_eq!(finding.severity, Severity::Note);
}
