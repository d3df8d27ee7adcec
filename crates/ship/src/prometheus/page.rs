//! The page for scraping: Prometheus' text and OpenMetrics, from the values since the start of the run.
//!
//! Trends are summaries with quantiles. <https://prometheus.io/docs/instrumenting/exposition_formats/> and
//! <https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md>. Invariant: all lines of a metric stand together below
//! its type, as both formats demand.

use std::collections::BTreeMap;
use std::fmt::Write;

use netload_metrics::Aggregate;

use super::names::{base, labels, scale, with_unit};
use crate::batch::Batch;
use crate::totals::{Since, Tags, Total, Totals};

const QUANTILES: [f64; 5] = [0.5, 0.9, 0.95, 0.99, 0.999];

/// Which of the two formats is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    OpenMetrics,
}

impl Format {
    /// By the header `Accept`.
    pub(crate) fn wanted(accept: &str) -> Self {
        match accept.contains("application/openmetrics-text") {
            true => Self::OpenMetrics,
            false => Self::Text,
        }
    }

    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::Text => "text/plain; version=0.0.4; charset=utf-8",
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }
}

/// Everything that can be scraped.
pub(crate) struct TextPage {
    totals: Totals,
}

impl TextPage {
    pub(crate) fn new() -> Self {
        Self {
            totals: Totals::new(Since::Start, Tags::All),
        }
    }

    pub(crate) fn absorb(&mut self, batch: &Batch) {
        self.totals.absorb(batch);
        self.totals.reported();
    }

    /// The page as it is now.
    pub(crate) fn render(&self, format: Format) -> String {
        let mut families: BTreeMap<&str, Vec<&Total>> = BTreeMap::new();
        for total in self.totals.report() {
            families.entry(&total.metric.name).or_default().push(total);
        }
        let mut page = String::new();
        for totals in families.values() {
            family(totals, format, &mut page);
        }
        if format == Format::OpenMetrics {
            page += "# EOF\n";
        }
        page
    }
}

fn family(totals: &[&Total], format: Format, page: &mut String) {
    let Some(first) = totals.first() else { return };
    let metric = &first.metric;
    let base = base(metric);
    let (name, kind) = match first.data {
        Aggregate::Counter(_) if format == Format::Text => (format!("{base}_total"), "counter"),
        Aggregate::Counter(_) => (base, "counter"),
        Aggregate::Gauge(_) => (base, "gauge"),
        Aggregate::Rate(_) => (format!("{base}_rate"), "gauge"),
        Aggregate::Trend(_) => (with_unit(metric), "summary"),
    };
    // Writing into memory cannot fail.
    let _ = writeln!(page, "# TYPE {name} {kind}");
    for total in totals {
        let labels = labels(&total.tags);
        let scale = scale(&total.metric);
        let mut line = |part: &str, extra: Option<(&str, String)>, value: f64| {
            let _ = writeln!(page, "{name}{part}{} {value}", braces(&labels, extra));
        };
        match &total.data {
            Aggregate::Counter(c) if format == Format::Text => line("", None, c.sum),
            Aggregate::Counter(c) => line("_total", None, c.sum),
            Aggregate::Gauge(g) => line("", None, g.last * scale),
            Aggregate::Rate(r) => line("", None, r.share().unwrap_or_default()),
            Aggregate::Trend(h) => {
                for quantile in QUANTILES {
                    let value = h.percentile(100.0 * quantile) * scale;
                    line("", Some(("quantile", quantile.to_string())), value);
                }
                line("_sum", None, h.sum() * scale);
                line("_count", None, h.count() as f64);
            }
        }
    }
}

fn braces(labels: &[(String, String)], extra: Option<(&str, String)>) -> String {
    let quoted = |key: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        format!("{key}=\"{}\"", value.replace('\n', "\\n"))
    };
    let own = labels.iter().map(|(key, value)| quoted(key, value));
    let extra = extra.map(|(key, value)| quoted(key, &value));
    let all: Vec<String> = own.chain(extra).collect();
    match all.is_empty() {
        true => String::new(),
        false => format!("{{{}}}", all.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::totals::tests::sample_batch;

    #[test]
    fn both_formats_are_pages() {
        let mut page = TextPage::new();
        page.absorb(&sample_batch(5));
        page.absorb(&sample_batch(6));
        crate::golden::check("scrape", &page.render(Format::Text));
        crate::golden::check("openmetrics", &page.render(Format::OpenMetrics));
    }
}
