//! Options about what the terminal shows; every command takes them.

use super::{Opt, Owner, Value};

pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        key: "quiet",
        long: "quiet",
        short: Some('q'),
        env: "NETLOAD_QUIET",
        owner: Owner::Tool,
        help: "No progress",
        ..Opt::BASE
    },
    Opt {
        key: "verbose",
        long: "verbose",
        short: Some('v'),
        env: "NETLOAD_VERBOSE",
        owner: Owner::Tool,
        help: "Log debug messages too",
        ..Opt::BASE
    },
    Opt {
        key: "noColor",
        long: "no-color",
        env: "K6_NO_COLOR",
        owner: Owner::Tool,
        help: "No colours; the variable NO_COLOR does the same",
        ..Opt::BASE
    },
    Opt {
        key: "logOutput",
        long: "log-output",
        env: "K6_LOG_OUTPUT",
        value: Value::One("WHERE"),
        default: "stderr",
        owner: Owner::Tool,
        help: "Where log lines go: stderr, stdout, none or file=PATH",
        details: "`file=PATH,level=warning` leaves out what is less important.",
        ..Opt::BASE
    },
    Opt {
        key: "logFormat",
        long: "log-format",
        env: "K6_LOG_FORMAT",
        value: Value::One("FORMAT"),
        default: "text",
        owner: Owner::Tool,
        help: "Form of log lines: text, json or raw",
        ..Opt::BASE
    },
];
