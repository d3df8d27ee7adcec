//! What a browser shows of a run: the numbers as columns, the report as one file, and the scripts and styles of both the
//! report and the web UI.
//!
//! Pure functions from a record to text; leaves out files, serving and everything about findings and comparisons. The
//! scripts are written in TypeScript in `web/` and built by `cargo xtask pages` into `assets/`. Invariant: nothing that
//! came from outside stands in a page as markup.

pub mod assets;
pub mod report;
pub mod view;
