//! Options about the web UI.

use super::{Opt, Owner, Value};
use crate::ui::address::DEFAULT;

const TOKEN: Opt = Opt {
    key: "uiToken",
    long: "ui-token",
    env: "NETLOAD_UI_TOKEN",
    value: Value::One("TOKEN"),
    default: "none on loopback; elsewhere a new one each time",
    owner: Owner::Tool,
    help: "What a browser or program must present",
    details: "At least 8 letters and digits. Rather the variable than the flag: others can read command lines.",
    ..Opt::BASE
};

pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        key: "ui",
        long: "ui",
        env: "K6_WEB_DASHBOARD",
        value: Value::Maybe("HOST:PORT", DEFAULT),
        default: "off",
        owner: Owner::Tool,
        help: "Show the running test in a browser, at this address",
        details: "The bare flag means localhost:5665. With --linger the page stays when the test is over.",
        ..Opt::BASE
    },
    TOKEN,
    Opt {
        key: "uiHost",
        env: "K6_WEB_DASHBOARD_HOST",
        value: Value::One("HOST"),
        default: "localhost",
        owner: Owner::Tool,
        help: "Host of --ui when it names none",
        ..Opt::BASE
    },
    Opt {
        key: "uiPort",
        env: "K6_WEB_DASHBOARD_PORT",
        value: Value::One("PORT"),
        default: "5665",
        owner: Owner::Tool,
        help: "Port of --ui when it names none",
        ..Opt::BASE
    },
    Opt {
        key: "uiPeriod",
        env: "K6_WEB_DASHBOARD_PERIOD",
        value: Value::One("DURATION"),
        owner: Owner::Tool,
        help: "Accepted; the page is brought up to date once a second",
        ..Opt::BASE
    },
    Opt {
        key: "uiOpen",
        env: "K6_WEB_DASHBOARD_OPEN",
        owner: Owner::Tool,
        help: "Accepted; netload opens no browser, the address is printed",
        ..Opt::BASE
    },
    Opt {
        key: "uiRecord",
        env: "K6_WEB_DASHBOARD_RECORD",
        value: Value::One("FILE"),
        owner: Owner::Tool,
        help: "Accepted; runs are kept anyhow (`netload history`)",
        ..Opt::BASE
    },
    Opt {
        key: "uiTags",
        env: "K6_WEB_DASHBOARD_TAGS",
        value: Value::One("LIST"),
        owner: Owner::Tool,
        help: "Accepted; the page shows groups as they are",
        ..Opt::BASE
    },
];

pub(super) const SERVE: &[Opt] = &[
    Opt {
        key: "address",
        long: "address",
        short: Some('a'),
        env: "NETLOAD_UI_ADDRESS",
        value: Value::One("HOST:PORT"),
        default: DEFAULT,
        owner: Owner::Tool,
        help: "Where the web UI listens",
        details: "On anything but loopback a token is required; the link that is printed has it.",
        ..Opt::BASE
    },
    TOKEN,
];
