//! Options about how a script is loaded and what it sees.

use super::{Opt, Owner, Value};

pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        key: "env",
        long: "env",
        short: Some('e'),
        value: Value::Many("NAME=VALUE"),
        owner: Owner::Tool,
        help: "Set __ENV.NAME for the script; repeatable",
        details: "With `run`, K6_ names of a test's options are read from here, too, before those of the environment. \
                  Without `=` the value is empty.",
        ..Opt::BASE
    },
    Opt {
        key: "includeSystemEnvVars",
        long: "include-system-env-vars",
        env: "K6_INCLUDE_SYSTEM_ENV_VARS",
        default: "true for run, false for inspect",
        owner: Owner::Tool,
        help: "Let the script see all environment variables in __ENV",
        ..Opt::BASE
    },
    Opt {
        key: "config",
        long: "config",
        short: Some('c'),
        env: "K6_CONFIG",
        value: Value::One("FILE"),
        default: "netload/config.json in the user's configuration folder",
        owner: Owner::Tool,
        help: "A JSON file with options; the script's own options win over it",
        ..Opt::BASE
    },
    Opt {
        key: "secretSource",
        long: "secret-source",
        env: "K6_SECRET_SOURCE",
        value: Value::Many("SOURCE"),
        owner: Owner::Tool,
        help: "Where k6/secrets gets its values; repeatable",
        details: "`file=PATH` with a line KEY=VALUE for each, `mock=KEY=VALUE,...`, or `url=urlTemplate=ADDRESS` with \
                  `{key}` in the address. `name=NAME` names a source, `default` makes it the one that is meant when none \
                  is named.",
        ..Opt::BASE
    },
    Opt {
        key: "consoleOutput",
        long: "console-output",
        env: "K6_CONSOLE_OUTPUT",
        value: Value::One("FILE"),
        owner: Owner::Instance,
        help: "Write what the script prints to this file",
        ..Opt::BASE
    },
    Opt {
        key: "type",
        long: "type",
        short: Some('t'),
        env: "K6_TYPE",
        value: Value::One("KIND"),
        default: "by the file's content",
        owner: Owner::Tool,
        help: "Kind of the test file: js (TypeScript too) or archive",
        ..Opt::BASE
    },
    Opt {
        key: "noRemoteModules",
        long: "no-remote-modules",
        env: "NETLOAD_NO_REMOTE_MODULES",
        owner: Owner::Tool,
        help: "Refuse imports from https:// addresses",
        ..Opt::BASE
    },
    Opt {
        key: "moduleCache",
        long: "module-cache",
        env: "NETLOAD_MODULE_CACHE",
        value: Value::One("FOLDER"),
        default: "netload/modules in the user's cache folder",
        owner: Owner::Tool,
        help: "Where modules from https:// addresses are kept",
        details: "A kept module is used for a day, then asked for again; when that fails the old one is used. An empty \
                  name keeps nothing.",
        ..Opt::BASE
    },
    Opt {
        key: "compatibilityMode",
        long: "compatibility-mode",
        env: "K6_COMPATIBILITY_MODE",
        value: Value::One("MODE"),
        default: "extended",
        owner: Owner::Tool,
        help: "extended or base; base takes away the name `global`",
        ..Opt::BASE
    },
    Opt {
        key: "vuMemory",
        long: "vu-memory",
        env: "NETLOAD_VU_MEMORY",
        value: Value::One("BYTES"),
        default: "256M",
        owner: Owner::Tool,
        help: "What the JavaScript of one virtual user may use",
        ..Opt::BASE
    },
    Opt {
        key: "features",
        long: "features",
        env: "K6_FEATURES",
        value: Value::Many("LIST"),
        help: "k6's feature flags, with commas between; `netload features` lists them",
        ..Opt::BASE
    },
];
