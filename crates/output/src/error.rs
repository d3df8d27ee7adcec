//! What can be wrong with an option or a file of an output.

use std::io;

use netload_metrics::SinkError;

/// Why an output or an option of the summary was refused, or why it could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A column of trends that does not exist.
    #[error(
        "`{0}` is not a statistic of a trend; use avg, min, med, max, count or a percentile such as p(99.9)"
    )]
    UnknownStat(String),
    /// A unit of `summaryTimeUnit` that does not exist.
    #[error("`{0}` is not a time unit of the summary; use s, ms or us")]
    UnknownTimeUnit(String),
    /// A summary mode that does not exist.
    #[error("`{0}` is not a summary mode; use compact, full or disabled")]
    UnknownMode(String),
    /// An output that nobody knows.
    #[error("there is no output `{name}`; available are {available}{hint}")]
    UnknownSink {
        /// The name as typed.
        name: String,
        /// The known names, separated by commas.
        available: String,
        /// `; did you mean ...?`, or nothing.
        hint: String,
    },
    /// An output that k6 has or had and netload does not have.
    #[error("the output `{name}` is not available: {instead}")]
    MissingSink {
        /// The name as typed.
        name: String,
        /// What to use in its place.
        instead: &'static str,
    },
    /// An output that was left out when the program was built.
    #[error(
        "output `{sink}`: this netload was built without {what}; build it with `--features {feature}`"
    )]
    NotBuilt {
        /// The name of the output.
        sink: &'static str,
        /// What is missing.
        what: &'static str,
        /// The feature of the binary that brings it.
        feature: &'static str,
    },
    /// An argument behind the name of an output that cannot be used.
    #[error("output `{sink}`: {problem}")]
    Argument {
        /// The name of the output.
        sink: &'static str,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// A file that cannot be created or written.
    #[error("cannot write {path}: {source}")]
    File {
        /// The path, or `the standard output`.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

impl From<OutputError> for SinkError {
    fn from(error: OutputError) -> Self {
        Self(error.to_string())
    }
}
