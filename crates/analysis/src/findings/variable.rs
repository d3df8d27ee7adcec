//! A name whose requests are sometimes far slower than usual.

use netload_record::{Dist, Part, Point};
use serde_json::json;

use super::view::{View, ms};
use super::{Finding, Rule, Severity};

/// How many times p50 p99 is.
const TIMES: f64 = 10.0;
/// A p99 needs so many requests.
const REQUESTS: u64 = 200;
/// Times below this are noise of the machine, in milliseconds.
const AT_LEAST_MS: f64 = 5.0;
/// Names that are told one by one, the worst first.
const TOLD: usize = 3;

pub(super) const RULE: Rule = Rule {
    name: "variable-endpoint",
    law: "A name with at least 200 requests has a p99 that is more than ten times its p50, and at least 5 ms.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let names = view.record.parts("http_req_duration", |part| match part {
        Part::Name(name) => Some(name),
        _ => None,
    });
    let mut found: Vec<(f64, &String, Dist)> = Vec::new();
    for (_, key, name) in names {
        let Some(Point::Trend(dist)) = view.record.total(key) else {
            continue;
        };
        let (p50, p99) = (dist.quantile(0.5), dist.quantile(0.99));
        let times = p99 / p50.max(1e-6);
        if dist.count >= REQUESTS && times > TIMES && p99 >= AT_LEAST_MS {
            found.push((times, name, dist));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let one = |(times, name, dist): &(f64, &String, Dist)| Finding {
        rule: RULE.name,
        severity: Severity::Warning,
        title: format!("Response times of {name} vary widely"),
        sentence: format!(
            "p50 is {}, p99 {}: {times:.0} times as long, in {} requests. Often these are two kinds of requests, such as \
             hits and misses of a cache.",
            ms(dist.quantile(0.5)),
            ms(dist.quantile(0.99)),
            dist.count
        ),
        since_ns: 0,
        until_ns: view.elapsed_ns(),
        chart: "names",
        evidence: json!({
            "name": name, "p50_ms": dist.quantile(0.5), "p99_ms": dist.quantile(0.99), "requests": dist.count,
        }),
    };
    found.iter().take(TOLD).map(one).collect()
}
