//! The first lines of a summary: did it pass, how fast was it, what failed, can the numbers be trusted.
//!
//! Owns these four answers and nothing else: the sections below give the details, and their layout is k6's. Every
//! answer is one line, cut to the width; a question that the run cannot answer has no line.

use netload_metrics::aggregate::Rate;
use netload_metrics::generator::Verdict;
use netload_metrics::{Aggregate, Basis, Histogram, Summary};

use super::{Mode, SummaryOptions, percentile_text};
use crate::TimeUnit;
use crate::line::Line;
use crate::number::{self, grouped};
use crate::palette::Style;
use crate::stat::samples_needed;
use crate::tally::Tally;

const INDENT: usize = 2;
/// Where the answers stand, counted from the left.
const ANSWERS_AT: usize = 13;
/// The trends that can stand for a run, with what they are called; the first that was measured does.
const TRENDS: [(&str, &str); 3] = [
    ("http_req_response", "response"),
    ("http_req_duration", "net"),
    ("iteration_duration", "iteration"),
];
/// The lowest status that k6 counts as failed unless the script says otherwise.
const FAILED_FROM: u16 = 400;

/// At most four lines with an empty one before them; empty without results, and when the summary is disabled.
pub fn headline(summary: &Summary, tally: &Tally, options: &SummaryOptions) -> String {
    if options.mode == Mode::Disabled || summary.metrics.is_empty() {
        return String::new();
    }
    let lines = [
        Some(result(summary)),
        speed(summary, options.time_unit),
        failed(summary, tally),
        generator(summary),
    ];
    let width = options
        .width
        .clamp(SummaryOptions::MIN_WIDTH, SummaryOptions::DEFAULT_WIDTH);
    let painted = lines
        .into_iter()
        .flatten()
        .map(|line| line.cut(width).paint(options.palette) + "\n");
    format!("\n{}", painted.collect::<String>())
}

fn question(name: &str) -> Line {
    Line::indented(INDENT)
        .styled(Style::Title, name)
        .blank_to(ANSWERS_AT)
}

/// Whether it passed is what thresholds say; checks alone fail no test.
fn result(summary: &Summary) -> Line {
    let judged: Vec<_> = summary
        .metrics
        .iter()
        .flat_map(|metric| metric.thresholds.iter().map(move |t| (metric, t)))
        .collect();
    let crossed: Vec<_> = judged.iter().filter(|(_, t)| !t.ok).collect();
    let line = question("Result");
    let line = match (crossed.first(), judged.len()) {
        (None, 0) => line.text("not judged, there are no thresholds"),
        (None, 1) => line
            .styled(Style::Good, "passed")
            .text(": the threshold held"),
        (None, all) => line
            .styled(Style::Good, "passed")
            .text(format!(": all {} thresholds held", grouped(all as u64))),
        (Some(_), all) => line.styled(Style::Bad, "failed").text(format!(
            ": {} of {} crossed",
            grouped(crossed.len() as u64),
            counted(all as u64, "threshold")
        )),
    };
    let line = match rate(summary, "checks") {
        None => line,
        Some(Rate { passes, total }) if passes == total => {
            line.text(format!("; all {} held", counted(total, "check")))
        }
        Some(Rate { passes, total }) => line.text("; ").styled(
            Style::Bad,
            format!(
                "{} of {} failed",
                grouped(total - passes),
                counted(total, "check")
            ),
        ),
    };
    // The first crossed one is named where there is room; all of them stand in their section.
    let Some((metric, threshold)) = crossed.first() else {
        return line;
    };
    let name = Line::new().text(format!("; {} '{}'", metric.name, threshold.source));
    match line.width() + name.width() <= SummaryOptions::DEFAULT_WIDTH {
        true => line.append(name),
        false => line,
    }
}

/// Requests in a second, or iterations where there are none, and percentiles of the trend that stands for the run.
fn speed(summary: &Summary, unit: TimeUnit) -> Option<Line> {
    let counters = [("http_reqs", "requests"), ("iterations", "iterations")];
    let (counter, things) = counters.into_iter().find_map(|(name, things)| {
        match summary.metric(name).map(|m| &m.data) {
            Some(Aggregate::Counter(counter)) => Some((*counter, things)),
            _ => None,
        }
    })?;
    let per_second = counter.per_second(summary.elapsed_ns as f64 / 1e9);
    let per_second = number::plain((per_second * 10.0).floor() / 10.0);
    let line = question("Speed").styled(Style::Value, format!("{per_second} {things}/s"));
    let Some((trend, name)) = TRENDS.into_iter().find_map(|(metric, name)| {
        let Aggregate::Trend(trend) = &summary.metric(metric)?.data else {
            return None;
        };
        Some((trend, name))
    }) else {
        return Some(line);
    };
    let name = match summary.accuracy.basis {
        Basis::Gross if name == "net" => "gross",
        _ => name,
    };
    Some(percentiles(line.text(format!("; {name}")), trend, unit))
}

/// The percentiles that the samples carry; the maximum stands for those that they do not.
fn percentiles(line: Line, trend: &Histogram, unit: TimeUnit) -> Line {
    let carried =
        [50.0, 95.0, 99.0].map(|p| Some(p).filter(|p| trend.count() >= samples_needed(*p)));
    let is_short = carried.contains(&None);
    let named = carried.into_iter().flatten().map(|p| (format!("p{p}"), p));
    let named = named.chain(is_short.then(|| ("max".to_owned(), 100.0)));
    named
        .enumerate()
        .fold(line, |line, (at, (name, percentile))| {
            let comma = if at == 0 { "" } else { "," };
            line.text(format!("{comma} {name} "))
                .styled(Style::Value, percentile_text(trend, percentile, unit))
        })
}

/// How many requests failed, and what happened most often.
fn failed(summary: &Summary, tally: &Tally) -> Option<Line> {
    let Rate { passes, total } = rate(summary, "http_req_failed")?;
    let line = question("Failed");
    if passes == 0 {
        let text = format!("none of {}", counted(total, "request"));
        return Some(line.styled(Style::Good, text));
    }
    let share = number::percent_of(passes, total);
    let text = format!(
        "{} of {}, {share}",
        grouped(passes),
        counted(total, "request")
    );
    let line = line.styled(Style::Bad, text);
    Some(match commonest(tally, passes) {
        Some((cause, count)) if count == passes => line.text(format!("; always {cause}")),
        Some((cause, count)) => line.text(format!("; {} times {cause}", grouped(count))),
        None => line,
    })
}

/// The error or status that most of the failed requests had. What happened more often than requests failed was
/// expected by the script.
fn commonest(tally: &Tally, failed: u64) -> Option<(String, u64)> {
    let statuses = tally.statuses.range(FAILED_FROM..);
    let statuses = statuses.map(|(status, count)| (format!("status {status}"), *count));
    let errors = tally.errors.iter();
    let errors = errors.map(|(text, error)| (text.replace(['\n', '\r'], " "), error.count));
    statuses
        .chain(errors)
        .filter(|(_, count)| *count <= failed)
        .max_by_key(|(_, count)| *count)
}

/// What the verdict on the generator means for the numbers; the section below says why.
fn generator(summary: &Summary) -> Option<Line> {
    let report = summary.generator.as_deref()?;
    let style = match report.verdict {
        Verdict::Clean => Style::Good,
        Verdict::Disturbed | Verdict::ConcurrencyBound => Style::Warning,
        Verdict::GeneratorBound | Verdict::Invalid => Style::Bad,
    };
    let line = question("Generator").styled(style, report.verdict.name());
    let why = [&report.meaning, &report.detail];
    Some(match why.into_iter().find(|text| !text.is_empty()) {
        Some(text) => line.text(format!(": {text}")),
        None => line,
    })
}

fn rate(summary: &Summary, name: &str) -> Option<Rate> {
    match summary.metric(name).map(|metric| &metric.data) {
        Some(Aggregate::Rate(rate)) if rate.total > 0 => Some(*rate),
        _ => None,
    }
}

/// `1 request`, `1,234 requests`.
fn counted(count: u64, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(count))
}
