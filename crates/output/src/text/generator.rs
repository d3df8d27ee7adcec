//! The verdict on the generator, below the results.

use super::{INDENT, Page, SummaryOptions};
use crate::generator;
use crate::line::Line;
use crate::palette::Style;

pub(super) fn write(page: &mut Page<'_>) {
    let Some(report) = &page.summary.generator else {
        return;
    };
    page.blank();
    page.line(Line::indented(INDENT).styled(Style::Title, "GENERATOR"));
    let width = page.width.min(SummaryOptions::DEFAULT_WIDTH);
    for line in generator::lines(report, "", (INDENT, INDENT), width) {
        page.line(line);
    }
}
