//! Everything about this project that cargo cannot express.
//!
//! `cargo xtask COMMAND`: one file per command, listed below. Invariant: a
//! command exits with 0 only if all it promises is true.

mod accuracy;
mod bench;
mod ci;
mod compare;
mod deny;
mod differential;
mod dist;
mod fuzz;
mod host;
mod k6;
mod measuring;
mod pages;
mod receivers;
mod setup;
mod shell;
mod target;
mod tidy;
mod verdict;

use std::process::ExitCode;

/// What every command returns; the text is shown to the user.
type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A command and its one line of help.
struct Command {
    name: &'static str,
    about: &'static str,
    run: fn(&[String]) -> Outcome,
}

#[rustfmt::skip]
const COMMANDS: &[Command] = &[
    Command { name: "ci", about: "everything that must hold before a change is accepted", run: ci::run },
    Command { name: "deny", about: "licences and unwanted crates, by cargo-deny", run: deny::run },
    Command { name: "tidy", about: "layers, file headers and lengths", run: tidy::run },
    Command { name: "differential", about: "the scripts in tests/differential under k6 and netload, compared", run: differential::run },
    Command { name: "fuzz", about: "the parsers against inputs that libFuzzer makes up", run: fuzz::run },
    Command { name: "dist", about: "the netload that is shipped, into target/ship", run: dist::run },
    Command { name: "bench", about: "speed and size against wrk and k6, written to bench/results", run: bench::run },
    Command { name: "accuracy", about: "what tools report against what really happened, written to bench/results", run: accuracy::run },
    Command { name: "verdict", about: "whether netload notices that it is disturbed, written to bench/results", run: verdict::run },
    Command { name: "compare", about: "how often compare is right about pairs of real runs, written to bench/results", run: compare::run },
    Command { name: "k6", about: "builds the k6 that netload is compared with into .cache", run: k6::run },
    Command { name: "pages", about: "the scripts and styles of the pages, from TypeScript; --check, --types", run: pages::run },
    Command { name: "setup", about: "installs the packages that tests and benchmarks need", run: setup::run },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = arguments.split_first() else {
        help();
        return ExitCode::SUCCESS;
    };
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        help();
        eprintln!("\nerror: there is no command {name:?}");
        return ExitCode::from(2);
    };
    match (command.run)(rest) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn help() {
    println!("cargo xtask COMMAND [--help]\n");
    for command in COMMANDS {
        println!("  {:14}{}", command.name, command.about);
    }
}
