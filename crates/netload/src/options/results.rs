//! Options about what a script's run measures, judges and prints.

use super::{Opt, Owner, Value};

pub(super) const OPTIONS: &[Opt] = &[
    super::measure::MEASURE,
    super::measure::COMPAT,
    Opt {
        key: "thresholds",
        env: "K6_THRESHOLDS",
        value: Value::One("OBJECT"),
        help: "Conditions that decide whether the test passes",
        details: "By metric: {\"http_req_duration\": [\"p(95)<500\"]}. See docs/thresholds.md.",
        ..Opt::BASE
    },
    Opt {
        key: "noThresholds",
        long: "no-thresholds",
        env: "K6_NO_THRESHOLDS",
        owner: Owner::Tool,
        help: "Do not judge thresholds",
        ..Opt::BASE
    },
    Opt {
        key: "out",
        long: "out",
        short: Some('o'),
        env: "K6_OUT",
        value: Value::Many("NAME=TARGET"),
        owner: Owner::Instance,
        help: "Send results to files, databases and more; repeatable",
        details: "A name that ends in .gz is compressed; `-` is standard output. See docs/outputs.md.",
        ..Opt::BASE
    },
    super::generator::FORMAT,
    Opt {
        key: "summaryMode",
        long: "summary-mode",
        env: "K6_SUMMARY_MODE",
        value: Value::One("MODE"),
        default: "compact",
        owner: Owner::Tool,
        help: "How much the summary tells: compact, full or disabled",
        details: "full adds the phases of requests and one section for each group and scenario.",
        ..Opt::BASE
    },
    Opt {
        key: "noSummary",
        long: "no-summary",
        env: "K6_NO_SUMMARY",
        owner: Owner::Tool,
        help: "The same as --summary-mode=disabled",
        ..Opt::BASE
    },
    Opt {
        key: "summaryExport",
        long: "summary-export",
        env: "K6_SUMMARY_EXPORT",
        value: Value::One("FILE"),
        owner: Owner::Tool,
        help: "Write the summary to this file, as JSON",
        ..Opt::BASE
    },
    Opt {
        key: "newMachineReadableSummary",
        long: "new-machine-readable-summary",
        env: "K6_NEW_MACHINE_READABLE_SUMMARY",
        owner: Owner::Tool,
        help: "Use k6's newer layout for --summary-export and handleSummary()",
        ..Opt::BASE
    },
    Opt {
        key: "summaryTrendStats",
        long: "summary-trend-stats",
        env: "K6_SUMMARY_TREND_STATS",
        value: Value::One("LIST"),
        default: "avg,min,med,max,p(90),p(95)",
        help: "Figures shown for times: also count and p(N)",
        ..Opt::BASE
    },
    Opt {
        key: "summaryTimeUnit",
        long: "summary-time-unit",
        env: "K6_SUMMARY_TIME_UNIT",
        value: Value::One("UNIT"),
        default: "chosen for each figure",
        help: "Unit of times in the summary: s, ms or us",
        ..Opt::BASE
    },
    Opt {
        key: "tags",
        long: "tag",
        env: "K6_TAGS",
        value: Value::Many("NAME=VALUE"),
        help: "Put this tag on every sample; repeatable",
        details: "The variable takes all tags at once: a:b,c:d.",
        ..Opt::BASE
    },
    Opt {
        key: "systemTags",
        long: "system-tags",
        env: "K6_SYSTEM_TAGS",
        value: Value::One("LIST"),
        default: "all but iter, vu, ip and ocsp_status",
        help: "Tags that netload puts on samples by itself",
        details: "proto, subproto, status, method, url, name, group, check, error, error_code, tls_version, scenario, \
                  service, expected_response, iter, vu, ip, ocsp_status.",
        ..Opt::BASE
    },
    Opt {
        key: "metricSamplesBufferSize",
        env: "K6_METRIC_SAMPLES_BUFFER_SIZE",
        value: Value::One("N"),
        default: "1000",
        help: "Accepted and not needed: nothing here keeps samples",
        ..Opt::BASE
    },
];
