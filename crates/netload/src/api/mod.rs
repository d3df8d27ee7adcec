//! The REST API of a running test, shaped as that of k6 1.x: status, metrics and groups; pause, resume, scale, stop.
//!
//! It listens where the user says, on loopback unless told otherwise, and answers one small request per connection.
//! Requests that a browser sends for another page are refused. It lives on a thread of its own and only reads what the
//! run shares once a second; it never waits for the load.

mod client;
mod http;
mod routes;

use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use netload_engine::Phase;
use netload_metrics::Summary;
use tokio::sync::Semaphore;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::running::Reins;

pub(crate) use client::call;

/// Where it listens when the test needs it and nobody says where.
pub(crate) const ADDRESS: &str = "localhost:6565";

/// Connections answered at a time.
const CONNECTIONS_AT_MOST: usize = 32;

/// Longest time that a client may take to ask, and to read the answer.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(10);

/// What the API knows of the run, besides its state: refreshed about once a second.
#[derive(Clone, Default)]
pub(crate) struct Board(Arc<Mutex<Posted>>);

#[derive(Default)]
struct Posted {
    phase: Option<Phase>,
    summary: Arc<Summary>,
}

impl Board {
    /// Replaces what is known.
    pub(crate) fn post(&self, phase: Phase, summary: Summary) {
        let mut posted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        posted.phase = Some(phase);
        posted.summary = Arc::new(summary);
    }

    fn phase(&self) -> Option<Phase> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).phase
    }

    fn summary(&self) -> Arc<Summary> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .summary
            .clone()
    }
}

/// Starts to listen. The thread ends with the process.
pub(crate) fn serve(address: &str, reins: &Reins, board: &Board) -> Result<SocketAddr, Failure> {
    let failed = |e: std::io::Error| {
        Failure::new(
            Exit::ApiCannotStart,
            format!("the REST API cannot listen on {address}: {e}"),
        )
        .hint("--address takes another one; port 0 takes a free one")
    };
    let listener = TcpListener::bind(resolved(address)?).map_err(failed)?;
    let local = listener.local_addr().map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(failed)?;
    let (reins, board) = (reins.clone(), board.clone());
    let answer = move || runtime.block_on(accept(listener, reins, board));
    std::thread::Builder::new()
        .name("api".to_owned())
        .spawn(answer)
        .map_err(failed)?;
    Ok(local)
}

/// The address to listen on; `localhost` without a look-up, so that it is the same everywhere.
fn resolved(address: &str) -> Result<SocketAddr, Failure> {
    let full = match address.rsplit_once(':') {
        Some(("" | "localhost", port)) => format!("127.0.0.1:{port}"),
        Some(_) => address.to_owned(),
        None => format!("127.0.0.1:{address}"),
    };
    let found = full.to_socket_addrs().ok().and_then(|mut all| all.next());
    found.ok_or_else(|| {
        Failure::new(
            Exit::ApiCannotStart,
            format!("`{address}` is not an address the REST API could listen on"),
        )
        .hint("write it like localhost:6565")
    })
}

async fn accept(listener: TcpListener, reins: Reins, board: Board) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let slots = Arc::new(Semaphore::new(CONNECTIONS_AT_MOST));
    loop {
        let Ok(slot) = slots.clone().acquire_owned().await else {
            return;
        };
        let Ok((stream, _)) = listener.accept().await else {
            // Out of descriptors, most likely; the load has them, so let it go on.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let (reins, board) = (reins.clone(), board.clone());
        tokio::spawn(async move {
            let answer = |request| routes::answer(request, &reins, &board);
            // A client that is slow or gone is its own problem.
            let _ = http::answer(stream, CLIENT_TIMEOUT, answer).await;
            drop(slot);
        });
    }
}
