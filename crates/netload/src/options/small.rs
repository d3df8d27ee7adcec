//! Options of the commands that have only a few.

use super::{Opt, Owner, Value};

const TOOL: Opt = Opt {
    owner: Owner::Tool,
    ..Opt::BASE
};

pub(super) const INSPECT: &[Opt] = &[
    Opt {
        key: "executionRequirements",
        long: "execution-requirements",
        help: "Resolve every default and add totalDuration and maxVUs",
        ..TOOL
    },
    Opt {
        key: "origins",
        long: "origins",
        help: "Show where each value comes from",
        ..TOOL
    },
];

pub(super) const ARCHIVE: &[Opt] = &[
    Opt {
        key: "archiveOut",
        long: "archive-out",
        short: Some('O'),
        value: Value::One("FILE"),
        default: "archive.tar",
        help: "The file to write",
        ..TOOL
    },
    Opt {
        key: "excludeEnvVars",
        long: "exclude-env-vars",
        help: "Leave out what -e sets",
        ..TOOL
    },
];

pub(super) const NEW: &[Opt] = &[
    Opt {
        key: "force",
        long: "force",
        short: Some('f'),
        help: "Overwrite the file if it exists",
        ..TOOL
    },
    Opt {
        key: "template",
        long: "template",
        value: Value::One("TEMPLATE"),
        default: "minimal",
        help: "minimal, protocol, or the path of a file to copy",
        ..TOOL
    },
];

pub(super) const TARGET: &[Opt] = &[
    Opt {
        key: "listen",
        long: "listen",
        value: Value::One("HOST:PORT"),
        default: "127.0.0.1:8080",
        help: "Where to listen for HTTP",
        ..TOOL
    },
    Opt {
        key: "tls",
        long: "tls",
        value: Value::One("HOST:PORT"),
        help: "Also listen here for HTTPS, with a certificate made at the start",
        ..TOOL
    },
    Opt {
        key: "http2",
        long: "http2",
        help: "Speak HTTP/2 beside HTTP/1.1: agreed on by TLS, in the clear to whoever begins with it",
        ..TOOL
    },
    Opt {
        key: "workers",
        long: "workers",
        env: "NETLOAD_WORKERS",
        value: Value::One("N"),
        default: "one for each core",
        help: "Number of threads that answer",
        ..TOOL
    },
    Opt {
        key: "logRequests",
        long: "log-requests",
        help: "Keep what arrives, to be read at /__log",
        ..TOOL
    },
    Opt {
        key: "log",
        long: "log",
        value: Value::One("FILE"),
        help: "At the end write when each request arrived and its answer left, by the kernel's stamps",
        details: "docs/measurement.md describes the file. Linux only.",
        ..TOOL
    },
    Opt {
        key: "busyPoll",
        long: "busy-poll",
        help: "Never sleep: answers leave when they are due, to the microsecond, and each worker uses up its core",
        ..TOOL
    },
    Opt {
        key: "routes",
        long: "routes",
        help: "List the paths it answers, and stop",
        ..TOOL
    },
];

pub(super) const CLIENT: &[Opt] = &[Opt {
    key: "address",
    long: "address",
    short: Some('a'),
    env: "K6_ADDRESS",
    value: Value::One("HOST:PORT"),
    default: "localhost:6565",
    help: "Where the test listens",
    ..TOOL
}];

pub(super) const SCALE: &[Opt] = &[
    Opt {
        key: "vus",
        long: "vus",
        short: Some('u'),
        value: Value::One("N"),
        help: "Number of active virtual users",
        ..TOOL
    },
    Opt {
        key: "maxVUs",
        long: "max",
        short: Some('m'),
        value: Value::One("N"),
        help: "Largest number of virtual users",
        ..TOOL
    },
    Opt {
        key: "rate",
        long: "rate",
        short: Some('r'),
        value: Value::One("RATE"),
        help: "Iterations of a test with an arrival rate: 500, 0.5/s, 6000/m",
        details: "The scenario keeps it to its planned end.",
        ..TOOL
    },
    Opt {
        key: "scaledScenario",
        long: "scenario",
        value: Value::One("NAME"),
        help: "The scenario that gets the users or the rate, where several could",
        ..TOOL
    },
];

pub(super) const VERSION: &[Opt] = &[Opt {
    key: "json",
    long: "json",
    help: "As JSON",
    ..TOOL
}];
