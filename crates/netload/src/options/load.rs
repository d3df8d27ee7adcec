//! Options that say how much load there is and for how long.

use super::{Opt, Owner, Value};

pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        key: "vus",
        long: "vus",
        short: Some('u'),
        env: "K6_VUS",
        value: Value::One("N"),
        default: "1",
        help: "Number of virtual users",
        details: "With --duration they loop for that time, with --iterations they share the iterations. Alone it means \
                  one iteration for each, and takes the place of the script's scenarios.",
        ..Opt::BASE
    },
    Opt {
        key: "duration",
        long: "duration",
        short: Some('d'),
        env: "K6_DURATION",
        value: Value::One("DURATION"),
        help: "How long the virtual users loop, such as 30s or 1h30m",
        details: "With --iterations it is the longest time they may take.",
        ..Opt::BASE
    },
    Opt {
        key: "iterations",
        long: "iterations",
        short: Some('i'),
        env: "K6_ITERATIONS",
        value: Value::One("N"),
        help: "Number of iterations, shared among the virtual users",
        ..Opt::BASE
    },
    Opt {
        key: "stages",
        long: "stage",
        aliases: &["stages"],
        short: Some('s'),
        env: "K6_STAGES",
        value: Value::Many("DURATION:VUS"),
        help: "Ramp to this number of virtual users in this time; repeat for more stages",
        details: "The ramp starts from --vus. The variable takes all stages at once: 5s:10,5m:20.",
        ..Opt::BASE
    },
    Opt {
        key: "scenarios",
        help: "Scenarios by name, each with its executor",
        details: "Only in a script or a configuration file. See docs/scenarios.md.",
        value: Value::One("OBJECT"),
        ..Opt::BASE
    },
    Opt {
        key: "scenario",
        long: "scenario",
        env: "NETLOAD_SCENARIO",
        value: Value::Many("NAME"),
        owner: Owner::Tool,
        help: "Run only this scenario of the script; repeatable, or a,b",
        details: "Start times are counted from the earliest one chosen, so that one scenario alone starts at once.",
        ..Opt::BASE
    },
    Opt {
        key: "scenarioVus",
        long: "scenario-vus",
        value: Value::Many("[NAME=]N"),
        owner: Owner::Tool,
        help: "Other numbers of users for the script's scenarios",
        details: "Without a name it is for all scenarios that have the field. The same goes for the next three.",
        ..Opt::BASE
    },
    Opt {
        key: "scenarioDuration",
        long: "scenario-duration",
        value: Value::Many("[NAME=]DURATION"),
        owner: Owner::Tool,
        help: "Other durations for the script's scenarios",
        ..Opt::BASE
    },
    Opt {
        key: "scenarioIterations",
        long: "scenario-iterations",
        value: Value::Many("[NAME=]N"),
        owner: Owner::Tool,
        help: "Other numbers of iterations for the script's scenarios",
        ..Opt::BASE
    },
    Opt {
        key: "scenarioRate",
        long: "scenario-rate",
        value: Value::Many("[NAME=]N"),
        owner: Owner::Tool,
        help: "Other rates for the script's scenarios",
        ..Opt::BASE
    },
    Opt {
        key: "rps",
        long: "rps",
        env: "K6_RPS",
        value: Value::One("N"),
        default: "0, no limit",
        help: "Limit of requests per second, for all virtual users together",
        details: "Waiting for the limit is not counted in any timing. To hold a rate, use an arrival-rate executor.",
        ..Opt::BASE
    },
    Opt {
        key: "minIterationDuration",
        long: "min-iteration-duration",
        env: "K6_MIN_ITERATION_DURATION",
        value: Value::One("DURATION"),
        help: "Least time from the start of one iteration to the next of the same user",
        details: "The time waited is not part of iteration_duration.",
        ..Opt::BASE
    },
    Opt {
        key: "executionSegment",
        long: "execution-segment",
        env: "K6_EXECUTION_SEGMENT",
        value: Value::One("SEGMENT"),
        default: "0:1",
        help: "The part of the test to run here: 10%, 1/3, 0.2:2/3",
        details: "Several instances that run all segments of one sequence make exactly the whole test.",
        ..Opt::BASE
    },
    Opt {
        key: "executionSegmentSequence",
        long: "execution-segment-sequence",
        env: "K6_EXECUTION_SEGMENT_SEQUENCE",
        value: Value::One("SEQUENCE"),
        default: "0,1",
        help: "How the test is cut into segments: 0,1/3,2/3,1",
        ..Opt::BASE
    },
    Opt {
        key: "paused",
        long: "paused",
        short: Some('p'),
        env: "K6_PAUSED",
        help: "Start paused; `netload resume` lets it begin",
        ..Opt::BASE
    },
    super::generator::WORKERS,
];
