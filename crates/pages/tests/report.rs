//! A record in, columns and a file out.

mod made;

use std::io::Read;

use base64::Engine;
use netload_pages::{report, view};
use serde_json::Value;

/// What a report of an hour with 500 names may take.
const MOST_BYTES: usize = 3_000_000;

/// The JSON that stands in a report.
fn unpacked(html: &str) -> Value {
    let (_, rest) = html.split_once("id=\"data\">").unwrap();
    let (data, _) = rest.split_once('<').unwrap();
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(data)
        .unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(&bytes[..])
        .read_to_string(&mut text)
        .unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_columns_of_a_short_run_are_those_of_the_golden_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/view.json");
    let finding = serde_json::json!({ "rule": "latency_knee", "severity": "high" });
    let got = format!("{:#}\n", view::of(&made::record(12, 2), vec![finding]));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &got).unwrap();
    }
    let wanted = std::fs::read_to_string(path).unwrap();
    let first = got.lines().zip(wanted.lines()).find(|(a, b)| a != b);
    assert_eq!(first, None, "UPDATE_GOLDEN=1 writes it anew");
    assert_eq!(got.len(), wanted.len());
}

#[test]
fn a_report_holds_its_columns() {
    let record = made::record(30, 3);
    assert_eq!(
        unpacked(&report::html(&record, Vec::new())),
        view::of(&record, Vec::new())
    );
}

#[test]
fn an_hour_with_500_names_stays_small() {
    let html = report::html(&made::record(3_600, 500), Vec::new());
    assert!(html.len() < MOST_BYTES, "{} bytes", html.len());
    let view = unpacked(&html);
    assert_eq!(view["names"].as_array().unwrap().len(), 500);
    assert_eq!(view["rows"]["t"].as_array().unwrap().len(), 3_600);
}

#[test]
fn a_day_is_no_larger_than_an_hour() {
    let rows = |seconds| {
        let view = view::of(&made::record(seconds, 0), Vec::new());
        view["rows"]["t"].as_array().unwrap().len()
    };
    assert!(rows(9_000) <= 3_600);
}

#[test]
fn nothing_foreign_is_markup() {
    let html = report::html(&made::record(12, 1), Vec::new());
    let scripts = html.matches("<script").count();
    let ends = html.matches("</script").count();
    assert_eq!((scripts, ends), (2, 2), "the data and our own");
    assert!(!html.contains("<img"));
}

#[test]
fn nothing_is_fetched() {
    let html = report::html(&made::record(12, 1), Vec::new());
    assert!(html.contains("default-src 'none'"));
    for attribute in ["src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!html.contains(attribute), "{attribute}");
    }
}

#[test]
fn an_empty_run_is_shown_too() {
    let record = netload_record::Record::default();
    let view = unpacked(&report::html(&record, Vec::new()));
    assert_eq!(view["state"], "interrupted");
    assert!(view["heat"].is_null());
}

#[test]
fn the_row_of_a_second_is_the_last_row_of_the_columns() {
    let record = made::record(12, 0);
    let row = view::row(&record.keys, record.seconds.last().unwrap());
    let view = view::of(&record, Vec::new());
    for name in [
        "t", "rate", "planned", "started", "dropped", "failed", "vus",
    ] {
        let column = view["rows"][name].as_array().unwrap();
        assert_eq!(row[name], *column.last().unwrap(), "{name}");
    }
    let column = view["latency"]["net"]["p95"].as_array().unwrap();
    assert_eq!(row["net"]["p95"], *column.last().unwrap());
}
