//! The checks: how many there were, and each with its result.

use netload_metrics::Aggregate;
use netload_metrics::aggregate::Rate;
use netload_metrics::summary::{Check, Group, MetricSummary};

use super::metrics::{self, Cell, Row};
use super::{INDENT, Page};
use crate::line::Line;
use crate::number;
use crate::palette::Style;

/// The checks of the whole run: the sums, then every check, a group's own before those of the groups in it.
pub(super) fn write_all(page: &mut Page<'_>, root: &Group) {
    let summary = page.summary;
    if !write_counts(page, &summary.metrics, INDENT) {
        return;
    }
    write_tree(page, root);
    page.blank();
}

/// The checks directly inside one group.
pub(super) fn write_one(page: &mut Page<'_>, group: &Group, indent: usize) {
    if group.checks.is_empty() {
        return;
    }
    let passes = group.checks.iter().map(|c| c.passes).sum();
    let fails: u64 = group.checks.iter().map(|c| c.fails).sum();
    let total = passes + fails;
    write_sums(page, Rate { passes, total }, indent);
    for check in &group.checks {
        write_check(page, check, indent);
    }
    page.blank();
}

/// The sums of the metric `checks`; false if it has none.
pub(super) fn write_counts(page: &mut Page<'_>, all: &[MetricSummary], indent: usize) -> bool {
    let rate = all.iter().find_map(|m| match (&*m.name, &m.data) {
        ("checks", Aggregate::Rate(rate)) => Some(*rate),
        _ => None,
    });
    if let Some(rate) = rate {
        write_sums(page, rate, indent);
    }
    rate.is_some()
}

fn write_sums(page: &mut Page<'_>, rate: Rate, indent: usize) {
    let Rate { passes, total } = rate;
    let elapsed_s = page.elapsed_s();
    let per_second = if elapsed_s > 0.0 {
        total as f64 / elapsed_s
    } else {
        0.0
    };
    let share = |part: u64| {
        vec![
            Cell::value(number::percent_of(part, total)),
            Cell::aside(format!("{part} out of {total}")),
        ]
    };
    let count = vec![
        Cell::value(total.to_string()),
        Cell::aside(format!("{}/s", number::plain(per_second))),
    ];
    let rows = vec![
        Row::plain("checks_total", count),
        Row::plain("checks_succeeded", share(passes)),
        Row::plain("checks_failed", share(total - passes)),
    ];
    let grid = metrics::Grid::of(&rows, page.width, indent);
    for row in &rows {
        grid.write(page, row);
    }
    page.blank();
}

fn write_tree(page: &mut Page<'_>, group: &Group) {
    for check in &group.checks {
        write_check(page, check, INDENT);
    }
    for child in &group.groups {
        write_tree(page, child);
    }
}

fn write_check(page: &mut Page<'_>, check: &Check, indent: usize) {
    let Check { passes, fails, .. } = *check;
    if fails == 0 {
        let line = Line::indented(indent).styled(Style::Good, format!("✓ {}", check.name));
        page.line(line);
        return;
    }
    page.line(Line::indented(indent).styled(Style::Bad, format!("✗ {}", check.name)));
    let percent = u128::from(passes) * 100 / u128::from(passes + fails);
    let detail = format!("↳  {percent}% — ✓ {passes} / ✗ {fails}");
    page.line(Line::indented(indent + 2).styled(Style::Bad, detail));
}
