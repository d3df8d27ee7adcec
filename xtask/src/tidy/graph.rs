//! The packages of the workspace and which of them they depend on, from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::shell;

/// The dependencies among our own packages.
pub(super) struct Graph {
    ours: BTreeMap<String, BTreeSet<String>>,
}

impl Graph {
    /// Asks cargo, with the lock file as it is.
    pub(super) fn read() -> Result<Graph, Box<dyn std::error::Error>> {
        let arguments = ["metadata", "--format-version", "1", "--locked", "--no-deps"];
        let metadata: Value = serde_json::from_str(&shell::read(shell::cargo().args(arguments))?)?;
        let ours = list(&metadata["packages"])
            .filter_map(|package| {
                let name = package["name"].as_str()?.to_owned();
                Some((name, dependencies(package)))
            })
            .collect();
        Ok(Graph { ours })
    }

    /// The names of our packages.
    pub(super) fn ours(&self) -> impl Iterator<Item = &str> {
        self.ours.keys().map(String::as_str)
    }

    /// Our packages that one of ours depends on, tests included.
    pub(super) fn ours_below(&self, name: &str) -> impl Iterator<Item = &str> {
        let below = self.ours.get(name).into_iter().flatten();
        below
            .map(String::as_str)
            .filter(|dependency| self.ours.contains_key(*dependency))
    }
}

fn dependencies(package: &Value) -> BTreeSet<String> {
    list(&package["dependencies"])
        .filter_map(|dependency| dependency["name"].as_str())
        .map(String::from)
        .collect()
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
