//! The scripts and styles of the pages, as `cargo xtask pages` made them.

/// The script of a report: the chart library and everything that draws a run.
pub const REPORT_SCRIPT: &str = include_str!("../assets/report.js");
/// The style of all pages.
pub const REPORT_STYLE: &str = include_str!("../assets/report.css");
/// The one page of the web UI.
pub const APP_PAGE: &str = include_str!("../web/app.html");
/// Its script: the chart library, everything that draws a run, and the pages around it.
pub const APP_SCRIPT: &str = include_str!("../assets/app.js");
/// Its style.
pub const APP_STYLE: &str = include_str!("../assets/app.css");
