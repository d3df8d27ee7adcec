//! Options about setup, teardown and the summary function.

use super::{Opt, Value};

pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        key: "noSetup",
        long: "no-setup",
        env: "K6_NO_SETUP",
        help: "Leave out setup()",
        ..Opt::BASE
    },
    Opt {
        key: "noTeardown",
        long: "no-teardown",
        env: "K6_NO_TEARDOWN",
        help: "Leave out teardown()",
        ..Opt::BASE
    },
    Opt {
        key: "setupTimeout",
        env: "K6_SETUP_TIMEOUT",
        value: Value::One("DURATION"),
        default: "60s",
        help: "Longest time setup() may take",
        ..Opt::BASE
    },
    Opt {
        key: "teardownTimeout",
        env: "K6_TEARDOWN_TIMEOUT",
        value: Value::One("DURATION"),
        default: "60s",
        help: "Longest time teardown() may take",
        ..Opt::BASE
    },
    Opt {
        key: "handleSummaryTimeout",
        env: "K6_HANDLE_SUMMARY_TIMEOUT",
        value: Value::One("DURATION"),
        default: "120s",
        help: "Longest time handleSummary() may take",
        ..Opt::BASE
    },
];
