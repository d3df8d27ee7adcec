//! A small run made by hand, and the comparison with golden files.
//!
//! `UPDATE_GOLDEN=1 cargo test -p netload-output` writes the golden files anew; look at the difference before you commit.

use std::path::PathBuf;
use std::sync::Arc;

use netload_metrics::aggregator::Threshold;
use netload_metrics::threshold::{Aggregation, Operator};
use netload_metrics::{
    Aggregator, Contains, Kind, MetricId, Recorder, Registry, RunInfo, Sink, Stamp, Summary,
    TagSet, TagsId,
};

/// Compares a text with `tests/golden/NAME`.
pub(crate) fn check(actual: &str, name: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, actual).unwrap();
        return;
    }
    let expected = std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{}: {e}; run with UPDATE_GOLDEN=1", path.display()));
    if let Some((at, (a, e))) = actual
        .lines()
        .zip(expected.lines())
        .enumerate()
        .find(|(_, (a, e))| a != e)
    {
        panic!("{name}:{}\n  expected: {e}\n  actual:   {a}", at + 1);
    }
    assert_eq!(actual, expected, "{name}");
}

/// The widest line, as seen.
pub(crate) fn widest(text: &str) -> usize {
    text.lines().map(|l| l.chars().count()).max().unwrap_or(0)
}

pub(crate) const START_NS: u64 = 1_795_299_449_000_000_000;
pub(crate) const ELAPSED_NS: u64 = 2_500_000_000;

/// A run with one worker whose recorder is filled by hand.
pub(crate) struct Run {
    pub(crate) registry: Arc<Registry>,
    pub(crate) recorder: Recorder,
    pub(crate) aggregator: Aggregator,
    pub(crate) thresholds: Vec<(String, Vec<String>)>,
}

impl Run {
    pub(crate) fn new() -> Self {
        let registry = Arc::new(Registry::new());
        Self {
            recorder: Recorder::new(0, registry.clone(), 100, true),
            aggregator: Aggregator::new(registry.clone(), 1, true),
            registry,
            thresholds: Vec::new(),
        }
    }

    pub(crate) fn declare(&self, name: &str, kind: Kind, contains: Contains) -> MetricId {
        self.registry.declare(name, kind, contains).unwrap()
    }

    pub(crate) fn tags(&mut self, tags: &[(&str, &str)]) -> TagsId {
        self.recorder.tags.extend(TagsId::EMPTY, tags)
    }

    /// Records a value `ms` after the start, by VU 1 in its iteration 7.
    pub(crate) fn add(&mut self, metric: MetricId, tags: TagsId, value: f64, ms: u64) {
        let stamp = Stamp {
            unix_ns: START_NS + ms * 1_000_000,
            vu: 1,
            iteration: 7,
        };
        self.recorder.record(metric, tags, value, stamp);
    }

    pub(crate) fn threshold(
        &mut self,
        metric: MetricId,
        tags: &[(&str, &str)],
        rules: &[(&str, Aggregation, Operator, f64)],
    ) {
        let braces: Vec<String> = tags.iter().map(|(k, v)| format!("{k}:{v}")).collect();
        let braces = match braces.as_slice() {
            [] => String::new(),
            braces => format!("{{{}}}", braces.join(",")),
        };
        let rules: Vec<Threshold> = rules
            .iter()
            .map(|&(source, aggregation, operator, limit)| Threshold {
                source: source.to_owned(),
                aggregation,
                operator,
                limit,
                abort_on_fail: false,
                delay_abort_ns: 0,
            })
            .collect();
        let name = format!("{}{braces}", self.registry.metric(metric).name);
        let sources = rules.iter().map(|r| r.source.clone()).collect();
        self.thresholds.push((name, sources));
        let tags = TagSet::new(tags.iter().copied());
        self.aggregator
            .add_thresholds(metric, &tags, &braces, rules);
    }

    pub(crate) fn info(&self) -> RunInfo {
        RunInfo {
            registry: self.registry.clone(),
            workers: 1,
            started_unix_ns: START_NS,
            thresholds: self.thresholds.clone(),
        }
    }

    /// Ends the run, with a sink that sees its only window.
    pub(crate) fn finish_into(mut self, sink: &mut dyn Sink) -> Summary {
        sink.start(&self.info()).unwrap();
        let window = self.recorder.take_window();
        self.aggregator.absorb(&window);
        sink.window(&window, &self.aggregator).unwrap();
        self.aggregator.judge(ELAPSED_NS, true);
        let summary = self.aggregator.summary(ELAPSED_NS);
        sink.finish(&summary).unwrap();
        summary
    }

    pub(crate) fn finish(mut self) -> Summary {
        let window = self.recorder.take_window();
        self.aggregator.absorb(&window);
        self.aggregator.judge(ELAPSED_NS, true);
        self.aggregator.summary(ELAPSED_NS)
    }
}

/// A run that has something of everything: two scenarios, nested groups, checks, custom metrics, thresholds.
pub(crate) fn example() -> Run {
    let mut run = Run::new();
    let custom = [
        run.declare("orders", Kind::Counter, Contains::Default),
        run.declare("cache_size", Kind::Gauge, Contains::Data),
        run.declare("basket_ok", Kind::Rate, Contains::Default),
        run.declare("time_to_order", Kind::Trend, Contains::Time),
        run.declare("items", Kind::Trend, Contains::Default),
    ];
    thresholds(&mut run, custom[0]);
    requests(&mut run);
    iterations_and_checks(&mut run);
    let tags = run.tags(&[("group", ""), ("scenario", "browse")]);
    for i in 0..20u32 {
        let x = f64::from(i);
        run.add(custom[0], tags, 2.0, 100);
        run.add(custom[1], tags, 1e6 + 1e5 * x, 100 + u64::from(i));
        run.add(custom[2], tags, f64::from(u32::from(i % 3 == 0)), 100);
        run.add(custom[3], tags, 900.0 + 7.5 * x, 100);
        run.add(custom[4], tags, 1.0 + x / 3.0, 100);
    }
    run
}

fn thresholds(run: &mut Run, orders: MetricId) {
    let builtin = run.registry.builtin;
    let duration = builtin.http_req_duration;
    run.threshold(
        duration,
        &[],
        &[
            (
                "p(95)<500",
                Aggregation::Percentile(95.0),
                Operator::Less,
                500.0,
            ),
            ("avg < 1", Aggregation::Avg, Operator::Less, 1.0),
        ],
    );
    run.threshold(
        duration,
        &[("status", "200")],
        &[("max<1000", Aggregation::Max, Operator::Less, 1000.0)],
    );
    run.threshold(
        builtin.http_reqs,
        &[("status", "404")],
        &[("count<1", Aggregation::Count, Operator::Less, 1.0)],
    );
    run.threshold(
        builtin.checks,
        &[],
        &[("rate>0.9", Aggregation::Rate, Operator::Greater, 0.9)],
    );
    run.threshold(
        orders,
        &[],
        &[
            (
                "count>=40",
                Aggregation::Count,
                Operator::GreaterEqual,
                40.0,
            ),
            ("rate>1", Aggregation::Rate, Operator::Greater, 1.0),
        ],
    );
}

fn requests(run: &mut Run) {
    let b = run.registry.builtin;
    let url = "http://127.0.0.1:8080/";
    let common = [
        ("method", "GET"),
        ("name", url),
        ("proto", "HTTP/1.1"),
        ("url", url),
    ];
    let mut ok = common.to_vec();
    ok.extend([
        ("expected_response", "true"),
        ("group", ""),
        ("scenario", "browse"),
        ("status", "200"),
    ]);
    let mut missing = common.to_vec();
    missing.extend([
        ("error_code", "1404"),
        ("expected_response", "false"),
        ("group", "::shop::pay now"),
        ("scenario", "buy"),
        ("status", "404"),
    ]);
    let ok = run.tags(&ok);
    let missing = run.tags(&missing);
    for i in 0..400u64 {
        let tags = if i % 10 == 0 { missing } else { ok };
        // A tail that grows: 0.5 ms to some 180 ms.
        let net = 0.5 + (i as f64 / 80.0).exp() + if i == 399 { 30.0 } else { 0.0 };
        let tare = 0.06 + (i % 7) as f64 * 0.004;
        let at = 5 * i;
        run.add(b.http_reqs, tags, 1.0, at);
        run.add(b.http_req_duration, tags, net, at);
        run.add(
            b.http_req_blocked,
            tags,
            if i < 2 { 0.3 } else { 0.002 },
            at,
        );
        run.add(
            b.http_req_connecting,
            tags,
            if i < 2 { 0.25 } else { 0.0 },
            at,
        );
        run.add(b.http_req_tls_handshaking, tags, 0.0, at);
        run.add(b.http_req_sending, tags, 0.012, at);
        run.add(b.http_req_waiting, tags, net - 0.052, at);
        run.add(b.http_req_receiving, tags, 0.04, at);
        let failed = f64::from(u8::from(tags == missing));
        run.add(b.http_req_failed, tags, failed, at);
        run.add(b.http_req_tare, tags, tare, at);
        run.add(b.http_req_gross, tags, net + tare, at);
    }
}

fn iterations_and_checks(run: &mut Run) {
    let b = run.registry.builtin;
    let browse = run.tags(&[("group", ""), ("scenario", "browse")]);
    let buy = run.tags(&[("group", ""), ("scenario", "buy")]);
    let pay = run.tags(&[("group", "::shop::pay now"), ("scenario", "buy")]);
    for i in 0..30u64 {
        let tags = if i % 3 == 0 { buy } else { browse };
        run.add(b.iteration_duration, tags, 200.0 + i as f64, 50 * i);
        run.add(b.iterations, tags, 1.0, 50 * i);
        run.add(b.data_sent, tags, 1_230.0, 50 * i);
        run.add(b.data_received, tags, 45_678.0, 50 * i);
        run.add(b.checks, browse, 1.0, 50 * i);
        run.add(b.checks, pay, f64::from(u8::from(i % 4 == 0)), 50 * i);
        run.add(b.group_duration, pay, 3.0, 50 * i);
    }
    run.add(b.iteration_lateness, buy, 0.02, 0);
    run.add(b.vus, TagsId::EMPTY, 2.0, 1000);
    run.add(b.vus_max, TagsId::EMPTY, 4.0, 1000);
    let checks = [
        ("", "status is 200", [30, 0]),
        ("::shop", "has a basket", [0, 0]),
        ("::shop::pay now", "was paid", [8, 22]),
    ];
    for (group, name, [passes, fails]) in checks {
        let slot = run.recorder.check_slot(group, Some(name));
        for i in 0..passes + fails {
            run.recorder.check(slot, i < passes);
        }
    }
}
