//! Ctrl-C and its kin: the first asks for an orderly end, the second ends the process.

use std::io::Write;

use tokio::signal::unix::{SignalKind, signal};

use crate::exit::Exit;
use crate::failure::Failure;

/// Calls `ask` at the first SIGINT or SIGTERM and ends the process at the second. When `ask` says no, the first ends it.
pub(crate) fn on_interrupt(ask: impl Fn() -> bool + Send + 'static) -> Result<(), Failure> {
    let failed = |e: std::io::Error| Failure::usage(format!("cannot listen for signals: {e}"));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .map_err(failed)?;
    let guard = runtime.enter();
    let mut interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let mut terminate = signal(SignalKind::terminate()).map_err(failed)?;
    drop(guard);
    let wait = move || {
        runtime.block_on(async move {
            let mut asked = false;
            loop {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
                if asked || !ask() {
                    leave();
                }
                asked = true;
            }
        });
    };
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(wait)
        .map_err(failed)?;
    Ok(())
}

/// Ends the process at once, with the cursor shown again.
fn leave() -> ! {
    use std::io::IsTerminal;
    let mut stderr = std::io::stderr();
    if stderr.is_terminal() {
        let _ = stderr.write_all(b"\x1b[?25h\n");
    }
    std::process::exit(Exit::Signal.code().into())
}
