//! Plain lines, one block about once a second: what k6 prints when its output is not a terminal.

use super::{ProgressView, clock, padded};

/// The block: one line for the test, one for each scenario, then the warnings, each with an end of line.
pub fn plain(view: &ProgressView) -> String {
    let total_ns = view.total_ns.unwrap_or(view.elapsed_ns);
    let mut text = format!(
        "{} ({}), {}/{} VUs, {} complete and {} interrupted iterations\n",
        view.status,
        clock(view.elapsed_ns, total_ns.max(view.elapsed_ns)),
        padded(view.vus_active, view.vus_max),
        view.vus_max,
        view.iterations.complete,
        view.iterations.interrupted,
    );
    let name_width = widest(view.scenarios.iter().map(|s| s.name.as_str()));
    let columns: Vec<Vec<String>> = view.scenarios.iter().map(|s| s.columns()).collect();
    let widths = column_widths(&columns);
    for (scenario, columns) in view.scenarios.iter().zip(&columns) {
        let name = &scenario.name;
        let blank = " ".repeat(name_width - name.chars().count());
        let percent = (scenario.fraction() * 100.0).floor();
        let mut line = format!("{name}{blank} {} [ {percent:3}% ]", scenario.mark());
        line.push_str(&beside(columns, &widths));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for warning in &view.warnings {
        text.push_str(&format!("! {warning}\n"));
    }
    text
}

/// The columns, each as wide as its widest cell.
pub(super) fn beside(columns: &[String], widths: &[usize]) -> String {
    let mut text = String::new();
    for (at, column) in columns.iter().enumerate() {
        text.push_str(if at == 0 { " " } else { "  " });
        text.push_str(column);
        let missing = widths[at].saturating_sub(column.chars().count());
        text.push_str(&" ".repeat(missing));
    }
    text
}

pub(super) fn column_widths(rows: &[Vec<String>]) -> Vec<usize> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let column = |at: usize| widest(rows.iter().filter_map(|r| r.get(at).map(String::as_str)));
    (0..count).map(column).collect()
}

pub(super) fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    texts.map(|t| t.chars().count()).max().unwrap_or(0)
}
