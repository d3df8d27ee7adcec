//! Too many names to read, or to keep apart.

use std::collections::BTreeMap;

use netload_record::Part;
use serde_json::json;

use super::view::View;
use super::{Finding, Rule, Severity};

/// Names, groups or metrics beyond this are no help to anybody.
const MANY: usize = 500;

pub(super) const RULE: Rule = Rule {
    name: "cardinality",
    law: "There are more than 500 names, groups or metrics, or so many that some were counted together.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let metric = "http_reqs";
    let names: Vec<&String> = named(view, metric);
    let groups = view
        .record
        .parts(metric, |part| matches!(part, Part::Group(_)).then_some(()))
        .count();
    let metrics = view.record.head.metrics.len();
    let folded = view.record.is_folded();
    let (what, count) = [
        ("names", names.len()),
        ("groups", groups),
        ("metrics", metrics),
    ]
    .into_iter()
    .max_by_key(|(_, count)| *count)
    .unwrap_or_default();
    if count <= MANY && !folded {
        return Vec::new();
    }
    let pattern = common(&names);
    let example = pattern
        .as_ref()
        .map_or_else(String::new, |p| format!(" Many look like {p}."));
    let together = if folded {
        " Some were counted together as (other)."
    } else {
        ""
    };
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Warning,
        title: format!("Too many {what}"),
        sentence: format!(
            "There are {count} {what}.{together}{example} Give requests that differ only in their address one name: \
             the tag `name`, or http.url`...`."
        ),
        since_ns: 0,
        until_ns: view.elapsed_ns(),
        chart: "names",
        evidence: json!({ "names": names.len(), "groups": groups, "metrics": metrics, "folded": folded, "pattern": pattern }),
    }]
}

fn named<'v>(view: &'v View<'_>, metric: &'v str) -> Vec<&'v String> {
    let names = view.record.parts(metric, |part| match part {
        Part::Name(name) => Some(name),
        _ => None,
    });
    names.map(|(_, _, name)| name).collect()
}

/// What most names are when their numbers and ids are left out.
fn common(names: &[&String]) -> Option<String> {
    let mut shapes: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        let parts = name.split('/').map(|part| {
            match part.chars().any(|c| c.is_ascii_digit()) && !part.contains(':') {
                true => "${}",
                false => part,
            }
        });
        *shapes
            .entry(parts.collect::<Vec<_>>().join("/"))
            .or_default() += 1;
    }
    let (shape, count) = shapes.into_iter().max_by_key(|(_, count)| *count)?;
    (count * 2 > names.len() && shape.contains("${}")).then_some(shape)
}
