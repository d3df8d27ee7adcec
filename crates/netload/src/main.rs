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
mod load_script;
mod network;
mod options;
mod reference;
mod running;
mod settings;
mod signals;
mod terminal;
mod typed;
mod workers;

use std::process::ExitCode;

use cli::Request;
use exit::Exit;
use failure::Failure;
use terminal::stdout;

#[cfg(not(feature = "count-allocations"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let code = match run() {
        Ok(exit) => exit.into(),
        Err(failure) => {
            terminal::report(&failure);
            failure.exit.into()
        }
    };
    #[cfg(feature = "count-allocations")]
    allocations::report();
    code
}

fn run() -> Result<Exit, Failure> {
    let arguments = std::env::args_os()
        .map(|a| a.to_string_lossy().into_owned())
        .collect();
    match cli::parse(arguments, terminal::environment())? {
        Request::Run(command, typed) => (command.act)(&typed),
        Request::Print(text) => {
            stdout::bytes(text.as_bytes())?;
            Ok(Exit::Success)
        }
    }
}
