//! `netload target`: the reference server.

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::mpsc::channel;

use netload_target::{Certificates, Target, TargetConfig, routes_help};

use super::Command;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::Category;
use crate::terminal::stdout;
use crate::typed::Typed;
use crate::{signals, workers};

/// Where it listens unless told otherwise: where the examples look for it.
pub(crate) const LISTEN: &str = "127.0.0.1:8080";

pub(super) const COMMAND: Command = Command {
    name: "target",
    about: "Run the reference server, whose service times are known",
    details: "It answers until it is interrupted. `netload target --routes` lists what it answers.",
    categories: &[Category::Target, Category::Terminal],
    operand: None,
    examples: &[
        ("On port 8080 of this machine", "netload target"),
        (
            "An answer after exactly 10 ms",
            "netload hit http://127.0.0.1:8080/fixed/10ms",
        ),
    ],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    if typed.switch("routes")? {
        stdout::bytes(routes_help().as_bytes())?;
        return Ok(Exit::Success);
    }
    let config = TargetConfig {
        listen: typed
            .read("listen", address)?
            .map_or_else(|| address(LISTEN).map_err(Failure::usage), Ok)?,
        tls: typed
            .read("tls", address)?
            .map(|address| (address, Certificates::Made)),
        workers: workers::count(typed)?,
        log_requests: typed.switch("logRequests")?,
    };
    let server = Target::start(config).map_err(|e| {
        Failure::usage(e.to_string())
            .hint("--listen takes another address; port 0 takes a free one")
    })?;
    let (stop, stopped) = channel();
    signals::on_interrupt(move || stop.send(()).is_ok())?;
    stdout::line(&format!("listening on http://{}", server.addr()))?;
    if let Some(address) = server.tls_addr() {
        stdout::line(&format!("listening on https://{address}"))?;
    }
    // An error means that the signal thread is gone, which cannot be waited for either.
    let _ = stopped.recv();
    server.shutdown();
    Ok(Exit::Success)
}

/// `HOST:PORT`, `:PORT` or `PORT`.
pub(crate) fn address(text: &str) -> Result<SocketAddr, String> {
    let full = match text.rsplit_once(':') {
        None => format!("127.0.0.1:{text}"),
        Some(("", port)) => format!("0.0.0.0:{port}"),
        Some(_) => text.to_owned(),
    };
    let found = full.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| format!("`{text}` is not an address; write it like 127.0.0.1:8080"))
}
