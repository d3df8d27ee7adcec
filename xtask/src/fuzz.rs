//! `cargo xtask fuzz`: the targets in `fuzz/` under libFuzzer, for some seconds each.
//!
//! Works with the stable compiler: the counters come from LLVM, and no
//! sanitizer is needed where unsafe code is forbidden. Invariant: what is found
//! is kept in `.cache/fuzz`, so that the next run starts there; seeds are in `fuzz/corpus`.

use std::process::Command;

use crate::ci::Count;
use crate::{Outcome, shell};

type Failure = Box<dyn std::error::Error>;

const TARGETS: &[&str] = &["response", "url", "cookie", "options", "frame"];

/// Long enough to go through the corpus and to find what is near it.
const SECONDS: &str = "15";

/// Largest input in bytes; what matters to parsers shows in small ones.
const INPUT_AT_MOST: &str = "-max_len=4096";

/// A single input that takes longer than this is a finding.
const INPUT_SECONDS: &str = "-timeout=10";

/// Counters on every edge and comparison, and the checks that a release build leaves out.
const FLAGS: &[&str] = &[
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
];

const HELP: &str = "cargo xtask fuzz [TARGET...] [--seconds N]

  TARGET           response, url, cookie, options, frame; all of them unless named
  --seconds N      how long each runs (15)";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let mut seconds = SECONDS;
    let mut chosen = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--help" | "-h" => {
                println!("{HELP}");
                return Ok(());
            }
            "--seconds" => seconds = rest.next().ok_or("--seconds needs a value")?,
            name => match TARGETS.iter().find(|target| **target == name) {
                Some(target) => chosen.push(*target),
                None => return Err(format!("there is no target {name}\n\n{HELP}").into()),
            },
        }
    }
    if chosen.is_empty() {
        chosen.extend(TARGETS);
    }
    match fuzz(&chosen, seconds)?.failed {
        0 => Ok(()),
        _ => Err("an input was found; it is in fuzz/artifacts".into()),
    }
}

/// All targets for a short time: what `cargo xtask ci` does.
pub(crate) fn count() -> Result<Count, Failure> {
    fuzz(TARGETS, SECONDS)
}

fn fuzz(targets: &[&str], seconds: &str) -> Result<Count, Failure> {
    let triple = host()?;
    let folder = shell::target_dir().join("fuzz");
    let build = ["build", "--quiet", "--release", "--locked", "--bins"];
    // Named explicitly, the triple keeps the flags away from build scripts, which have no libFuzzer.
    shell::run(
        shell::cargo()
            .args(build)
            .args(["--target", &triple])
            .args(["--manifest-path", "fuzz/Cargo.toml"])
            .env("CARGO_TARGET_DIR", &folder)
            .env("RUSTFLAGS", FLAGS.join(" ")),
    )?;
    let programs = folder.join(triple).join("release");
    let mut total = Count::default();
    for target in targets {
        println!("{target}: {seconds} s");
        let corpus = shell::root().join("fuzz/corpus").join(target);
        let found = shell::root().join("fuzz/artifacts").join(target);
        std::fs::create_dir_all(&corpus)?;
        std::fs::create_dir_all(&found)?;
        let mut command: Command = shell::command(programs.join(target));
        // New inputs go to the first folder; the committed ones are only read.
        let grown = shell::cache().join("fuzz").join(target);
        std::fs::create_dir_all(&grown)?;
        command
            .arg(&grown)
            .arg(&corpus)
            .args([INPUT_AT_MOST, INPUT_SECONDS, "-verbosity=0"])
            .arg(format!("-max_total_time={seconds}"))
            .arg(format!("-artifact_prefix={}/", found.display()));
        // libFuzzer talks a lot; only of a finding anybody wants to read.
        let told = folder.join(format!("{target}.log"));
        let outcome = shell::run(command.stderr(std::fs::File::create(&told)?));
        if let Err(error) = &outcome {
            println!("{}", String::from_utf8_lossy(&std::fs::read(&told)?));
            println!("error: {error}");
        }
        total.add(Count::of(outcome.is_ok()));
    }
    Ok(total)
}

/// The triple of this machine, as the compiler names it.
fn host() -> Result<String, Failure> {
    let text = shell::read(shell::command("rustc").arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc does not say its host")?.to_owned())
}
