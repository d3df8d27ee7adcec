//! The scripts and styles of the pages, as `cargo xtask pages` made them.

/// The script of a report: the chart library and everything that draws a run.
pub const REPORT_SCRIPT: &str = include_str!("../assets/report.js");
/// The style of all pages.
pub const REPORT_STYLE: &str = include_str!("../assets/report.css");
