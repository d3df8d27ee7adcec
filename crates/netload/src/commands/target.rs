//! `netload target`: the reference server.

use std::net::{SocketAddr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;

use netload_target::{Certificates, ServiceLog, Target, TargetConfig, routes_help};

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
        (
            "On a core of its own, with the truth about each request",
            "taskset -c 1 netload target --workers 1 --busy-poll --log served.bin",
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
        http2: typed.switch("http2")?,
        workers: workers::count(typed)?,
        log_requests: typed.switch("logRequests")?,
        log_service: typed.text("log").is_some(),
        busy_poll: typed.switch("busyPoll")?,
        ..TargetConfig::default()
    };
    let log = typed.text("log").map(PathBuf::from);
    if let Some(path) = &log {
        // A file that cannot be written should not be found out after the test.
        ServiceLog::default()
            .write(path)
            .map_err(|error| unwritable(path, &error))?;
    }
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
    let served = server.shutdown();
    if let Some(path) = &log {
        served
            .write(path)
            .map_err(|error| unwritable(path, &error))?;
        stdout::line(&told(&served, path))?;
    }
    Ok(Exit::Success)
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::usage(format!("cannot write {}: {error}", path.display()))
}

/// What was logged, and how far the server itself was from what it should have done.
fn told(log: &ServiceLog, path: &Path) -> String {
    let mut text = format!("{} requests logged to {}", log.served.len(), path.display());
    if log.left_out > 0 {
        text.push_str(&format!(", {} did not fit", log.left_out));
    }
    if let Some(precision) = log.precision() {
        let micros = |ns: u64| ns as f64 / 1e3;
        text.push_str(&format!(
            "; service times are off by {:.1} us in the median, {:.1} us at p99, {:.1} us at worst",
            micros(precision.p50_ns),
            micros(precision.p99_ns),
            micros(precision.max_ns),
        ));
    }
    text
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
