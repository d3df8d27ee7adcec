//! The load of `netload hit` and what it prints.

use super::{Opt, Owner, Value};

const TOOL: Opt = Opt {
    owner: Owner::Tool,
    ..Opt::BASE
};

pub(super) const LOAD: &[Opt] = &[
    Opt {
        key: "connections",
        long: "connections",
        short: Some('c'),
        value: Value::One("N"),
        default: "50",
        help: "Connections, each with one request at a time unless --streams says more",
        ..TOOL
    },
    Opt {
        key: "streams",
        long: "streams",
        value: Value::One("N"),
        default: "1",
        help: "Requests at once on each connection; needs --http2",
        details: "A server that allows fewer makes the others wait; what they wait is in http_req_blocked.",
        ..TOOL
    },
    Opt {
        key: "requests",
        long: "requests",
        short: Some('n'),
        value: Value::One("N"),
        help: "Stop after this many requests; 10k and 1M are understood",
        ..TOOL
    },
    Opt {
        key: "duration",
        long: "duration",
        short: Some('z'),
        value: Value::One("DURATION"),
        default: "10s, without --requests",
        help: "Stop after this time, such as 30s or 5m",
        details: "With --requests, what comes first ends the run.",
        ..TOOL
    },
    Opt {
        key: "rate",
        long: "rate",
        short: Some('r'),
        value: Value::One("N[/s|/m]"),
        default: "as fast as the connections answer",
        help: "Start requests at this rate, whatever the server does",
        details: "The open model: a slow server cannot slow down its own test. A request that finds none of the \
                  --connections free waits for one, and http_req_response counts from its planned start.",
        ..TOOL
    },
    Opt {
        key: "arrival",
        long: "arrival",
        value: Value::One("constant|poisson"),
        default: "constant",
        help: "With --rate: how starts are spread, evenly or as independent users arrive",
        ..TOOL
    },
    Opt {
        key: "seed",
        long: "seed",
        value: Value::One("N"),
        default: "1",
        help: "With --arrival poisson: which arrivals; the same seed gives the same starts",
        ..TOOL
    },
    Opt {
        key: "timeout",
        long: "timeout",
        aliases: &["max-time"],
        short: Some('m'),
        value: Value::One("TIME"),
        default: "60s",
        help: "Longest time of one request, in seconds or with a unit",
        ..TOOL
    },
    super::generator::WORKERS,
];

pub(super) const RESULTS: &[Opt] = &[
    super::measure::MEASURE,
    super::measure::COMPAT,
    super::generator::FORMAT,
    Opt {
        key: "threshold",
        long: "threshold",
        value: Value::Many("METRIC:EXPRESSION"),
        help: "Fail with exit code 99 unless this holds; repeatable",
        details: "http_req_duration:p(95)<50, http_req_failed:rate<0.01. Without a metric it is http_req_duration.",
        ..TOOL
    },
    Opt {
        key: "out",
        long: "out",
        short: Some('o'),
        env: "K6_OUT",
        value: Value::Many("NAME=TARGET"),
        help: "Send results to files, databases and more; repeatable",
        ..TOOL
    },
    Opt {
        key: "linger",
        long: "linger",
        help: "Stay after the end of the test until interrupted",
        details: "The page of --ui goes on answering.",
        ..TOOL
    },
];
