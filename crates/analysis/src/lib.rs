//! What a run shows ([`findings`]) and whether two runs differ ([`compare`](compare())).
//!
//! Pure functions over records. Leaves out how that is printed. Invariant: the same records give the same answer, down to
//! the last digit: chance is seeded.

pub mod compare;
mod findings;

pub use compare::{Comparison, Margin, Row, Side, Verdict, compare};
pub use findings::{Finding, RULES, Rule, Severity, change, findings};
