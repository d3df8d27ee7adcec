//! The frame on a terminal: the test, its rate and latency, a line per scenario, the newest warnings.
//!
//! Nothing jumps: numbers stand in columns of fixed width, and a frame of the same view has the same lines.

use super::plain::{beside, column_widths, widest};
use super::{Phase, ProgressView, ScenarioView, Spread, clock};
use crate::TimeUnit;
use crate::line::Line;
use crate::number::{self, grouped};
use crate::palette::{Palette, Style};

/// Columns of the bar of the whole test.
const TOTAL_BAR: usize = 30;
/// Columns of a scenario's bar, less where they do not fit.
const SCENARIO_BAR: usize = 12;
/// Columns of the picture of the rate.
const SPARKS: usize = 30;
/// Columns of a scenario's name at most.
const NAME_LIMIT: usize = 16;
/// Scenarios shown at most; terminals are not endless.
const SCENARIOS_SHOWN: usize = 12;
/// Causes of failures shown at most.
const CAUSES_SHOWN: usize = 3;
/// Warnings shown at most, the newest.
const WARNINGS_SHOWN: usize = 3;
const LABEL_WIDTH: usize = 11;

/// The lines of the frame, none wider than `width`, without ends of lines.
pub fn frame(view: &ProgressView, width: usize, palette: Palette) -> Vec<String> {
    let mut lines = vec![total(view), rate(view), latency(view)];
    lines.extend(view.live.spread.as_ref().map(spread));
    lines.push(iterations(view));
    if !view.live.causes.is_empty() {
        lines.push(causes(&view.live.causes));
    }
    scenarios(view, width, &mut lines);
    if view.warnings.is_empty() && view.live.requests > 0 {
        lines.push(label("generator").styled(Style::Good, "clean so far"));
    }
    let newest = view.warnings.len().saturating_sub(WARNINGS_SHOWN);
    for warning in &view.warnings[newest..] {
        lines.push(Line::indented(1).styled(Style::Warning, format!("! {warning}")));
    }
    lines
        .into_iter()
        .map(|line| line.cut(width).paint(palette))
        .collect()
}

fn total(view: &ProgressView) -> Line {
    let line = label(&view.status);
    match view.total_ns {
        Some(total_ns) => {
            let fraction = if total_ns == 0 {
                0.0
            } else {
                (view.elapsed_ns as f64 / total_ns as f64).min(1.0)
            };
            let elapsed = clock(view.elapsed_ns.min(total_ns), total_ns);
            line.append(bar(fraction, TOTAL_BAR)).text(format!(
                " {:3}%  {elapsed} of {}  {}/{} VUs",
                (fraction * 100.0).floor(),
                netload_plan::duration::format_go(total_ns),
                view.vus_active,
                view.vus_max,
            ))
        }
        None => line.text(format!(
            "{}  {}/{} VUs",
            clock(view.elapsed_ns, view.elapsed_ns),
            view.vus_active,
            view.vus_max
        )),
    }
}

fn rate(view: &ProgressView) -> Line {
    let live = &view.live;
    let now = format!("{}/s", grouped(live.requests_per_s.max(0.0).round() as u64));
    let failed = grouped(live.failed);
    let style = if live.failed == 0 {
        Style::Good
    } else {
        Style::Bad
    };
    label("requests")
        .styled(Style::Aside, sparkline(&live.recent_per_s))
        .blank_to(LABEL_WIDTH + SPARKS + 2)
        .styled(Style::Value, format!("{now:<12}"))
        .text(format!("{} sent  ", grouped(live.requests)))
        .styled(style, format!("{failed} failed"))
}

fn latency(view: &ProgressView) -> Line {
    let show = |ms: Option<f64>| {
        let text = ms.map_or("-".to_owned(), |ms| number::duration(ms, TimeUnit::Auto));
        format!("{text:<10}")
    };
    label("latency")
        .text("p50 ")
        .styled(Style::Value, show(view.live.p50_ms))
        .text(" p99 ")
        .styled(Style::Value, show(view.live.p99_ms))
}

/// The picture of all durations so far, on a logarithmic scale.
fn spread(spread: &Spread) -> Line {
    let counts: Vec<f64> = spread.counts.iter().map(|n| *n as f64).collect();
    let at = |ms: f64| number::duration(ms, TimeUnit::Auto);
    label("spread")
        .styled(Style::Aside, sparkline(&counts))
        .blank_to(LABEL_WIDTH + SPARKS + 2)
        .text(format!("{} to {}", at(spread.low_ms), at(spread.high_ms)))
}

/// What goes wrong, the most frequent first.
fn causes(causes: &[(String, u64)]) -> Line {
    let shown = causes.iter().take(CAUSES_SHOWN).enumerate();
    let line = shown.fold(label("errors"), |line, (at, (cause, count))| {
        let between = if at == 0 { "" } else { ", " };
        line.text(between)
            .styled(Style::Bad, grouped(*count))
            .text(format!(" × {cause}"))
    });
    match causes.len().saturating_sub(CAUSES_SHOWN) {
        0 => line,
        more => line.styled(Style::Faint, format!(", and {more} more")),
    }
}

fn iterations(view: &ProgressView) -> Line {
    let line = label("iterations").styled(
        Style::Value,
        format!("{} complete", grouped(view.iterations.complete)),
    );
    let others = [
        ("interrupted", view.iterations.interrupted),
        ("dropped", view.iterations.dropped),
    ];
    let shown = others.into_iter().filter(|(_, count)| *count > 0);
    shown.fold(line, |line, (name, count)| {
        line.styled(Style::Warning, format!("  {} {name}", grouped(count)))
    })
}

fn scenarios(view: &ProgressView, width: usize, lines: &mut Vec<Line>) {
    let shown = &view.scenarios[..view.scenarios.len().min(SCENARIOS_SHOWN)];
    let name_width = widest(shown.iter().map(|s| s.name.as_str())).min(NAME_LIMIT);
    let columns: Vec<Vec<String>> = shown.iter().map(ScenarioView::columns).collect();
    let widths = column_widths(&columns);
    // Around the bar stand the name, the mark, the percentage and the columns, with blanks between them.
    let others = name_width + 9 + widths.iter().map(|w| w + 2).sum::<usize>();
    let bar_width = width.saturating_sub(others).min(SCENARIO_BAR);
    for (scenario, columns) in shown.iter().zip(&columns) {
        let name = Line::new().text(scenario.name.clone()).cut(name_width);
        let style = match scenario.phase {
            Phase::Done => Style::Good,
            Phase::Stopped => Style::Bad,
            Phase::Waiting { .. } | Phase::Running => Style::Faint,
        };
        let line = Line::indented(1)
            .append(name)
            .blank_to(1 + name_width + 1)
            .styled(style, scenario.mark())
            .text(" ")
            .append(bar(scenario.fraction(), bar_width))
            .text(format!(" {:3}%", (scenario.fraction() * 100.0).floor()))
            .text(beside(columns, &widths).trim_end());
        lines.push(line);
    }
    let hidden = view.scenarios.len() - shown.len();
    if hidden > 0 {
        lines.push(Line::indented(1).styled(Style::Faint, format!("and {hidden} more scenarios")));
    }
}

/// The name of a line; one that is too long keeps a blank behind it.
fn label(name: &str) -> Line {
    Line::indented(1)
        .styled(Style::Title, name)
        .text(" ")
        .blank_to(LABEL_WIDTH + 1)
}

/// A bar that moves in eighths of a column.
fn bar(fraction: f64, columns: usize) -> Line {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let filled = (fraction.clamp(0.0, 1.0) * (columns * 8) as f64).floor() as usize;
    let text = format!("{}{}", "█".repeat(filled / 8), EIGHTHS[filled % 8]);
    let rest = columns - text.chars().count();
    Line::new()
        .styled(Style::Value, text)
        .styled(Style::Faint, "·".repeat(rest))
}

/// The newest values as columns of eight heights, scaled to the largest; zero is a blank.
fn sparkline(values: &[f64]) -> String {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let newest = &values[values.len().saturating_sub(SPARKS)..];
    let most = newest.iter().copied().fold(0.0, f64::max);
    let height = |value: &f64| {
        if *value <= 0.0 {
            return ' ';
        }
        let step = (value / most * HEIGHTS.len() as f64).ceil() as usize;
        HEIGHTS[step.clamp(1, HEIGHTS.len()) - 1]
    };
    newest.iter().map(height).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spark_shows_every_value_that_is_not_zero() {
        assert_eq!(sparkline(&[0.0, 0.001, 50.0, 100.0]), " ▁▄█");
        assert_eq!(sparkline(&[]), "");
        assert_eq!(sparkline(&[f64::NAN, 0.0]).chars().count(), 2);
        assert_eq!(sparkline(&[1.0; 100]).chars().count(), SPARKS);
    }

    #[test]
    fn bars_have_a_fixed_width() {
        for percent in 0..=100 {
            assert_eq!(bar(f64::from(percent) / 100.0, 14).width(), 14);
        }
        assert_eq!(bar(f64::NAN, 14).width(), 14);
    }
}
