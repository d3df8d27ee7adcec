//! Options about the runs that are kept.

use super::{Opt, Owner, Value};

const TOOL: Opt = Opt {
    owner: Owner::Tool,
    ..Opt::BASE
};

const STORE: Opt = Opt {
    key: "store",
    long: "store",
    env: "NETLOAD_STORE",
    value: Value::One("FILE"),
    default: "netload/runs.db in the user's data folder",
    help: "Where runs are kept",
    details: "The data folder is $XDG_DATA_HOME or ~/.local/share. Several processes may use one file at once. See \
              docs/history.md.",
    ..TOOL
};

const LABEL: Opt = Opt {
    key: "label",
    long: "label",
    value: Value::Many("NAME=VALUE"),
    help: "What tells this run from others in the history; repeatable",
    details: "branch and commit are found by themselves: in the variables of CI services, or in the git folder.",
    ..TOOL
};

const JSON: Opt = Opt {
    key: "json",
    long: "json",
    help: "As JSON",
    ..TOOL
};

pub(super) const KEEPING: &[Opt] = &[
    Opt {
        key: "report",
        long: "report",
        env: "K6_WEB_DASHBOARD_EXPORT",
        value: Value::One("FILE"),
        help: "Write a report of the run to this file, as HTML",
        details: "The same as --out report=FILE. See docs/report.md.",
        ..TOOL
    },
    STORE,
    Opt {
        key: "noStore",
        long: "no-store",
        env: "NETLOAD_NO_STORE",
        help: "Do not keep this run",
        ..TOOL
    },
    LABEL,
];

pub(super) const HISTORY: &[Opt] = &[
    STORE,
    Opt {
        help: "Only runs with this label; repeatable",
        details: "",
        ..LABEL
    },
    Opt {
        key: "title",
        long: "title",
        value: Value::One("TEXT"),
        help: "Only runs whose script or URL contains this",
        ..TOOL
    },
    Opt {
        key: "limit",
        long: "limit",
        short: Some('n'),
        value: Value::One("N"),
        default: "20",
        help: "At most so many runs, the newest",
        ..TOOL
    },
    Opt {
        key: "delete",
        long: "delete",
        value: Value::Many("RUN"),
        help: "Forget this run: an id, its beginning, or last; repeatable",
        ..TOOL
    },
    Opt {
        key: "prune",
        long: "prune",
        value: Value::One("SIZE"),
        help: "Forget the oldest runs until the others take at most this: 100M, 1G, 0",
        details: "The newest run always stays. Without this the store stays below 512 MiB by itself.",
        ..TOOL
    },
    JSON,
];

pub(super) const COMPARE: &[Opt] = &[
    STORE,
    Opt {
        key: "against",
        long: "against",
        value: Value::One("RUN"),
        help: "The baseline; the other side is then the runs that are named, or the last one",
        details: "A value without `=` that is no run is a branch: `--against main` is `--against branch=main`.",
        ..TOOL
    },
    Opt {
        key: "failOn",
        long: "fail-on",
        value: Value::One("VERDICT"),
        help: "Exit with code 112 on this verdict: worse, or unsure (worse or cannot tell)",
        ..TOOL
    },
    Opt {
        key: "margin",
        long: "margin",
        value: Value::One("SHARE"),
        default: "5%",
        help: "Changes smaller than this do not matter",
        ..TOOL
    },
    JSON,
];

pub(super) const REPORT: &[Opt] = &[
    STORE,
    Opt {
        key: "output",
        long: "output",
        short: Some('o'),
        value: Value::One("FILE"),
        default: "netload-ID.html",
        help: "Where the report goes; - is standard output",
        ..TOOL
    },
];
