//! What machines read: documents, the data of `handleSummary`, and the files of `--out`.

use std::io::Read;

use crate::support::{Run, START_NS, check, example};
use netload_output::handle_summary::{self, SummaryContext, Terminals};
use netload_output::machine_readable::{self, MachineContext};
use netload_output::sinks::{self, SinkOptions};
use netload_output::tally::TallySink;
use netload_output::{TrendStat, document, summary_export};
use serde_json::{Value, json};

fn context() -> SummaryContext {
    SummaryContext {
        trend_stats: TrendStat::parse_all(&["avg", "p(95)", "count"]).unwrap(),
        terminals: Terminals {
            stdout: true,
            stderr: false,
        },
        setup_data: Some(json!({ "token": "x" })),
        ..SummaryContext::default()
    }
}

#[test]
fn the_data_of_handle_summary() {
    let data = handle_summary::data(&example().finish(), &context());
    check(&format!("{data:#}\n"), "handle_summary.json");
    assert!(data["metrics"]["http_req_tare"].is_null());
}

#[test]
fn an_export_has_the_old_layout() {
    let text = summary_export::render(&example().finish(), &context());
    check(&text, "summary_export.json");
    let export: Value = serde_json::from_str(&text).unwrap();
    let failed = &export["metrics"]["http_req_duration"]["thresholds"];
    assert_eq!(*failed, json!({ "p(95)<500": false, "avg < 1": true }));
}

#[test]
fn the_new_machine_readable_layout() {
    let stats = TrendStat::defaults();
    let context = MachineContext {
        trend_stats: &stats,
        script: "export default () => {};\n",
        generated_unix_ns: START_NS,
    };
    let text = machine_readable::render(&example().finish(), &context);
    check(&text, "machine_readable.json");
}

#[test]
fn our_own_document() {
    let mut sink = TallySink::new();
    let tally = sink.shared();
    let summary = example().finish_into(&mut sink);
    let text = document::render(&summary, Some(&tally.snapshot()));
    check(&text, "document.json");
    let document: Value = serde_json::from_str(&text).unwrap();
    let values = document["metrics"]["http_req_tare"]["values"].as_object();
    let keys: Vec<_> = values.unwrap().keys().collect();
    assert_eq!(
        keys,
        [
            "avg", "min", "p50", "p90", "p95", "p99", "p99.9", "max", "count"
        ]
    );
}

/// A run with few samples, for the formats that have a line for each.
fn small() -> Run {
    let mut run = Run::new();
    let b = run.registry.builtin;
    let trend = run.declare(
        "waiting_time",
        netload_metrics::Kind::Trend,
        netload_metrics::Contains::Time,
    );
    let always = netload_metrics::threshold::Aggregation::Count;
    let less = netload_metrics::threshold::Operator::Less;
    run.threshold(b.http_reqs, &[], &[("count<9", always, less, 9.0)]);
    run.threshold(
        b.http_reqs,
        &[("status", "404")],
        &[("count<1", always, less, 1.0)],
    );
    let plain = run.tags(&[("group", ""), ("scenario", "default"), ("status", "200")]);
    let odd = run.tags(&[("group", "::a \"b\""), ("my tag", " a,b"), ("x", "1<2&3")]);
    run.add(b.http_reqs, plain, 1.0, 0);
    run.add(b.http_req_duration, plain, 1.054443, 0);
    run.add(b.http_req_tare, plain, 0.01, 0);
    run.add(b.http_reqs, plain, 1.0, 1_500);
    run.add(trend, odd, 0.1 + 0.2, 1_501);
    run.add(trend, odd, 1e-9, 1_502);
    run.add(b.vus, netload_metrics::TagsId::EMPTY, 3.0, 2_000);
    run
}

fn options(tags: &[&str]) -> SinkOptions {
    SinkOptions {
        elsewhere: Vec::new(),
        environment: Default::default(),
        system_tags: tags.iter().map(|t| (*t).to_owned()).collect(),
    }
}

/// Runs a sink into a file and returns what is in it.
fn written(spec: impl Fn(&str) -> String, name: &str, tags: &[&str]) -> Vec<u8> {
    let folder = std::env::temp_dir().join(format!("netload-output-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let mut sink = sinks::open(&spec(&path.display().to_string()), &options(tags)).unwrap();
    assert!(sink.wants_samples());
    small().finish_into(&mut *sink);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    bytes
}

/// Without the time zone of this machine.
fn normalised(bytes: &[u8]) -> String {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let mut lines = String::new();
    for line in text.lines() {
        let at = line.find("\"time\":\"").map(|at| at + 8);
        let end = at.and_then(|at| line[at..].find('"').map(|e| at + e));
        match (at, end) {
            (Some(at), Some(end)) => {
                assert!(line[at..].starts_with("2026-11-2"), "{line}");
                lines.push_str(&format!("{}TIME{}\n", &line[..at], &line[end..]));
            }
            _ => lines.push_str(&format!("{line}\n")),
        }
    }
    lines
}

#[test]
fn json_lines() {
    let bytes = written(|path| format!("json={path}"), "a.json", &["group"]);
    let text = normalised(&bytes);
    check(&text, "out.json");
    for line in text.lines() {
        serde_json::from_str::<Value>(line).unwrap();
    }
}

#[test]
fn json_lines_with_metadata_in_a_gzip_file() {
    let tags = ["vu", "iter"];
    let bytes = written(|path| format!("json={path}"), "b.json.gz", &tags);
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(&*bytes)
        .read_to_end(&mut text)
        .unwrap();
    check(&normalised(&text), "out_metadata.json");
}

#[test]
fn csv_lines() {
    let tags = ["status", "group", "scenario", "error"];
    let bytes = written(|path| format!("csv={path}"), "c.csv", &tags);
    check(&String::from_utf8(bytes).unwrap(), "out.csv");
}

#[test]
fn csv_with_arguments() {
    let spec = |path: &str| format!("csv=fileName={path},timeFormat=unix_micro,saveInterval=200ms");
    let bytes = written(spec, "d.csv", &["vu", "scenario", "iter"]);
    check(&String::from_utf8(bytes).unwrap(), "out_arguments.csv");
}

#[test]
fn a_file_that_cannot_be_written_stops_the_start() {
    for spec in ["json=/nonexistent/x.json", "csv=/nonexistent/x.csv"] {
        let mut sink = sinks::open(spec, &SinkOptions::default()).unwrap();
        let error = sink.start(&small().info()).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("cannot write /nonexistent/x."),
            "{error}"
        );
    }
}
