//! Exit codes: what a caller learns without reading a word. The numbers up to 110 are k6's.

use std::process::ExitCode;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// The test ran and everything asked of it held.
    Success = 0,
    /// A threshold failed.
    Thresholds = 99,
    /// setup() took longer than it may.
    SetupTimeout = 100,
    /// teardown() took longer than it may.
    TeardownTimeout = 101,
    /// Something else took longer than it may.
    Timeout = 102,
    /// The test was stopped through the REST API.
    StoppedByApi = 103,
    /// The options, read together, make no test.
    BadConfiguration = 104,
    /// The test was ended by SIGINT or SIGTERM.
    Signal = 105,
    /// The REST API cannot listen.
    ApiCannotStart = 106,
    /// The script threw outside of an iteration: while loading, in setup() or in teardown().
    ScriptException = 107,
    /// The script called test.abort().
    AbortedByScript = 108,
    /// A defect of netload.
    Internal = 109,
    /// The script called test.fail().
    MarkedFailed = 110,
    /// The generator itself was the limit, and that was asked about.
    Generator = 111,
    /// A run is worse than its baseline, and that was asked about.
    Worse = 112,
    /// Everything else: wrong usage, unreadable files, outputs that cannot be opened.
    Failure = 255,
}

impl Exit {
    /// Every code with its meaning, for the reference.
    pub(crate) const MEANINGS: &[(Self, &str)] = &[
        (
            Self::Success,
            "The test ran. Exceptions inside iterations do not change that.",
        ),
        (Self::Thresholds, "A threshold failed."),
        (Self::SetupTimeout, "setup() took longer than setupTimeout."),
        (
            Self::TeardownTimeout,
            "teardown() took longer than teardownTimeout.",
        ),
        (
            Self::Timeout,
            "Something else took longer than it may, such as handleSummary().",
        ),
        (
            Self::StoppedByApi,
            "The test was stopped through the REST API.",
        ),
        (
            Self::BadConfiguration,
            "Options, scenarios or thresholds are wrong.",
        ),
        (
            Self::Signal,
            "The test was ended by SIGINT or SIGTERM (Ctrl-C).",
        ),
        (
            Self::ApiCannotStart,
            "The REST API cannot listen at --address.",
        ),
        (
            Self::ScriptException,
            "The script threw while loading, in setup() or in teardown().",
        ),
        (
            Self::AbortedByScript,
            "The script called exec.test.abort().",
        ),
        (Self::Internal, "A defect of netload. Please report it."),
        (Self::MarkedFailed, "The script called exec.test.fail()."),
        (
            Self::Generator,
            "Netload itself was the limit, with --fail-on-generator.",
        ),
        (Self::Worse, "netload compare found what --fail-on names."),
        (
            Self::Failure,
            "Wrong usage, or a file, output or address that cannot be used.",
        ),
    ];

    /// The number.
    pub(crate) fn code(self) -> u8 {
        self as u8
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
