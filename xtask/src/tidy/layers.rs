//! The walls between our crates: imports only point down.

use super::graph::Graph;

/// Every package of ours and the ones it may use. Crates of one row do not see each other.
const LAYERS: &[(&str, &[&str])] = &[
    // 0: vocabulary, pure data and arithmetic.
    ("netload-metrics", &[]),
    ("netload-html", &[]),
    ("netload-plan", &["netload-metrics"]),
    ("netload-typescript", &[]),
    ("netload-record", &["netload-metrics"]),
    ("netload-analysis", &["netload-metrics", "netload-record"]),
    // 1: sockets and clocks.
    ("netload-net", &[]),
    // 2: protocols.
    ("netload-http", &["netload-net", "netload-target"]),
    // 3: workers and executors.
    (
        "netload-engine",
        &[
            "netload-plan",
            "netload-metrics",
            "netload-net",
            "netload-http",
            "netload-target",
        ],
    ),
    // 4: edges.
    (
        "netload-script",
        &[
            "netload-html",
            "netload-plan",
            "netload-metrics",
            "netload-net",
            "netload-http",
            "netload-engine",
            "netload-target",
            "netload-typescript",
        ],
    ),
    (
        "netload-hit",
        &[
            "netload-plan",
            "netload-metrics",
            "netload-net",
            "netload-http",
            "netload-engine",
            "netload-target",
        ],
    ),
    ("netload-output", &["netload-plan", "netload-metrics"]),
    ("netload-store", &["netload-record", "netload-net"]),
    // Documents are JSON made elsewhere: it needs nothing of ours.
    ("netload-web", &[]),
    ("netload-pages", &["netload-metrics", "netload-record"]),
    (
        "netload-ship",
        &[
            "netload-plan",
            "netload-metrics",
            "netload-net",
            "netload-http",
        ],
    ),
    // 5: the binary sees everything.
    (
        "netload",
        &[
            "netload-analysis",
            "netload-record",
            "netload-store",
            "netload-plan",
            "netload-metrics",
            "netload-net",
            "netload-http",
            "netload-engine",
            "netload-script",
            "netload-hit",
            "netload-output",
            "netload-pages",
            "netload-ship",
            "netload-target",
            "netload-web",
        ],
    ),
    // Beside them: the reference server, which must not share our mistakes, and this.
    ("netload-target", &[]),
    ("xtask", &["netload-target", "netload-typescript"]),
];

/// A sentence for every import that points up or sideways.
pub(super) fn check(graph: &Graph) -> Vec<String> {
    let mut problems = Vec::new();
    for name in graph.ours() {
        let Some((_, allowed)) = LAYERS.iter().find(|(package, _)| *package == name) else {
            problems.push(format!(
                "{name} has no place in the table of layers (xtask/src/tidy/layers.rs)"
            ));
            continue;
        };
        for below in graph.ours_below(name) {
            if !allowed.contains(&below) {
                problems.push(format!("{name} must not use {below}"));
            }
        }
    }
    problems
}
