//! Options about how a script's requests are made.

use super::{Opt, Value};

pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        key: "maxRedirects",
        long: "max-redirects",
        env: "K6_MAX_REDIRECTS",
        value: Value::One("N"),
        default: "10",
        help: "Follow at most this many redirects",
        ..Opt::BASE
    },
    Opt {
        key: "userAgent",
        long: "user-agent",
        env: "K6_USER_AGENT",
        value: Value::One("TEXT"),
        default: concat!("netload/", env!("CARGO_PKG_VERSION")),
        help: "The User-Agent header; an empty text sends none",
        ..Opt::BASE
    },
    Opt {
        key: "batch",
        long: "batch",
        env: "K6_BATCH",
        value: Value::One("N"),
        default: "20",
        help: "Most requests of one http.batch() at a time",
        ..Opt::BASE
    },
    Opt {
        key: "batchPerHost",
        long: "batch-per-host",
        env: "K6_BATCH_PER_HOST",
        value: Value::One("N"),
        default: "6",
        help: "Most requests of one http.batch() to one host at a time",
        ..Opt::BASE
    },
    Opt {
        key: "throw",
        long: "throw",
        short: Some('w'),
        env: "K6_THROW",
        help: "Let failed requests throw an exception",
        ..Opt::BASE
    },
    Opt {
        key: "discardResponseBodies",
        long: "discard-response-bodies",
        env: "K6_DISCARD_RESPONSE_BODIES",
        help: "Read response bodies but do not keep them",
        details: "Saves time and memory. A single request can still ask for its body with responseType.",
        ..Opt::BASE
    },
    Opt {
        key: "noConnectionReuse",
        long: "no-connection-reuse",
        env: "K6_NO_CONNECTION_REUSE",
        help: "A new connection for every request",
        ..Opt::BASE
    },
    Opt {
        key: "noVUConnectionReuse",
        long: "no-vu-connection-reuse",
        env: "K6_NO_VU_CONNECTION_REUSE",
        help: "Close a virtual user's connections after every iteration",
        ..Opt::BASE
    },
    Opt {
        key: "noCookiesReset",
        env: "K6_NO_COOKIES_RESET",
        help: "Keep cookies from one iteration to the next",
        ..Opt::BASE
    },
    Opt {
        key: "httpDebug",
        long: "http-debug",
        env: "K6_HTTP_DEBUG",
        value: Value::Maybe("full", "headers"),
        help: "Log every request and response; =full with their bodies",
        ..Opt::BASE
    },
];
