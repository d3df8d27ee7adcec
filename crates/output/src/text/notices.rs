//! What the reader should know before trusting the numbers: folded tags, lost samples, and what was not measured.

use netload_metrics::summary::Delivery;

use super::{Page, SummaryOptions};
use crate::accuracy;
use crate::line::{Line, wrap};
use crate::number::grouped;
use crate::palette::Style;

const INDENT: usize = 2;

pub(super) fn write(page: &mut Page<'_>) {
    let mut notices = Vec::new();
    if let Some(text) = folded(&page.summary.blamed_tags, page.summary.series) {
        notices.push(text);
    }
    if page.summary.samples_lost > 0 {
        notices.push(format!(
            "{} samples did not reach the outputs because they could not keep up. The summary has counted them; \
             files written with --out are incomplete.",
            grouped(page.summary.samples_lost)
        ));
    }
    notices.extend(page.summary.deliveries.iter().filter_map(undelivered));
    notices.extend(accuracy::notices(&page.summary.accuracy));
    for notice in notices {
        page.blank();
        let width = page.width.min(SummaryOptions::DEFAULT_WIDTH) - INDENT;
        for line in wrap(&format!("WARNING {notice}"), width) {
            page.line(Line::indented(INDENT).styled(Style::Warning, line));
        }
    }
}

/// What a receiver did not get.
pub(crate) fn undelivered(delivery: &Delivery) -> Option<String> {
    let Delivery {
        output,
        offered,
        lost,
        reason,
    } = delivery;
    let why = reason
        .as_ref()
        .map_or(String::new(), |why| format!(" ({why})"));
    (*lost > 0).then(|| {
        format!(
            "{output}: {} of {} samples were not delivered{why}. The summary has counted them.",
            grouped(*lost),
            grouped(*offered)
        )
    })
}

/// What to say about tags with too many values.
fn folded(tags: &[String], series: usize) -> Option<String> {
    let worst = tags.first()?;
    let all: Vec<String> = tags.iter().map(|tag| format!("`{tag}`")).collect();
    let word = if tags.len() == 1 { "tag" } else { "tags" };
    let cure = match worst.as_str() {
        "url" | "name" => {
            "Give requests that differ only in their address one name: \
             http.get(url,\u{a0}{\u{a0}tags:\u{a0}{\u{a0}name:\u{a0}'item'\u{a0}}\u{a0}})."
        }
        "error" => "Leave the tag out with --system-tags, or group the errors by error_code.",
        "iter" | "vu" => "Leave the tag out with --system-tags.",
        _ => "Do not put numbers, times or ids into tags; a metric can hold them.",
    };
    Some(format!(
        "Too many different values of the {word} {}: {} series are kept apart, what came later is counted under \
         `(other)`. {cure}",
        all.join(", "),
        grouped(series as u64)
    ))
}
