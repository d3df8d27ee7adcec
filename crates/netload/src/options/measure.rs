//! Which times are measured: the same for `run` and `hit`.

use super::{Opt, Owner, Value};

pub(super) const MEASURE: Opt = Opt {
    key: "measure",
    long: "measure",
    env: "NETLOAD_MEASURE",
    value: Value::One("net|gross"),
    default: "net",
    owner: Owner::Tool,
    help: "Durations without netload's own share, or as other tools report them",
    details: "net takes times from the kernel's stamps; http_req_tare is netload's own share. gross asks for no stamps: \
              durations contain every delay of the machine that makes the load.",
    ..Opt::BASE
};

pub(super) const COMPAT: Opt = Opt {
    key: "compat",
    long: "compat",
    value: Value::One("TOOL"),
    owner: Owner::Tool,
    help: "Also show what this tool would have called the response time",
    details: "k6, jmeter, gatling, locust, wrk or curl. The numbers come from the same run, as the metric \
              http_req_compat, with the events that start and stop that tool's clock.",
    ..Opt::BASE
};
