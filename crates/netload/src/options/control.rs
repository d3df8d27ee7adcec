//! Options about steering a running test.

use super::{Opt, Owner, Value};

pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        key: "address",
        long: "address",
        short: Some('a'),
        env: "K6_ADDRESS",
        value: Value::One("HOST:PORT"),
        default: "off; localhost:6565 when the test is paused or externally controlled",
        owner: Owner::Tool,
        help: "Listen here for status, pause, resume and scale",
        ..Opt::BASE
    },
    Opt {
        key: "linger",
        long: "linger",
        short: Some('l'),
        env: "K6_LINGER",
        owner: Owner::Instance,
        help: "Stay after the end of the test until interrupted",
        details: "The REST API (see --address) goes on answering.",
        ..Opt::BASE
    },
    Opt {
        key: "noUsageReport",
        long: "no-usage-report",
        env: "K6_NO_USAGE_REPORT",
        owner: Owner::Instance,
        help: "Accepted; netload never reports usage",
        ..Opt::BASE
    },
    Opt {
        key: "noArchiveUpload",
        env: "K6_NO_ARCHIVE_UPLOAD",
        owner: Owner::Instance,
        help: "Accepted; netload uploads nothing",
        ..Opt::BASE
    },
    Opt {
        key: "profilingEnabled",
        long: "profiling-enabled",
        env: "K6_PROFILING_ENABLED",
        owner: Owner::Tool,
        help: "Accepted; profile netload from outside",
        ..Opt::BASE
    },
    Opt {
        key: "tracesOutput",
        long: "traces-output",
        env: "K6_TRACES_OUTPUT",
        value: Value::One("none|otel[=URL]"),
        default: "none",
        owner: Owner::Tool,
        help: "Accepted; nothing here writes traces, as in k6 without its browser module",
        ..Opt::BASE
    },
];
