//! What people read: the summary, the result of `netload hit`, the start block, the picture of a running test.

use crate::support::{Run, check, example, widest};
use netload_metrics::generator::{
    Cause, CleanPart, Episode, Evidence, Report, Spread, Touched, Unread, Verdict, Zero,
};
use netload_metrics::{Contains, Kind, Summary};
use netload_output::hit::{self, HitView};
use netload_output::progress::{
    Iterations, Live, Load, Phase, ProgressView, ScenarioView, Spread as Histogram, frame, plain,
};
use netload_output::start::{self, StartView};
use netload_output::tally::TallySink;
use netload_output::{Mode, Palette, SummaryOptions, TimeUnit, TrendStat, document, text, zero};
use proptest::prelude::*;

const SECOND_NS: u64 = 1_000_000_000;

#[test]
fn the_compact_summary() {
    let text = text::render(&example().finish(), &SummaryOptions::default());
    check(&text, "summary_compact.txt");
    assert!(widest(&text) <= 80, "{}", widest(&text));
}

#[test]
fn the_full_summary() {
    let options = SummaryOptions {
        mode: Mode::Full,
        ..SummaryOptions::default()
    };
    let text = text::render(&example().finish(), &options);
    check(&text, "summary_full.txt");
    assert!(widest(&text) <= 80, "{}", widest(&text));
}

#[test]
fn a_wide_terminal_has_trends_on_one_line() {
    let options = SummaryOptions {
        width: 140,
        ..SummaryOptions::default()
    };
    let text = text::render(&example().finish(), &options);
    check(&text, "summary_wide.txt");
}

#[test]
fn chosen_statistics_and_unit() {
    let stats = ["count", "p(99.9)", "med", "max", "avg", "min", "p(25)"];
    let options = SummaryOptions {
        trend_stats: TrendStat::parse_all(&stats).unwrap(),
        time_unit: TimeUnit::Milliseconds,
        ..SummaryOptions::default()
    };
    let text = text::render(&example().finish(), &options);
    check(&text, "summary_stats.txt");
    assert!(widest(&text) <= 80, "{}", widest(&text));
}

#[test]
fn a_summary_in_colours_says_the_same() {
    let summary = example().finish();
    let plain = text::render(&summary, &SummaryOptions::default());
    let options = SummaryOptions {
        palette: Palette::Ansi,
        ..SummaryOptions::default()
    };
    let coloured = text::render(&summary, &options);
    assert_ne!(coloured, plain);
    assert_eq!(without_colours(&coloured), plain);
}

#[test]
fn an_empty_run_and_a_disabled_summary() {
    let empty = Summary::default();
    check(
        &text::render(&empty, &SummaryOptions::default()),
        "summary_empty.txt",
    );
    let disabled = SummaryOptions {
        mode: Mode::Disabled,
        ..SummaryOptions::default()
    };
    assert_eq!(text::render(&example().finish(), &disabled), "");
}

#[test]
fn long_names_stand_alone_and_warnings_name_the_tag() {
    let mut run = Run::new();
    let long = "a_metric_whose_name_nobody_would_want_to_type_twice";
    let long = run.declare(long, Kind::Trend, Contains::Time);
    let tags = run.tags(&[("group", "")]);
    run.add(long, tags, 1.5, 1);
    let mut summary = run.finish();
    summary.blamed_tags = vec!["url".to_owned(), "name".to_owned()];
    summary.series = 10_001;
    summary.samples_lost = 1_234_567;
    let text = text::render(&summary, &SummaryOptions::default());
    check(&text, "summary_warnings.txt");
    assert!(widest(&text) <= 80, "{}", widest(&text));
}

#[test]
fn the_first_lines_answer_the_four_questions() {
    let mut run = example();
    let refused = [("error", "connection refused"), ("status", "0")];
    let refused = run.tags(&refused);
    let requests = run.registry.builtin.http_reqs;
    run.add(requests, refused, 1.0, 3);
    let mut sink = TallySink::new();
    let tally = sink.shared();
    let mut summary = run.finish_into(&mut sink);
    summary.generator = Some(Box::new(disturbed()));
    let options = SummaryOptions::default();
    let text = text::headline(&summary, &tally.snapshot(), &options);
    check(&text, "summary_headline.txt");
    assert!(widest(&text) <= 80, "{}", widest(&text));
    let coloured = SummaryOptions {
        palette: Palette::Ansi,
        ..options.clone()
    };
    let coloured = text::headline(&summary, &tally.snapshot(), &coloured);
    assert_eq!(without_colours(&coloured), text);
    let nothing = text::headline(&Summary::default(), &tally.snapshot(), &options);
    assert_eq!(nothing, "");
}

#[test]
fn the_result_of_hit() {
    let mut run = example();
    let refused = [
        ("error", "connection refused"),
        ("error_code", "1212"),
        ("status", "0"),
    ];
    let refused = run.tags(&refused);
    let requests = run.registry.builtin.http_reqs;
    run.add(requests, refused, 1.0, 3);
    let mut sink = TallySink::new();
    let tally = sink.shared();
    let summary = run.finish_into(&mut sink);
    let view = HitView {
        request: "GET http://127.0.0.1:8080/",
        load: "64 connections for 2.5s",
        summary: &summary,
        tally: &tally.snapshot(),
    };
    let text = hit::render(&view, Palette::Plain);
    check(&text, "hit.txt");
    assert!(widest(&text) <= 80, "{}", widest(&text));
    assert_eq!(without_colours(&hit::render(&view, Palette::Ansi)), text);
}

#[test]
fn the_start_block() {
    let view = StartView {
        execution: "local".to_owned(),
        script: "shop.js".to_owned(),
        outputs: vec!["json (out.json)".to_owned(), "csv (out.csv)".to_owned()],
        share: 1.0,
        max_vus: 4,
        max_duration_ns: Some(90_500_000_000),
        scenarios: vec![
            (
                "a".to_owned(),
                "2 looping VUs for 2s (gracefulStop: 1s)".to_owned(),
            ),
            ("bb".to_owned(), "5 iterations for each of 2 VUs".to_owned()),
        ],
    };
    let mut text = start::render(&view, Palette::Plain);
    let endless = StartView {
        outputs: Vec::new(),
        share: 1.0 / 3.0,
        max_duration_ns: None,
        scenarios: view.scenarios[..1].to_vec(),
        ..view
    };
    text.push_str(&start::render(&endless, Palette::Plain));
    check(&text, "start.txt");
}

#[test]
fn progress_in_plain_lines() {
    check(&plain(&running()), "progress_plain.txt");
}

#[test]
fn progress_on_a_terminal() {
    let view = running();
    let lines = frame(&view, 80, Palette::Plain);
    let text = lines.join("\n") + "\n";
    check(&text, "progress_frame.txt");
    assert!(widest(&text) <= 80);
    let coloured = frame(&view, 80, Palette::Ansi).join("\n") + "\n";
    assert_eq!(without_colours(&coloured), text);
}

proptest! {
    #[test]
    fn a_frame_never_exceeds_the_terminal(
        width in 0usize..120,
        name in ".{0,40}",
        warnings in prop::collection::vec("[a-z ]{0,120}", 0..6),
        rate in 0.0..1e12f64,
        total_ns in prop::option::of(0u64..1 << 60),
    ) {
        let mut view = running();
        view.scenarios[0].name = name.replace('\n', " ");
        view.warnings = warnings;
        view.live.requests_per_s = rate;
        view.total_ns = total_ns;
        let lines = frame(&view, width, Palette::Plain);
        prop_assert_eq!(lines.len(), frame(&view, 500, Palette::Plain).len());
        prop_assert!(widest(&lines.join("\n")) <= width);
    }

    #[test]
    fn a_summary_keeps_to_its_width(values in prop::collection::vec(0.0..1e9f64, 1..40), width in 80usize..200) {
        let mut run = Run::new();
        let duration = run.registry.builtin.http_req_duration;
        let tags = run.tags(&[("expected_response", "true")]);
        for value in values {
            run.add(duration, tags, value, 1);
        }
        let options = SummaryOptions { width, ..SummaryOptions::default() };
        let text = text::render(&run.finish(), &options);
        prop_assert!(widest(&text) <= width, "{}", text);
    }
}

fn running() -> ProgressView {
    let scenario = |name: &str, phase, elapsed_ns, duration_ns, vus_max, load| ScenarioView {
        name: name.to_owned(),
        phase,
        elapsed_ns,
        duration_ns: Some(duration_ns),
        vus_active: 2,
        vus_max,
        load,
    };
    let shared = Load::SharedIterations {
        done: 12,
        total: 20,
    };
    let each = Load::PerVuIterations {
        done: 8,
        total: 10,
        each: 5,
    };
    let waiting = Phase::Waiting {
        starts_in_ns: 3 * SECOND_NS,
    };
    ProgressView {
        status: "running".to_owned(),
        elapsed_ns: 12_340_000_000,
        total_ns: Some(60 * SECOND_NS),
        vus_active: 7,
        vus_max: 12,
        iterations: Iterations {
            complete: 12_345,
            interrupted: 1,
            dropped: 3,
        },
        scenarios: vec![
            scenario(
                "browse",
                Phase::Running,
                12_340_000_000,
                60 * SECOND_NS,
                None,
                Load::Looping,
            ),
            scenario(
                "ramp",
                Phase::Running,
                SECOND_NS,
                2_500_000_000,
                Some(30),
                Load::Looping,
            ),
            scenario(
                "shared",
                Phase::Running,
                SECOND_NS,
                5 * SECOND_NS,
                None,
                shared,
            ),
            scenario(
                "each",
                Phase::Stopped,
                SECOND_NS / 2,
                60 * SECOND_NS,
                None,
                each,
            ),
            scenario(
                "a_rather_long_name_of_a_scenario",
                Phase::Running,
                12_340_000_000,
                60 * SECOND_NS,
                Some(5),
                Load::Arrivals { per_s: 8.96 },
            ),
            scenario(
                "done",
                Phase::Done,
                2 * SECOND_NS,
                2 * SECOND_NS,
                None,
                Load::Looping,
            ),
            scenario("late", waiting, 0, SECOND_NS, None, Load::Looping),
        ],
        live: Live {
            requests_per_s: 41_234.4,
            recent_per_s: (0..20).map(|i| f64::from(i * i)).collect(),
            p50_ms: Some(1.2345),
            p99_ms: Some(12.5),
            requests: 512_345,
            failed: 17,
            spread: Histogram::of((1..40).map(|i| (f64::from(i * i) / 10.0, 400 / i as u64))),
            causes: vec![
                ("status 503".to_owned(), 14),
                ("connection refused".to_owned(), 3),
            ],
        },
        warnings: vec!["the generator is the bottleneck since 11s: its CPU is full".to_owned()],
    }
}

fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    for part in text.split("\x1b[") {
        match part.split_once('m') {
            Some((code, rest)) if code.chars().all(|c| c.is_ascii_digit() || c == ';') => {
                plain.push_str(rest);
            }
            _ => plain.push_str(part),
        }
    }
    plain
}

/// A verdict with everything that can be said.
fn disturbed() -> Report {
    let second = |at_s: u64, verdict| Evidence {
        at_ns: at_s * SECOND_NS,
        span_ns: SECOND_NS,
        worker_wait: Some(0.31),
        verdict,
        touched: Touched {
            gross: verdict != Verdict::Clean,
            ..Touched::default()
        },
        ..Evidence::default()
    };
    Report {
        verdict: Verdict::Disturbed,
        since_ns: Some(12 * SECOND_NS),
        until_ns: Some(18 * SECOND_NS + SECOND_NS / 2),
        cause: Some(Cause::CpuContention),
        detail: "worker 0 waited up to 31% of the time for a CPU that other programs used"
            .to_owned(),
        meaning: "net holds, p99 of gross was up to 4.1ms too large".to_owned(),
        confidence: 0.9,
        episodes: vec![Episode {
            verdict: Verdict::Disturbed,
            since_ns: 12 * SECOND_NS,
            until_ns: 18 * SECOND_NS + SECOND_NS / 2,
            found_ns: 13 * SECOND_NS,
            cause: Cause::CpuContention,
            detail: "worker 0 waited".to_owned(),
        }],
        evidence: vec![second(0, Verdict::Clean), second(12, Verdict::Disturbed)],
        unread: vec![Unread {
            quantity: "pressure stall information",
            reason: "/proc/pressure/cpu: not found".to_owned(),
            effect: "waiting for memory or disks is not explained",
        }],
        clean: Some(CleanPart {
            span_ns: 54 * SECOND_NS,
            net: Spread {
                count: 10,
                sum_ms: 11.0,
                p50_ms: 1.1,
                p99_ms: 2.3,
                max_ms: 2.4,
            },
            ..CleanPart::default()
        }),
        zero: Some(Zero {
            rate_per_s: Some(1000.0),
            connections: 50,
            span_ns: 2 * SECOND_NS,
            exchanges: 2000,
            achieved_per_s: 1000.0,
            tare_ms: [0.03, 0.05, 0.1, 0.9],
            gross_ms: [0.09, 0.1, 0.2, 1.0],
            late_ms: Some([0.05, 0.06, 0.2, 1.5]),
            highest_honest_per_s: Some(32_000.0),
            ..Zero::default()
        }),
        ..Report::default()
    }
}

#[test]
fn the_verdict_on_the_generator() {
    let mut text = String::new();
    let mut summary = Run::new().finish();
    let clean = Report {
        meaning: "net and gross hold".to_owned(),
        ..Report::default()
    };
    for report in [clean, disturbed()] {
        summary.generator = Some(Box::new(report));
        text += &text::render(&summary, &SummaryOptions::default());
        let document = document::document(&summary, None);
        text += &format!("{:#}\n", document["generator"]);
    }
    if let Some(zero) = disturbed().zero {
        text += &zero::render(&zero, Palette::Plain);
    }
    check(&text, "generator.txt");
}
