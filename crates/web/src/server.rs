//! The server's thread: binds, checks every request at the door, and answers until the process ends.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};

use crate::control::Control;
use crate::door::Door;
use crate::hub::Hub;
use crate::listener::Limited;
use crate::pages::Asset;
use crate::stream::Streams;
use crate::{answer, routes};

/// Largest body of a request, in bytes: a script of a mebibyte, as JSON.
const BODY_AT_MOST: usize = 3 << 20;
/// Threads for calls that may wait, such as reading a record.
const WAITING_THREADS: usize = 4;

/// What a server is made of.
pub struct Config {
    /// Where it listens; port 0 takes a free one.
    pub address: SocketAddr,
    /// The name in the address, when it was one.
    pub name: Option<String>,
    /// What a request must present; required wherever [`Door::needs_token`] says so.
    pub token: Option<String>,
    /// The pages.
    pub assets: Vec<Asset>,
    /// Running tests.
    pub hub: Hub,
    /// The program around.
    pub control: Arc<dyn Control>,
}

/// A server that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Served {
    /// Where.
    pub address: SocketAddr,
    /// The link for a browser, with the token when one is needed.
    pub link: String,
}

/// The server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// Everybody on the network could start programs here.
    #[error("a server on {0} can be reached by others and needs a token")]
    TokenNeeded(SocketAddr),
    /// The system refuses a thread or an event loop.
    #[error("cannot start the server's thread: {0}")]
    System(io::Error),
}

#[derive(Clone)]
pub(crate) struct App {
    pub(crate) door: Arc<Door>,
    pub(crate) assets: Arc<Vec<Asset>>,
    pub(crate) hub: Hub,
    pub(crate) control: Arc<dyn Control>,
    pub(crate) streams: Streams,
}

/// Starts the server on a thread of its own, which ends with the process.
///
/// # Errors
/// When the address cannot be listened on, or needs a token and has none.
pub fn serve(config: Config) -> Result<Served, ServeError> {
    if config.token.is_none() && Door::needs_token(&config.address) {
        return Err(ServeError::TokenNeeded(config.address));
    }
    let failed = |e| ServeError::Listen(config.address, e);
    let listener = TcpListener::bind(config.address).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let link = link(address, config.name.as_deref(), config.token.as_deref());
    let app = App {
        door: Arc::new(Door::new(config.name, config.token)),
        assets: Arc::new(config.assets),
        hub: config.hub,
        control: config.control,
        streams: Streams::default(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(WAITING_THREADS)
        .build()
        .map_err(ServeError::System)?;
    let answering = move || {
        runtime.block_on(async move {
            if let Ok(listener) = tokio::net::TcpListener::from_std(listener) {
                // Ends only with the process.
                let _ = axum::serve(Limited::new(listener), router(app)).await;
            }
        });
    };
    std::thread::Builder::new()
        .name("web".to_owned())
        .spawn(answering)
        .map_err(ServeError::System)?;
    Ok(Served { address, link })
}

fn link(address: SocketAddr, name: Option<&str>, token: Option<&str>) -> String {
    let host = match name {
        Some(name) => format!("{name}:{}", address.port()),
        None if address.ip().is_unspecified() => format!("localhost:{}", address.port()),
        None => address.to_string(),
    };
    match token {
        Some(token) => format!("http://{host}/?token={token}"),
        None => format!("http://{host}/"),
    }
}

fn router(app: App) -> Router {
    routes::table()
        .layer(DefaultBodyLimit::max(BODY_AT_MOST))
        .layer(middleware::from_fn_with_state(app.clone(), at_the_door))
        .with_state(app)
}

async fn at_the_door(State(app): State<App>, request: Request, next: Next) -> Response {
    let response = match app
        .door
        .check(request.method(), request.uri(), request.headers())
    {
        Ok(()) => next.run(request).await,
        Err(shut) => shut.into_response(),
    };
    answer::guarded(response)
}
