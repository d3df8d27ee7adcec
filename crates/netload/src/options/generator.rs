//! Options about netload itself as the source of the load.

use super::{Opt, Owner, Value};

const TOOL: Opt = Opt {
    owner: Owner::Tool,
    ..Opt::BASE
};

/// Threads.
pub(super) const WORKERS: Opt = Opt {
    key: "workers",
    long: "workers",
    env: "NETLOAD_WORKERS",
    value: Value::One("N"),
    default: "one for each core",
    help: "Number of threads that make load",
    ..TOOL
};

/// What is printed of the results.
pub(super) const FORMAT: Opt = Opt {
    key: "format",
    long: "format",
    env: "NETLOAD_FORMAT",
    value: Value::One("text|json"),
    default: "text",
    help: "Form of the results on standard output",
    ..TOOL
};

pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        key: "failOnGenerator",
        long: "fail-on-generator",
        env: "NETLOAD_FAIL_ON_GENERATOR",
        value: Value::Maybe("VERDICT", "generator-bound"),
        help: "Fail with exit code 111 when netload itself was the limit",
        details: "With =disturbed also when something touched the numbers for a time, with =invalid only when they \
                  contradict each other. See docs/generator.md.",
        ..TOOL
    },
    Opt {
        key: "zero",
        long: "zero",
        env: "NETLOAD_ZERO",
        help: "First measure netload alone for two seconds, at the rate and with the connections of the test",
        details: "Against a server on this machine that does nothing; the result stands beside the verdict.",
        ..TOOL
    },
];

/// Of `netload zero`.
pub(super) const ZERO: &[Opt] = &[
    Opt {
        key: "rate",
        long: "rate",
        short: Some('r'),
        value: Value::One("N[/s|/m]"),
        default: "1000/s",
        help: "Start requests at this rate",
        ..TOOL
    },
    Opt {
        key: "connections",
        long: "connections",
        short: Some('c'),
        value: Value::One("N"),
        default: "50",
        help: "Connections at most",
        ..TOOL
    },
    Opt {
        key: "payload",
        long: "payload",
        value: Value::One("BYTES"),
        default: "12",
        help: "Size of each body",
        ..TOOL
    },
    Opt {
        key: "duration",
        long: "duration",
        short: Some('z'),
        value: Value::One("DURATION"),
        default: "2s",
        help: "How long tare and lateness are measured",
        ..TOOL
    },
    WORKERS,
    FORMAT,
];
