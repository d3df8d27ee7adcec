//! One layer of options: forms in, forms out, and every mistake reported with its place.

use netload_plan::options::{Change, Choice};
use netload_plan::options::{HttpDebug, TimeUnit};
use netload_plan::{Layered, Options, Origin};
use serde_json::{Value, json};

/// Every problem, one a line, with its hint behind an arrow.
fn problems(value: Value) -> Vec<String> {
    let problems = Options::from_json(&value).unwrap_err();
    let line = |p: &netload_plan::Problem| match &p.hint {
        Some(hint) => format!("{p} -> {hint}"),
        None => p.to_string(),
    };
    problems.iter().map(line).collect()
}

fn warnings(value: Value) -> Vec<String> {
    let (_, warnings) = Options::from_json(&value).unwrap();
    let line = |w: &netload_plan::Warning| match &w.hint {
        Some(hint) => format!("{w} -> {hint}"),
        None => w.to_string(),
    };
    warnings.iter().map(line).collect()
}

fn read(value: Value) -> Options {
    Options::from_json(&value).unwrap().0
}

#[test]
fn every_problem_is_reported_with_place_and_hint() {
    let found = problems(json!({
        "vus": "x",
        "iterations": 2.5,
        "noSetup": "true",
        "duration": "1x",
        "tags": { "a": 1, "b": null },
        "scenarios": {
            "a": { "executor": "constant-vus", "vuss": 2, "rate": 3 },
            "b": { "executor": "constnt-vus" },
            "c": {},
            "d": 7,
        },
    }));
    assert_eq!(
        found,
        [
            "options.vus: `x` is no whole number",
            "options.iterations: `2.5` is no whole number",
            "options.noSetup: must be true or false, not a text",
            "options.duration: `x` is not a unit of time (in `1x`) -> write it like 30s, 1m30s or 250ms",
            "options.tags.a: must be a text, not a number -> write \"1\" in quotes",
            "options.scenarios.a.vuss: `vuss` is no field of constant-vus -> did you mean `vus`?",
            "options.scenarios.a.rate: `rate` is no field of constant-vus -> it is a field of constant-arrival-rate",
            "options.scenarios.b.executor: `constnt-vus` is no executor -> did you mean `constant-vus`?",
            "options.scenarios.c: the scenario has no `executor` -> it is one of shared-iterations, \
             per-vu-iterations, constant-vus, ramping-vus, constant-arrival-rate, ramping-arrival-rate, \
             externally-controlled",
            "options.scenarios.d: must be an object, not a number",
        ]
    );
}

#[test]
fn structured_options_report_their_inner_places() {
    let found = problems(json!({
        "stages": [{ "target": 3 }, { "duration": "-1s", "target": -2 }, 5],
        "dns": { "ttl": "soon", "select": "last", "policy": 4 },
        "tlsVersion": { "min": "tls1.3", "max": "tls1.2" },
        "tlsCipherSuites": ["TLS_AES_128_GCM_SHA257"],
        "tlsAuth": [{ "cert": "pem" }],
        "hosts": { "a": "x", "b c": "10.0.0.1" },
        "blacklistIPs": ["10.0.0.0/40"],
        "summaryTrendStats": ["avg", "p(200)", "rate"],
        "summaryTimeUnit": "h",
        "thresholds": { "http_reqs": "count<1", "checks": [{ "abortOnFail": 1 }] },
        "executionSegment": 0.5,
    }));
    assert_eq!(
        found,
        [
            "options.stages[0]: the stage has no `duration` -> write it like { duration: '30s', target: 10 }",
            "options.stages[1].duration: the duration `-1s` is negative -> write it like 30s, 1m30s or 250ms",
            "options.stages[1].target: must not be negative, but is -2",
            "options.stages[2]: must be an object, not a number",
            "options.dns.ttl: `soon` is not a duration",
            "options.dns.select: `last` is none of first, random, roundRobin",
            "options.dns.policy: must be a text, not a number",
            "options.tlsVersion: the oldest version tls1.3 is newer than the newest tls1.2",
            "options.tlsCipherSuites[0]: `TLS_AES_128_GCM_SHA257` is no cipher suite -> did you mean `TLS_AES_128_GCM_SHA256`?",
            "options.tlsAuth[0]: the certificate has no `key`",
            "options.hosts.a: `x` is neither an IP address nor address:port",
            "options.hosts[\"b c\"]: `b c` is no host name -> write it like example.com or *.example.com",
            "options.blacklistIPs[0]: `10.0.0.0/40` is no network -> write it like 10.0.0.0/8",
            "options.summaryTrendStats[1]: `p(200)` is no statistic of a trend -> known are avg, min, med, max, count and p(N)",
            "options.summaryTrendStats[2]: `rate` is no statistic of a trend -> known are avg, min, med, max, count and p(N)",
            "options.summaryTimeUnit: `h` is none of s, ms, us",
            "options.thresholds.http_reqs: must be a list of expressions -> write [\"count<1\"]",
            "options.thresholds.checks[0]: the entry has no `threshold`",
            "options.executionSegment: must be a text, not a number",
        ]
    );
    assert_eq!(
        problems(json!([])),
        ["options: must be an object, not a list"]
    );
}

#[test]
fn unknown_options_warn_and_do_not_stop() {
    let found = warnings(json!({
        "foo": 1,
        "vsu": 3,
        "consoleOutput": "x",
        "systemTags": ["url", "statsu"],
        "stages": [{ "duration": "1s", "target": 1, "traget": 2 }],
    }));
    assert_eq!(
        found,
        [
            "options.foo: unknown option",
            "options.vsu: unknown option -> did you mean `vus`?",
            "options.consoleOutput: `consoleOutput` cannot be set in a script -> set it on the command line or in the environment",
            "options.systemTags: `statsu` is no system tag -> did you mean `status`?",
            "options.stages[0].traget: unknown field -> did you mean `target`?",
        ]
    );
}

#[test]
fn null_is_not_set_and_case_does_not_matter() {
    assert_eq!(read(json!(null)), Options::default());
    assert_eq!(
        read(json!({ "vus": null, "stages": null })),
        Options::default()
    );
    let options = read(json!({
        "VUS": "3",
        "scenarios": { "a": { "executor": "ramping-vus", "startvus": 2, "stages": [] } },
    }));
    assert_eq!(options.vus, Some(3));
    assert_eq!(options.scenarios.unwrap()["a"].start_vus, Some(2));
}

#[test]
fn numbers_come_in_several_spellings() {
    for value in [json!(10), json!(10.0), json!(1e1), json!("10")] {
        assert_eq!(read(json!({ "vus": value })).vus, Some(10));
    }
    for value in [
        json!(-1),
        json!(1e300),
        json!("1_0"),
        json!(""),
        json!(u64::MAX),
    ] {
        assert_eq!(problems(json!({ "vus": value })).len(), 1);
    }
}

#[test]
fn what_is_written_is_what_was_read() {
    let typed = json!({
        "paused": true,
        "vus": 3,
        "duration": "1m30s",
        "scenarios": {
            "a": {
                "executor": "constant-arrival-rate",
                "startTime": null,
                "gracefulStop": "5s",
                "env": { "A": "b" },
                "exec": "checkout",
                "tags": null,
                "options": { "browser": { "type": "chromium" } },
                "rate": 10,
                "timeUnit": "1m0s",
                "duration": "30s",
                "preAllocatedVUs": 5,
                "maxVUs": null,
            },
        },
        "executionSegment": "0:1/4",
        "executionSegmentSequence": "0,1/4,1",
        "dns": { "ttl": "inf", "select": "roundRobin", "policy": null },
        "httpDebug": "full",
        "tlsCipherSuites": ["TLS_AES_128_GCM_SHA256"],
        "tlsVersion": { "min": "tls1.2", "max": null },
        "tlsAuth": [{ "cert": "c", "key": "k", "password": null, "domains": ["*.a"] }],
        "thresholds": {
            "checks": ["rate==1", { "threshold": "rate>0.5", "abortOnFail": true, "delayAbortEval": "10s" }],
        },
        "blacklistIPs": ["10.0.0.0/8"],
        "blockHostnames": ["*.example.com"],
        "hosts": { "a.example": "1.2.3.4", "b.example:80": "[::1]:8080" },
        "cloud": { "projectID": 1 },
        "ext": {},
        "summaryTrendStats": ["avg", "p(99.9)", "count"],
        "summaryTimeUnit": "ms",
        "systemTags": ["status", "url"],
        "tags": { "build": "7" },
        "features": ["freeze-env"],
    });
    let written = read(typed.clone()).to_json();
    for (key, value) in typed.as_object().unwrap() {
        assert_eq!(&written[key], value, "{key}");
    }
    assert_eq!(read(written.clone()).to_json(), written);
}

#[test]
fn options_that_are_not_set_are_written_as_null() {
    let written = Options::default().to_json();
    assert_eq!(written["vus"], Value::Null);
    assert_eq!(
        written["dns"],
        json!({ "ttl": null, "select": null, "policy": null })
    );
    let names: Vec<&str> = written
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(&names[..4], ["paused", "vus", "duration", "iterations"]);
    assert!(!names.contains(&"cloud"));
    assert!(!names.contains(&"localIPs"));
}

fn text(pairs: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    for (key, text) in pairs {
        options.set_text(key, text).unwrap();
    }
    options
}

#[test]
fn flags_and_environment_have_text_forms() {
    let options = text(&[
        ("vus", "7"),
        ("throw", "1"),
        ("duration", "5000"),
        ("stages", "5s:10,5m:20"),
        ("dns", "ttl=0,select=first,policy=onlyIPv6"),
        ("tags", "a:b,c=d"),
        ("tlsVersion", "tls1.2-tls1.3"),
        ("blockHostnames", "*.a.example, b.example"),
        ("hosts", "a.example=10.0.0.1,b.example:443=[::1]:8443"),
        ("thresholds", r#"{"checks":["rate==1"]}"#),
        ("systemTags", ""),
        ("summaryTimeUnit", "us"),
        ("httpDebug", "headers"),
        ("localIPs", "10.0.0.1-10.0.0.3,10.1.0.0/30"),
    ])
    .to_json();
    assert_eq!(options["vus"], 7);
    assert_eq!(options["throw"], true);
    assert_eq!(options["duration"], "5s");
    assert_eq!(
        options["stages"],
        json!([{ "duration": "5s", "target": 10 }, { "duration": "5m0s", "target": 20 }])
    );
    assert_eq!(
        options["dns"],
        json!({ "ttl": "0s", "select": "first", "policy": "onlyIPv6" })
    );
    assert_eq!(options["tags"], json!({ "a": "b", "c": "d" }));
    assert_eq!(
        options["tlsVersion"],
        json!({ "min": "tls1.2", "max": "tls1.3" })
    );
    assert_eq!(
        options["blockHostnames"],
        json!(["*.a.example", "b.example"])
    );
    assert_eq!(
        options["hosts"],
        json!({ "a.example": "10.0.0.1", "b.example:443": "[::1]:8443" })
    );
    assert_eq!(options["thresholds"], json!({ "checks": ["rate==1"] }));
    assert_eq!(options["systemTags"], json!([]));
    assert_eq!(options["httpDebug"], HttpDebug::Headers.to_string());
    assert_eq!(
        options["summaryTimeUnit"],
        TimeUnit::Microseconds.to_string()
    );
    assert_eq!(options["localIPs"], "10.0.0.1-10.0.0.3,10.1.0.0/30");
}

#[test]
fn a_repeated_flag_adds() {
    let options = text(&[
        ("stages", "5s:3"),
        ("stages", "5s:4"),
        ("tags", "a=1"),
        ("tags", "b=2"),
        ("out", "json=a,b"),
        ("out", "csv"),
        ("vus", "1"),
        ("vus", "2"),
    ])
    .to_json();
    assert_eq!(options["stages"].as_array().unwrap().len(), 2);
    assert_eq!(options["tags"], json!({ "a": "1", "b": "2" }));
    assert_eq!(options["out"], json!(["json=a,b", "csv"]));
    assert_eq!(options["vus"], 2);
}

#[test]
fn bad_text_says_what_and_how() {
    for (key, text, message) in [
        ("vus", "x", "vus: `x` is no whole number"),
        ("vus", "-3", "vus: must not be negative, but is -3"),
        (
            "paused",
            "maybe",
            "paused: `maybe` is neither true nor false",
        ),
        (
            "stages",
            "5:3",
            "stages: the unit is missing in the duration `5`",
        ),
        ("stages", "5s", "stages: `5s` is no stage"),
        ("dns", "tll=5m", "dns: `tll=5m` is no DNS option"),
        ("tags", "a", "tags: `a` is no name with a value"),
        ("hosts", "a", "hosts: `a` is no name with an address"),
        (
            "localIPs",
            "10.0.0.9-10.0.0.1",
            "localIPs: `10.0.0.9-10.0.0.1` is no address, range of addresses or network",
        ),
        ("nope", "1", "nope: unknown option"),
        (
            "thresholds",
            "{",
            "thresholds: no valid JSON: EOF while parsing an object at line 1 column 1",
        ),
    ] {
        let problem = Options::default().set_text(key, text).unwrap_err();
        assert_eq!(problem.to_string(), message);
    }
}

#[test]
fn a_config_file_may_set_everything() {
    let config = json!({ "out": "json=x", "localIPs": "10.0.0.1", "collectors": { "cloud": {} } });
    let (options, warnings) = Options::from_config(&config).unwrap();
    assert!(warnings.is_empty());
    assert_eq!(options.out, Some(vec!["json=x".to_owned()]));
    let problems = Options::from_config(&json!({ "linger": 1 })).unwrap_err();
    assert_eq!(
        problems[0].to_string(),
        "config.linger: must be true or false, not a number"
    );
}

#[test]
fn scenarios_are_chosen_and_changed_by_name() {
    let script = serde_json::json!({ "scenarios": {
        "early": { "executor": "per-vu-iterations", "vus": 2 },
        "late": { "executor": "constant-vus", "vus": 2, "duration": "9s", "startTime": "1m" },
    }});
    let (options, _) = Options::from_json(&script).unwrap();
    let choose = |names: &[&str], scenario: Option<&str>, field: &'static str| {
        let mut layered = Layered::new().with(Origin::Script, options.clone());
        let choice = Choice {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            changes: vec![Change {
                scenario: scenario.map(str::to_owned),
                field,
                value: 7.into(),
            }],
        };
        layered.choose(&choice).map(|()| {
            let chosen = layered.options().scenarios.clone().unwrap_or_default();
            let shown = chosen
                .iter()
                .map(|(name, s)| format!("{name} {:?} {:?}", s.vus, s.start_time));
            shown.collect::<Vec<_>>().join(", ")
        })
    };
    assert_eq!(
        choose(&["late"], None, "vus").unwrap(),
        "late Some(7) Some(0)"
    );
    assert_eq!(
        choose(&[], Some("early"), "vus").unwrap(),
        "early Some(7) None, late Some(2) Some(60000000000)"
    );
    let problems = choose(&["lat"], Some("nobody"), "vus").unwrap_err();
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert_eq!(problems[0].message, "there is no scenario `lat`");
    assert_eq!(problems[0].hint.as_deref(), Some("did you mean `late`?"));
    let problems = choose(&[], Some("early"), "rate").unwrap_err();
    assert_eq!(
        problems[0].message,
        "the scenario `early` has no field `rate`"
    );
}
