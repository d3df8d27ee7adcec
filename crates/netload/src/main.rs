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
use terminal::stdout;

#[cfg(not(feature = "count-allocations"))]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments = std::env::args_os()
        .map(|a| a.to_string_lossy().into_owned())
        .collect();
    let done = match cli::parse(arguments, terminal::environment()) {
        Ok(Request::Run(command, typed)) => {
            (command.act)(&typed).map_err(|failure| (failure, terminal::wants_json(&typed)))
        }
        Ok(Request::Print(text)) => {
            let printed = stdout::bytes(text.as_bytes()).map(|()| Exit::Success);
            printed.map_err(|failure| (failure, false))
        }
        Err(failure) => Err((failure, false)),
    };
    match done {
        Ok(exit) => exit.into(),
        Err((failure, as_json)) => {
            terminal::report(&failure, as_json);
            failure.exit.into()
        }
    }
}
