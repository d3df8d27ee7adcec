//! `cargo xtask ci`: everything that must hold before a change is accepted.
//!
//! `.ci/run` calls exactly this. All steps run even if one fails, so that one
//! run shows everything. Invariant: the last line is `N passed, N failed`, and
//! the command fails if the second number is not 0.

mod count;
mod examples;

use std::process::Command;
use std::time::Instant;

use crate::{Outcome, deny, differential, fuzz, k6, pages, setup, shell, tidy};
pub(crate) use count::Count;

type Failure = Box<dyn std::error::Error>;

/// One step: its heading and what it does.
struct Step {
    name: &'static str,
    run: fn() -> Result<Count, Failure>,
}

const STEPS: &[Step] = &[
    Step {
        name: "setup",
        run: || outcome(setup::run(&[])),
    },
    Step {
        name: "format",
        run: || checked(shell::cargo().args(["fmt", "--all", "--check"])),
    },
    Step {
        name: "clippy",
        run: || {
            let lints = ["--", "--deny", "warnings"];
            checked(
                shell::cargo()
                    .args(["clippy", "--quiet", "--workspace", "--all-targets"])
                    .args(lints),
            )
        },
    },
    Step {
        name: "tidy",
        run: || outcome(tidy::run(&[])),
    },
    Step {
        name: "pages",
        run: || outcome(pages::run(&["--check".to_owned()])),
    },
    Step {
        name: "page types",
        run: || outcome(pages::run(&["--types".to_owned()])),
    },
    Step {
        name: "deny",
        run: || outcome(deny::run(&[])),
    },
    Step {
        name: "tests",
        run: || {
            let mut tests = shell::cargo();
            tests.args(["test", "--workspace", "--no-fail-fast"]);
            // Here, where they were installed, a missing server or browser is no excuse.
            tests.env("NETLOAD_NEEDS_SERVERS", "yes");
            count::tests(tests.env("NETLOAD_NEEDS_CHROMIUM", "yes"))
        },
    },
    Step {
        name: "features",
        run: features,
    },
    Step {
        name: "fuzz",
        run: fuzz::count,
    },
    Step {
        name: "documentation",
        run: || {
            checked(
                shell::cargo()
                    .args(["doc", "--quiet", "--workspace", "--no-deps"])
                    .env("RUSTDOCFLAGS", "--deny warnings"),
            )
        },
    },
    Step {
        name: "release build",
        run: || outcome(shell::netload("release").map(|_| ())),
    },
    Step {
        name: "k6",
        run: || outcome(k6::run(&[])),
    },
    Step {
        name: "differential",
        run: differential::count,
    },
    Step {
        name: "examples",
        run: examples::run,
    },
];

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let chosen = |step: &&Step| arguments.is_empty() || arguments.iter().any(|a| a == step.name);
    let mut total = Count::default();
    let mut table = Vec::new();
    for step in STEPS.iter().filter(chosen) {
        println!("\n==== {} ====", step.name);
        let start = Instant::now();
        let count = (step.run)().unwrap_or_else(|error| {
            println!("error: {error}");
            Count::of(false)
        });
        let seconds = start.elapsed().as_secs();
        println!("---- {}: {count} in {seconds} s", step.name);
        table.push(format!("{:16} {seconds:5} s  {count}", step.name));
        total.add(count);
    }
    println!("\n{}\n\n{total}", table.join("\n"));
    if total.failed == 0 {
        Ok(())
    } else {
        Err("not everything passed".into())
    }
}

/// The outputs that the binary has by a feature only: lints and tests of the crates that own them, and the binary
/// against real receivers.
fn features() -> Result<Count, Failure> {
    let lints = ["clippy", "--quiet", "--all-targets"];
    let owners = [("netload-ship", "kafka"), ("netload-output", "parquet")];
    let mut total = Count::default();
    for (package, feature) in owners {
        let chosen = ["--package", package, "--features", feature];
        let mut lint = shell::cargo();
        lint.args(lints)
            .args(chosen)
            .args(["--", "--deny", "warnings"]);
        total.add(checked(&mut lint)?);
        total.add(count::tests(shell::cargo().arg("test").args(chosen))?);
    }
    let mut binary = shell::cargo();
    binary.args(["test", "--package", "netload", "--test", "features"]);
    binary.args(["--features", "kafka,parquet"]);
    total.add(count::tests(binary.env("NETLOAD_NEEDS_SERVERS", "yes"))?);
    Ok(total)
}

/// A program that passes or fails as a whole.
fn checked(command: &mut Command) -> Result<Count, Failure> {
    outcome(shell::run(command))
}

fn outcome(outcome: Outcome) -> Result<Count, Failure> {
    if let Err(error) = &outcome {
        println!("error: {error}");
    }
    Ok(Count::of(outcome.is_ok()))
}
