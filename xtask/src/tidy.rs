//! `cargo xtask tidy`: what the compiler does not check.
//!
//! Layers over `cargo metadata`; headers, lengths and leftovers over the source
//! files; the map in ARCHITECTURE.md. Licences are cargo-deny's (`deny.rs`). All
//! problems are reported, not only the first. Invariant: no rule has silent exceptions.

mod graph;
mod layers;
mod sources;

use crate::{Outcome, shell};

pub(crate) fn run(_: &[String]) -> Outcome {
    let graph = graph::Graph::read()?;
    let mut problems = Vec::new();
    problems.extend(layers::check(&graph));
    problems.extend(sources::check()?);
    problems.extend(map(&graph)?);
    if problems.is_empty() {
        println!("tidy");
        return Ok(());
    }
    for problem in &problems {
        println!("{problem}");
    }
    Err(format!("{} problems", problems.len()).into())
}

/// ARCHITECTURE.md must name every package of ours.
fn map(graph: &graph::Graph) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let file = shell::root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let missing = graph.ours().filter(|name| {
        let short = name.strip_prefix("netload-").unwrap_or(name);
        !text.contains(&format!("`{short}`"))
    });
    Ok(missing
        .map(|name| format!("ARCHITECTURE.md does not name {name}"))
        .collect())
}
