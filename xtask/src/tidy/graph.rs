//! The packages of the workspace and what they depend on, from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::shell;

/// A package that is compiled for us, ours or not.
pub(super) struct Package {
    pub(super) name: String,
    pub(super) version: String,
    /// SPDX expression.
    pub(super) license: Option<String>,
}

/// All packages, and the dependencies among our own.
pub(super) struct Graph {
    pub(super) packages: Vec<Package>,
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
        Ok(Graph {
            packages: compiled()?,
            ours,
        })
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

/// What is compiled on this platform with the features that are on: `metadata`
/// also names what optional features would bring, `tree` does not.
fn compiled() -> Result<Vec<Package>, Box<dyn std::error::Error>> {
    let tree = [
        "tree",
        "--workspace",
        "--locked",
        "--prefix",
        "none",
        "--edges",
        "normal,build,dev",
    ];
    let text = shell::read(shell::cargo().args(tree).args(["--format", "{p}\t{l}"]))?;
    let lines: BTreeSet<_> = text.lines().collect();
    Ok(lines.into_iter().filter_map(package).collect())
}

/// A line of the tree: `name v1.2.3 (place)`, a tab, the licence, perhaps ` (*)`.
fn package(line: &str) -> Option<Package> {
    let (package, license) = line.split_once('\t')?;
    let license = license.trim_end_matches(" (*)").trim();
    let mut words = package.split(' ');
    Some(Package {
        name: words.next()?.to_owned(),
        version: words.next()?.trim_start_matches('v').to_owned(),
        license: (!license.is_empty()).then(|| license.to_owned()),
    })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_tree_are_read() {
        let read = package("a-b v1.2.3 (proc-macro)\tMIT OR Apache-2.0 (*)").unwrap();
        assert_eq!(
            (read.name.as_str(), read.version.as_str()),
            ("a-b", "1.2.3")
        );
        assert_eq!(read.license.as_deref(), Some("MIT OR Apache-2.0"));
        assert!(package("c v1.0.0\t").unwrap().license.is_none());
    }
}
