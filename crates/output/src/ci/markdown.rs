//! The summary as Markdown, for pages of build servers.
//!
//! Thresholds first, then checks that failed, then the figures most people look for. Invariant: no name from a script
//! can end a table or begin markup.

use std::fmt::Write;

use netload_metrics::aggregate::Rate;
use netload_metrics::{Aggregate, Contains, Histogram, Summary};

use super::{Case, CaseKind, cases};
use crate::TimeUnit;
use crate::is_own_metric;
use crate::number;

/// Checks that are shown one by one.
const CHECKS_SHOWN: usize = 20;

pub(super) fn render(summary: &Summary) -> String {
    let cases = cases(summary);
    let failed = cases
        .iter()
        .any(|c| c.kind == CaseKind::Threshold && c.failure.is_some());
    let mark = if failed { "❌" } else { "✅" };
    let mut page = format!("## {mark} netload\n\n");
    thresholds(&cases, &mut page);
    checks(&cases, &mut page);
    metrics(summary, &mut page);
    for delivery in summary.deliveries.iter().filter(|d| d.lost > 0) {
        let lost = number::grouped(delivery.lost);
        // Writing into memory cannot fail.
        let _ = writeln!(
            page,
            "{lost} samples did not reach {}.\n",
            cell(&delivery.output)
        );
    }
    if let Some(report) = &summary.generator {
        let name = report.verdict.name();
        let _ = writeln!(page, "Generator: **{name}**\n");
    }
    page
}

fn thresholds(cases: &[Case], page: &mut String) {
    let mut cases = cases
        .iter()
        .filter(|c| c.kind == CaseKind::Threshold)
        .peekable();
    if cases.peek().is_none() {
        return;
    }
    *page += "| | threshold | on | |\n|---|---|---|---|\n";
    for case in cases {
        let mark = if case.failure.is_some() { "❌" } else { "✅" };
        let why = case.failure.as_deref().unwrap_or_default();
        let (name, of) = (cell(&case.name), cell(&case.of));
        let _ = writeln!(page, "| {mark} | {name} | {of} | {why} |");
    }
    page.push('\n');
}

fn checks(cases: &[Case], page: &mut String) {
    let checks: Vec<&Case> = cases.iter().filter(|c| c.kind == CaseKind::Check).collect();
    if checks.is_empty() {
        return;
    }
    let failed: Vec<&&Case> = checks.iter().filter(|c| c.failure.is_some()).collect();
    let held = checks.len() - failed.len();
    let _ = writeln!(page, "{held} of {} checks always held.\n", checks.len());
    for case in failed.iter().take(CHECKS_SHOWN) {
        let why = case.failure.as_deref().unwrap_or_default();
        let _ = writeln!(page, "- ❌ {}: {why}", cell(&case.name));
    }
    if failed.len() > CHECKS_SHOWN {
        let _ = writeln!(page, "- and {} more", failed.len() - CHECKS_SHOWN);
    }
    if !failed.is_empty() {
        page.push('\n');
    }
}

fn metrics(summary: &Summary, page: &mut String) {
    *page += "| metric | avg | p50 | p95 | p99 | max |\n|---|--:|--:|--:|--:|--:|\n";
    let elapsed_s = summary.elapsed_ns as f64 / 1e9;
    for metric in summary.metrics.iter().filter(|m| !is_own_metric(&m.name)) {
        let show = |value: f64| number::value(value, metric.contains, TimeUnit::Auto);
        let name = cell(&metric.name);
        let _ = match &metric.data {
            Aggregate::Trend(h) => writeln!(page, "| {name} | {} |", trend(h, metric.contains)),
            Aggregate::Counter(c) => {
                let rate = show(c.per_second(elapsed_s));
                writeln!(page, "| {name} | {} ({rate}/s) | | | | |", show(c.sum))
            }
            Aggregate::Gauge(g) => writeln!(
                page,
                "| {name} | {} | | | | {} |",
                show(g.last),
                show(g.max)
            ),
            Aggregate::Rate(r) => writeln!(page, "| {name} | {} | | | | |", rate(*r)),
        };
    }
    page.push('\n');
}

fn trend(h: &Histogram, contains: Contains) -> String {
    let of = |value: f64| number::value(value, contains, TimeUnit::Auto);
    let columns = [
        h.mean(),
        h.percentile(50.0),
        h.percentile(95.0),
        h.percentile(99.0),
        h.max(),
    ];
    columns.map(of).join(" | ")
}

fn rate(rate: Rate) -> String {
    let (part, total) = (number::grouped(rate.passes), number::grouped(rate.total));
    format!(
        "{} ({part} of {total})",
        number::percent_of(rate.passes, rate.total)
    )
}

/// A name as code, in a cell of a table.
fn cell(text: &str) -> String {
    let text = text.replace(['`', '\n', '\r'], " ").replace('|', "\\|");
    match text.trim().is_empty() {
        true => String::new(),
        false => format!("`{text}`"),
    }
}
