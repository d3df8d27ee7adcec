//! The reference server with known service times.
//!
//! It answers by path: fixed, exponential, bimodal, stalling and dripping
//! times, everything a client test needs (echo, redirects, cookies,
//! authentication, compression), and broken answers of every kind. It can keep
//! what arrived, so that two clients can be compared on the wire.
//!
//! It leaves out measuring. It uses nothing else of this project, so that the
//! client's mistakes are not the server's too. Each server runs on threads of
//! its own.
//!
//! Invariant: the same request gets the same bytes; only times and counters vary.
//!
//! ```
//! use netload_target::{Target, TargetConfig};
//!
//! let server = Target::start(TargetConfig::default())?;
//! println!("listening on http://{}", server.addr());
//! # Ok::<(), netload_target::TargetError>(())
//! ```
#![doc = include_str!("../ROUTES.md")]

mod codec;
mod connection;
mod faults;
mod http2;
mod limits;
mod log;
mod recorder;
mod reply;
mod request;
mod routes;
mod server;
mod service_log;
mod socket;
mod stamp;
mod state;
mod stream;
mod timer;
mod tls;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

pub use crate::faults::faults;
pub use crate::log::LoggedRequest;
pub use crate::routes::{routes_help, routes_markdown};
pub use crate::service_log::{Precision, Served, ServiceLog};
pub use crate::tls::{Authority, Certificates};

use crate::reply::Step;
use crate::server::{Service, Workers};
use crate::state::State;
use crate::timer::Waiting;

/// How a server is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetConfig {
    /// Where plain HTTP is served; port 0 takes a free one.
    pub listen: SocketAddr,
    /// Where HTTPS is served, if at all, and with which certificate.
    pub tls: Option<(SocketAddr, Certificates)>,
    /// Whether HTTP/2 is spoken beside HTTP/1.1: with HTTPS where the client agrees, and in the clear where it begins
    /// with it.
    pub http2: bool,
    /// Folders whose files are served below `/files/`; the first that has a file counts.
    pub files: Vec<PathBuf>,
    /// Threads; at least 1.
    pub workers: usize,
    /// Whether requests are kept for `/__log` and `Running::requests`.
    pub log_requests: bool,
    /// Whether the kernel stamps each request and answer, for [`Running::shutdown`] to give.
    pub log_service: bool,
    /// Whether threads never sleep, so that answers leave when they are due to the microsecond.
    pub busy_poll: bool,
}

impl Default for TargetConfig {
    /// Plain HTTP on a free loopback port, one thread, no log.
    fn default() -> TargetConfig {
        TargetConfig {
            listen: loopback(),
            tls: None,
            http2: false,
            files: Vec::new(),
            workers: 1,
            log_requests: false,
            log_service: false,
            busy_poll: false,
        }
    }
}

impl TargetConfig {
    /// The default with HTTPS on another free loopback port.
    pub fn with_tls() -> TargetConfig {
        TargetConfig {
            tls: Some((loopback(), Certificates::Made)),
            ..TargetConfig::default()
        }
    }
}

fn loopback() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}

/// The reference server, before it runs.
#[derive(Debug)]
pub struct Target;

impl Target {
    /// Starts a server.
    ///
    /// # Errors
    /// If an address cannot be listened on, a certificate cannot be used, or a
    /// thread cannot be started.
    pub fn start(config: TargetConfig) -> Result<Running, TargetError> {
        let mut listen = vec![(
            config.listen,
            Service::Plain {
                http2: config.http2,
            },
        )];
        let mut authority = None;
        if let Some((address, certificates)) = &config.tls {
            let (tls, made) = tls::configure(certificates, config.http2)?;
            listen.push((*address, Service::Tls(tls)));
            authority = made;
        }
        Running::start(listen, &config, authority)
    }

    /// Starts a listener that plays one fault to every client as soon as it
    /// connects, whatever the client sends. `reset` then means: reset right
    /// after the connection was accepted.
    ///
    /// # Errors
    /// If there is no fault of that name, or as for [`Target::start`].
    pub fn start_fault(name: &str) -> Result<Running, TargetError> {
        let steps = faults::steps(name).ok_or_else(|| TargetError::UnknownFault(name.into()))?;
        // Nobody knows whether a request will come, so nothing waits for one.
        let steps: Arc<[Step]> = steps.into_iter().filter(|s| *s != Step::ReadBody).collect();
        let listen = vec![(loopback(), Service::Steps(steps))];
        Running::start(listen, &TargetConfig::default(), None)
    }

    /// An address on loopback where connections are refused.
    ///
    /// # Errors
    /// If no port is free.
    pub fn refusing_address() -> Result<SocketAddr, TargetError> {
        server::refusing_address().map_err(|source| TargetError::Listen {
            address: loopback(),
            source,
        })
    }
}

/// A running server; stops when dropped.
pub struct Running {
    workers: Workers,
    state: Arc<State>,
    addresses: Vec<SocketAddr>,
    authority: Option<Authority>,
}

impl Running {
    fn start(
        listen: Vec<(SocketAddr, Service)>,
        config: &TargetConfig,
        authority: Option<Authority>,
    ) -> Result<Running, TargetError> {
        let state = Arc::new(State::new(config));
        let waiting = if config.busy_poll {
            Waiting::Busy
        } else {
            Waiting::Asleep
        };
        let (workers, addresses) = Workers::start(listen, config.workers.max(1), waiting, &state)?;
        Ok(Running {
            workers,
            state,
            addresses,
            authority,
        })
    }

    /// Where plain HTTP (or the fault) is served.
    pub fn addr(&self) -> SocketAddr {
        self.addresses[0]
    }

    /// Where HTTPS is served.
    pub fn tls_addr(&self) -> Option<SocketAddr> {
        self.addresses.get(1).copied()
    }

    /// What a client needs to trust the made certificate; `None` for certificates from files.
    pub fn authority(&self) -> Option<&Authority> {
        self.authority.as_ref()
    }

    /// Connections accepted so far.
    pub fn connections(&self) -> u64 {
        self.state.accepted()
    }

    /// What arrived so far, in order; empty when the log is off.
    pub fn requests(&self) -> Vec<LoggedRequest> {
        self.state
            .log
            .as_ref()
            .map(log::RequestLog::requests)
            .unwrap_or_default()
    }

    /// Forgets what arrived so far.
    pub fn clear_requests(&self) {
        if let Some(log) = &self.state.log {
            log.clear();
        }
    }

    /// Stops accepting, drops all connections and waits for the threads. Gives what was served with the kernel's
    /// stamps, if they were asked for.
    pub fn shutdown(mut self) -> ServiceLog {
        self.workers.shutdown();
        let archive = self.state.served.as_ref();
        archive.map(|archive| archive.take()).unwrap_or_default()
    }
}

/// Why a server could not be started.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TargetError {
    /// The address is taken, or not ours.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The wanted address.
        address: SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// A certificate could not be made or used.
    #[error("cannot use the certificate: {0}")]
    Certificate(Box<dyn std::error::Error + Send + Sync>),
    /// A PEM file could not be read.
    #[error("cannot read {path}: {reason}")]
    CertificateFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The system gave no thread.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// The system gave no event loop.
    #[error("cannot start an event loop; the limit of open files may be reached")]
    NoEventLoop,
    /// The kernel does not stamp packets.
    #[error("the service log needs the kernel's packet stamps (SO_TIMESTAMPING of Linux): {0}")]
    Stamps(std::io::Error),
    /// There is no such fault.
    #[error("there is no fault named {0:?}")]
    UnknownFault(String),
}
