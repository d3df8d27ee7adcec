//! Licences of what is compiled in, and crates that must not be there, or not twice.
//!
//! A small part of cargo-deny, which takes minutes to build; see
//! `docs/decisions`. Invariant: an unknown licence is a problem.

use std::collections::BTreeMap;

use super::graph::{Graph, Package};

/// Licences that may be linked into an Apache-2.0 program.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "OpenSSL",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that must not come in, and why.
const BANNED: &[(&str, &str)] = &[
    ("ring", "aws-lc-rs is the one provider of cryptography"),
    ("openssl", "rustls is the one TLS"),
    ("openssl-sys", "rustls is the one TLS"),
    ("native-tls", "rustls is the one TLS"),
    ("async-std", "tokio is the one runtime"),
];

/// Crates whose types meet across our walls, so that two versions would be two of everything.
const SINGLE: &[&str] = &[
    "tokio",
    "rustls",
    "aws-lc-rs",
    "aws-lc-sys",
    "rquickjs-core",
    "serde",
    "serde_json",
    "httparse",
];

/// A sentence for every licence, ban or duplicate that is wrong.
pub(super) fn check(graph: &Graph) -> Vec<String> {
    let mut problems = Vec::new();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in &graph.packages {
        let seen = versions.entry(&package.name).or_default();
        // A package comes twice in the tree: as itself, and as "(*)", shown before.
        if seen.contains(&package.version.as_str()) {
            continue;
        }
        seen.push(&package.version);
        problems.extend(licence(package));
        if let Some((name, why)) = BANNED.iter().find(|(name, _)| *name == package.name) {
            problems.push(format!("{name} must not be used: {why}"));
        }
    }
    for (name, versions) in versions {
        if SINGLE.contains(&name) && versions.len() > 1 {
            problems.push(format!(
                "{name} is there {} times: {}",
                versions.len(),
                versions.join(", ")
            ));
        }
    }
    problems
}

fn licence(package: &Package) -> Option<String> {
    let named = format!("{} {}", package.name, package.version);
    match &package.license {
        None => Some(format!("{named} does not say its licence")),
        Some(expression) if !is_allowed(expression) => Some(format!(
            "{named} has the licence {expression}, which is not on the list"
        )),
        Some(_) => None,
    }
}

/// Whether an SPDX expression can be fulfilled with allowed licences only.
fn is_allowed(expression: &str) -> bool {
    // Old crates write "MIT/Apache-2.0"; it means OR.
    let expression = expression.replace('/', " OR ");
    let (value, rest) = any(&tokens(&expression));
    value && rest == 0
}

fn tokens(expression: &str) -> Vec<String> {
    expression
        .replace('(', " ( ")
        .replace(')', " ) ")
        .split_whitespace()
        .map(String::from)
        .collect()
}

/// `all OR all ...`; gives the value and how many tokens are left.
fn any(tokens: &[String]) -> (bool, usize) {
    let (mut value, mut left) = all(tokens);
    while left > 0 && tokens[tokens.len() - left] == "OR" {
        let (more, rest) = all(&tokens[tokens.len() - left + 1..]);
        value |= more;
        left = rest;
    }
    (value, left)
}

/// `one AND one ...`.
fn all(tokens: &[String]) -> (bool, usize) {
    let (mut value, mut left) = one(tokens);
    while left > 0 && tokens[tokens.len() - left] == "AND" {
        let (more, rest) = one(&tokens[tokens.len() - left + 1..]);
        value &= more;
        left = rest;
    }
    (value, left)
}

/// A licence, one with an exception, or something in brackets.
fn one(tokens: &[String]) -> (bool, usize) {
    match tokens {
        [] => (false, 0),
        [open, rest @ ..] if open == "(" => {
            let (value, left) = any(rest);
            (value, left.saturating_sub(1))
        }
        [name, with, exception, rest @ ..] if with == "WITH" => {
            let whole = format!("{name} WITH {exception}");
            (
                ALLOWED.contains(&whole.as_str()) || ALLOWED.contains(&name.as_str()),
                rest.len(),
            )
        }
        [name, rest @ ..] => (ALLOWED.contains(&name.as_str()), rest.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_fulfilled_by_allowed_licences_only() {
        for (expression, expected) in [
            ("MIT", true),
            ("MIT OR GPL-3.0", true),
            ("MIT AND GPL-3.0", false),
            ("GPL-3.0-only", false),
            ("MIT/Apache-2.0", true),
            ("ISC AND (Apache-2.0 OR ISC) AND OpenSSL", true),
            ("(GPL-2.0 OR LGPL-2.1) AND MIT", false),
            ("GPL-2.0 OR (MIT AND ISC)", true),
            ("Apache-2.0 WITH LLVM-exception OR GPL-2.0", true),
            ("", false),
        ] {
            assert_eq!(is_allowed(expression), expected, "{expression}");
        }
    }
}
