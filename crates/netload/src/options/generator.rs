//! Options about netload itself as the source of the load.

use super::{Opt, Owner, Value};

pub(super) const OPTIONS: &[Opt] = &[Opt {
    key: "failOnGenerator",
    long: "fail-on-generator",
    env: "NETLOAD_FAIL_ON_GENERATOR",
    value: Value::Maybe("VERDICT", "generator-bound"),
    owner: Owner::Tool,
    help: "Fail with exit code 111 when netload itself was the limit",
    details: "With =disturbed also when something touched the numbers for a time, with =invalid only when they \
                  contradict each other. See docs/generator.md.",
    ..Opt::BASE
}];
