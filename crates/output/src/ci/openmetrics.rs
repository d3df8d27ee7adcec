//! GitLab's metrics report: OpenMetrics text, which merge requests compare with the target branch.
//!
//! <https://docs.gitlab.com/ci/testing/metrics_reports/>. Times are seconds, as OpenMetrics wants them; one line for a value that a reader would compare.

use std::fmt::Write;

use netload_metrics::{Aggregate, Contains, Summary};

pub(super) fn render(summary: &Summary) -> String {
    let mut page = String::new();
    for metric in &summary.metrics {
        let (base, braces) = match metric.name.split_once('{') {
            Some((base, inner)) => (base, inner.trim_end_matches('}')),
            None => (metric.name.as_str(), ""),
        };
        let (scale, unit) = match metric.contains {
            Contains::Time => (1e-3, "_seconds"),
            Contains::Data => (1.0, "_bytes"),
            Contains::Default => (1.0, ""),
        };
        let mut line = |suffix: &str, stat: &str, value: f64| {
            let part = [("part", braces), ("stat", stat)];
            let labels = part.iter().filter(|(_, value)| !value.is_empty());
            let labels: Vec<String> = labels
                .map(|(k, v)| format!("{k}=\"{}\"", escaped(v)))
                .collect();
            let labels = match labels.is_empty() {
                true => String::new(),
                false => format!("{{{}}}", labels.join(",")),
            };
            // Writing into memory cannot fail.
            let _ = writeln!(page, "{base}{unit}{suffix}{labels} {value}");
        };
        match &metric.data {
            Aggregate::Counter(c) => line("_total", "", c.sum),
            Aggregate::Gauge(g) => line("", "", g.last * scale),
            Aggregate::Rate(r) => line("_ratio", "", r.share().unwrap_or_default()),
            Aggregate::Trend(h) => {
                line("", "avg", h.mean() * scale);
                for (stat, percentile) in [("p50", 50.0), ("p95", 95.0), ("p99", 99.0)] {
                    line("", stat, h.percentile(percentile) * scale);
                }
                line("", "max", h.max() * scale);
            }
        }
    }
    page += "# EOF\n";
    page
}

fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"");
    text.replace('\n', "\\n")
}
