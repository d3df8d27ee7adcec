//! The summary that people read at the end of a test.
//!
//! [`headline`] answers the four questions that people have first; [`render`] is the rest, which is k6's summary and more.
//! Owns the order of the sections: thresholds, all results with gross, tare and net, the verdict on the generator, then in full mode every group and
//! scenario, then what the reader should be warned about. The layout follows k6's, but keeps to a width: trends that
//! do not fit on a line continue below in the same columns. With usual names no line is wider than the width asked for.

mod checks;
mod generator;
mod headline;
mod metrics;
mod notices;
mod tare;
mod thresholds;

use netload_metrics::Summary;
use netload_metrics::summary::{Group, MetricSummary, Scope};

use crate::line::Line;
use crate::palette::{Palette, Style};
use crate::{OutputError, TimeUnit, TrendStat};

pub use headline::headline;
pub(crate) use notices::undelivered;
pub(crate) use tare::{compat_lines, percentile_text, spread_text};

/// How much the summary shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// What most people need.
    #[default]
    Compact,
    /// All phases of requests, and every group and scenario on its own.
    Full,
    /// Nothing.
    Disabled,
}

impl Mode {
    /// The mode by its name: `compact`, `full` or `disabled`.
    ///
    /// # Errors
    /// Any other text.
    pub fn parse(text: &str) -> Result<Self, OutputError> {
        match text {
            "compact" => Ok(Self::Compact),
            "full" => Ok(Self::Full),
            "disabled" => Ok(Self::Disabled),
            other => Err(OutputError::UnknownMode(other.to_owned())),
        }
    }
}

/// How the summary looks.
#[derive(Clone, Debug)]
pub struct SummaryOptions {
    /// How much it shows.
    pub mode: Mode,
    /// The columns of trends.
    pub trend_stats: Vec<TrendStat>,
    /// The unit of durations.
    pub time_unit: TimeUnit,
    /// Colours or none.
    pub palette: Palette,
    /// Columns available; at least [`Self::MIN_WIDTH`] are used.
    pub width: usize,
}

impl SummaryOptions {
    /// The width that is kept to unless the caller knows a better one.
    pub const DEFAULT_WIDTH: usize = 80;
    /// Below this the layout would fall apart.
    pub const MIN_WIDTH: usize = 60;
}

impl Default for SummaryOptions {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            trend_stats: TrendStat::defaults(),
            time_unit: TimeUnit::default(),
            palette: Palette::default(),
            width: Self::DEFAULT_WIDTH,
        }
    }
}

/// The blanks before everything inside a section.
const INDENT: usize = 4;

/// The whole summary, with an empty line before and after; empty when it is disabled.
pub fn render(summary: &Summary, options: &SummaryOptions) -> String {
    if options.mode == Mode::Disabled {
        return String::new();
    }
    let mut page = Page {
        summary,
        options,
        width: options.width.max(SummaryOptions::MIN_WIDTH),
        lines: Vec::new(),
    };
    thresholds::write(&mut page);
    page.title("TOTAL RESULTS");
    if summary.metrics.is_empty() {
        page.line(Line::indented(INDENT).text("nothing was measured"));
    }
    checks::write_all(&mut page, &summary.root);
    metrics::write(&mut page, &summary.metrics, INDENT);
    generator::write(&mut page);
    if options.mode == Mode::Full {
        write_groups(&mut page, &summary.root, 0);
        write_scenarios(&mut page);
    }
    notices::write(&mut page);
    page.blank();
    page.finish()
}

/// Every group below `group` that has something to show.
fn write_groups(page: &mut Page<'_>, group: &Group, depth: usize) {
    for child in &group.groups {
        if !has_results(page, child) {
            continue;
        }
        let indent = INDENT + 2 * depth;
        if depth == 0 {
            page.title(&format!("GROUP: {}", child.name));
        } else {
            let head = Line::indented(indent - 2)
                .text("↳ ")
                .styled(Style::Title, format!("GROUP: {}", child.name));
            page.line(head);
            page.blank();
        }
        let measured = scope(page.summary, &Scope::Group(child.path.clone()));
        checks::write_one(page, child, indent);
        metrics::write(page, measured, indent);
        write_groups(page, child, depth + 1);
    }
}

fn has_results(page: &Page<'_>, group: &Group) -> bool {
    !group.checks.is_empty()
        || !scope(page.summary, &Scope::Group(group.path.clone())).is_empty()
        || group.groups.iter().any(|g| has_results(page, g))
}

/// Every scenario, when there are several: a single one would repeat the total.
fn write_scenarios(page: &mut Page<'_>) {
    let summary = page.summary;
    let scenarios: Vec<_> = summary
        .scopes
        .iter()
        .filter_map(|(scope, metrics)| match scope {
            Scope::Scenario(name) => Some((name, metrics)),
            Scope::Group(_) => None,
        })
        .collect();
    if scenarios.len() < 2 {
        return;
    }
    for (name, measured) in scenarios {
        page.title(&format!("SCENARIO: {name}"));
        checks::write_counts(page, measured, INDENT);
        metrics::write(page, measured, INDENT);
    }
}

fn scope<'a>(summary: &'a Summary, wanted: &Scope) -> &'a [MetricSummary] {
    let found = summary.scopes.iter().find(|(scope, _)| scope == wanted);
    found.map_or(&[], |(_, metrics)| metrics)
}

/// The lines written so far and what they are made from.
struct Page<'a> {
    summary: &'a Summary,
    options: &'a SummaryOptions,
    width: usize,
    lines: Vec<String>,
}

impl Page<'_> {
    fn line(&mut self, line: Line) {
        self.lines.push(line.paint(self.options.palette));
    }

    /// An empty line, unless there is one already.
    fn blank(&mut self) {
        if self.lines.last().is_some_and(|l| !l.is_empty()) {
            self.lines.push(String::new());
        }
    }

    /// The head of a section.
    fn title(&mut self, title: &str) {
        self.blank();
        self.lines.push(String::new());
        self.line(Line::new().text("  █ ").styled(Style::Title, title));
        self.blank();
    }

    fn elapsed_s(&self) -> f64 {
        self.summary.elapsed_ns as f64 / 1e9
    }

    fn finish(self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        text
    }
}
