//! What is asked of every tool: which answers, how many connections, how fast, how long.
//!
//! Invariant: the same load is asked of all tools of a comparison; what a tool cannot do it is not asked for.

/// How the server answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Script {
    /// For tables.
    pub(super) name: &'static str,
    /// The target's path.
    pub(super) path: &'static str,
    /// Mean service time in milliseconds.
    pub(super) mean_ms: f64,
}

/// One millisecond, always.
pub(super) const FIXED_1: Script = script("fixed 1 ms", "/fixed/1ms", 1.0);
/// Ten milliseconds, always.
pub(super) const FIXED_10: Script = script("fixed 10 ms", "/fixed/10ms", 10.0);
/// Exponentially distributed.
pub(super) const EXPONENTIAL: Script = script("exponential, mean 10 ms", "/exp/10ms", 10.0);
/// Five answers of a hundred take twenty times as long.
pub(super) const BIMODAL: Script = script("95 % 5 ms, 5 % 100 ms", "/bimodal/5ms/100ms/0.05", 9.75);
/// At once.
pub(super) const FAST: Script = script("at once", "/fast", 0.0);
/// At once, except while everything stalls.
pub(super) const STALL: Script = script(
    "stall of 200 ms every second",
    "/stall?every=1s&for=200ms",
    20.0,
);
/// The stall's period and length, in nanoseconds.
pub(super) const STALL_EVERY_NS: f64 = 1e9;
/// As above.
pub(super) const STALL_FOR_NS: f64 = 0.2e9;

/// The scripts that every tool is compared on.
pub(super) const SCRIPTS: [Script; 4] = [FIXED_1, FIXED_10, EXPONENTIAL, BIMODAL];

const fn script(name: &'static str, path: &'static str, mean_ms: f64) -> Script {
    Script {
        name,
        path,
        mean_ms,
    }
}

/// When requests start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drive {
    /// Each connection's next request when its last one is answered.
    Closed,
    /// That many per second, whatever the server does.
    Open(f64),
}

/// What a tool is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Load {
    /// How the server answers.
    pub(super) script: Script,
    /// Connections, or virtual users with one each.
    pub(super) connections: usize,
    /// When requests start.
    pub(super) drive: Drive,
    /// Length in seconds.
    pub(super) seconds: u64,
    /// Milliseconds of JavaScript before each request, where there is a script.
    pub(super) burn_ms: u64,
}

impl Load {
    /// As fast as the server answers.
    pub(super) fn closed(script: Script, connections: usize, seconds: u64) -> Load {
        Load {
            script,
            connections,
            drive: Drive::Closed,
            seconds,
            burn_ms: 0,
        }
    }

    /// At a rate.
    pub(super) fn open(script: Script, connections: usize, per_second: f64, seconds: u64) -> Load {
        Load {
            drive: Drive::Open(per_second),
            ..Load::closed(script, connections, seconds)
        }
    }

    /// The rate, if there is one.
    pub(super) fn rate(&self) -> Option<f64> {
        match self.drive {
            Drive::Closed => None,
            Drive::Open(rate) => Some(rate),
        }
    }

    /// The load in words, without the script.
    pub(super) fn words(&self) -> String {
        let drive = match self.drive {
            Drive::Closed => "as fast as it is answered".to_owned(),
            Drive::Open(rate) => format!("{rate:.0}/s"),
        };
        format!("{} connections, {drive}", self.connections)
    }
}
