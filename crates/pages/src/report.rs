//! The report: a run as one HTML file that needs nothing else.
//!
//! The data stands in the file as compressed base64, which no markup can come out of, and the policy in the head lets
//! nothing run but the script whose hash it names and lets nothing be fetched. Readers without scripts get the result in
//! a few words.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use netload_record::Record;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::assets::{REPORT_SCRIPT, REPORT_STYLE};
use crate::view;

/// The report of a run; for `findings` see [`view::of`].
pub fn html(record: &Record, findings: Vec<Value>) -> String {
    let view = view::of(record, findings);
    let title = escaped(&format!("{} – netload", record.head.title));
    let (data, facts) = (packed(&view), facts(record, &view));
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
        hash(REPORT_SCRIPT)
    );
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"netload {version}\">\n<title>{title}</title>\n\
         <style>{REPORT_STYLE}</style>\n</head>\n<body>\n<div id=\"page\"><noscript>{facts}</noscript></div>\n\
         <script type=\"text/plain\" id=\"data\">{data}</script>\n<script>{REPORT_SCRIPT}</script>\n</body>\n</html>\n",
        version = escaped(&record.head.tool_version),
    )
}

/// The result in a few words, for readers without scripts.
fn facts(record: &Record, view: &Value) -> String {
    let head = &record.head;
    let ending = match &record.tail {
        Some(tail) if tail.failed => format!("Failed: {}.", tail.ending),
        Some(_) => "Finished.".to_owned(),
        None => "Interrupted.".to_owned(),
    };
    let totals = &view["totals"];
    let main = view["metrics"].as_array().into_iter().flatten();
    let main = main
        .into_iter()
        .find(|metric| metric["name"] == view["main"]);
    let values = main.map_or(&Value::Null, |metric| &metric["values"]);
    let lines = [
        ending,
        format!(
            "{} requests, {} failed, {} iterations in {} s.",
            number(&totals["requests"], 0),
            number(&totals["failed"], 0),
            number(&totals["iterations"], 0),
            number(&view["elapsed_s"], 1)
        ),
        format!(
            "Median {} ms, p95 {} ms.",
            number(&values["p50"], 2),
            number(&values["p95"], 2)
        ),
        format!(
            "Generator: {}.",
            view["generator"]["verdict"]
                .as_str()
                .unwrap_or("not judged")
        ),
        "The charts and tables need JavaScript; nothing is loaded from elsewhere.".to_owned(),
    ];
    let lines = lines
        .map(|line| format!("<p>{}</p>", escaped(&line)))
        .concat();
    format!("<h1>{}</h1>{lines}", escaped(&head.title))
}

/// A number with so many decimals; a dash when there is none.
fn number(value: &Value, decimals: usize) -> String {
    let digits = |number| format!("{number:.decimals$}");
    value.as_f64().map_or_else(|| "-".to_owned(), digits)
}

/// Text as it may stand in HTML, in attributes too.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// JSON, compressed with gzip, in base64.
fn packed(view: &Value) -> String {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::new(7));
    // Writing into memory does not fail.
    let written = gzip.write_all(view.to_string().as_bytes());
    let bytes = written.and_then(|()| gzip.finish()).unwrap_or_default();
    STANDARD.encode(bytes)
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}
