//! The binary `netload`: what is typed becomes a resolved configuration, and that a running test.

#[cfg(feature = "count-allocations")]
mod allocations;
mod api;
mod cli;
mod commands;
mod exit;
mod failure;
mod format;
mod hit;
mod keeping;
mod load_script;
mod measurement;
mod network;
mod options;
mod reference;
mod running;
mod scenario_choice;
mod settings;
mod signals;
mod steering;
mod terminal;
mod typed;
mod ui;
mod workers;
mod zero;

use std::process::ExitCode;

use cli::Request;
use exit::Exit;
use failure::Failure;
use terminal::stdout;

#[cfg(not(feature = "count-allocations"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Where defects are reported.
const ISSUES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/issues");

fn main() -> ExitCode {
    // A panic would end with code 101, which means something else.
    let done = std::panic::catch_unwind(run).unwrap_or_else(|_| {
        let failure = Failure::new(Exit::Internal, "this is a defect of netload");
        Err((
            failure.hint(format!("please report it with the lines above: {ISSUES}")),
            false,
        ))
    });
    let code = match done {
        Ok(exit) => exit.into(),
        Err((failure, as_json)) => {
            terminal::report(&failure, as_json);
            failure.exit.into()
        }
    };
    #[cfg(feature = "count-allocations")]
    allocations::report();
    code
}

/// Does what the command line asks for. A failure comes with whether it is wanted as JSON.
fn run() -> Result<Exit, (Failure, bool)> {
    let arguments = std::env::args_os()
        .map(|a| a.to_string_lossy().into_owned())
        .collect();
    match cli::parse(arguments, terminal::environment()) {
        Ok(Request::Run(command, typed)) => {
            (command.act)(&typed).map_err(|failure| (failure, terminal::wants_json(&typed)))
        }
        Ok(Request::Print(text)) => match stdout::bytes(text.as_bytes()) {
            Ok(()) => Ok(Exit::Success),
            Err(failure) => Err((failure, false)),
        },
        Err(failure) => Err((failure, false)),
    }
}
