//! Listeners, workers and their end.
//!
//! Each worker is a thread with its own event loop. The first one accepts and
//! deals connections out in turn, so that few connections are spread evenly.
//!
//! Invariant: after `shutdown` returns no thread of the server runs any more.

use std::net::{SocketAddr, TcpListener as StdListener, TcpStream as StdStream};
use std::os::fd::AsFd;
use std::rc::Rc;
use std::sync::{Arc, mpsc as threads};
use std::thread::JoinHandle;

use rustls::ServerConfig;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::LocalSet;

use crate::connection::Connection;
use crate::recorder::Recorder;
use crate::reply::Step;
use crate::request::Origin;
use crate::socket::Socket;
use crate::state::State;
use crate::stream::Stream;
use crate::timer::{Timer, Waiting};
use crate::tls::HTTP2;
use crate::{TargetError, http2, limits, stamp};

/// What a listener does with the connections it accepts.
#[derive(Clone)]
pub(crate) enum Service {
    /// HTTP/1.1, or HTTP/2 where a client begins with it, if that is wanted.
    Plain {
        /// Whether HTTP/2 is understood.
        http2: bool,
    },
    /// HTTP/1.1, or HTTP/2 where both sides offer it, inside TLS.
    Tls(Arc<ServerConfig>),
    /// The steps of a fault, without waiting for a request.
    Steps(Arc<[Step]>),
}

/// The threads of a server.
pub(crate) struct Workers {
    stop: watch::Sender<bool>,
    threads: Vec<JoinHandle<()>>,
}

/// A connection on its way from the accepting worker to its own.
struct Accepted {
    tcp: StdStream,
    peer: SocketAddr,
    number: u64,
    service: Service,
}

impl Workers {
    /// Binds the listeners and starts `count` threads; gives the bound addresses in order.
    pub(crate) fn start(
        listen: Vec<(SocketAddr, Service)>,
        count: usize,
        waiting: Waiting,
        state: &Arc<State>,
    ) -> Result<(Workers, Vec<SocketAddr>), TargetError> {
        let (stop, stopped) = watch::channel(false);
        let mut workers = Workers {
            stop,
            threads: Vec::new(),
        };
        let mut queues = Vec::new();
        for index in 1..count {
            let (queue, accepted) = mpsc::channel(limits::ACCEPTED_WAITING);
            let (state, stopped) = (Arc::clone(state), stopped.clone());
            workers.spawn(index, move || {
                run(stopped, state, waiting, |shared| {
                    serve_queue(accepted, shared)
                });
                Ok(())
            })?;
            queues.push(queue);
        }
        let (bound, addresses) = threads::channel();
        let state = Arc::clone(state);
        workers.spawn(0, move || {
            run(stopped, state, waiting, |shared| async move {
                let listeners = match bind_all(listen, shared.recorder.is_some()) {
                    Ok(listeners) => listeners,
                    Err(error) => {
                        let _ = bound.send(Err(error));
                        return;
                    }
                };
                let _ = bound.send(Ok(listeners.iter().map(|l| l.address).collect()));
                accept_all(listeners, queues, shared).await;
            });
            Ok(())
        })?;
        // A worker that cannot even start its event loop drops the sender.
        let addresses = addresses.recv().map_err(|_| TargetError::NoEventLoop)??;
        Ok((workers, addresses))
    }

    fn spawn(
        &mut self,
        index: usize,
        work: impl FnOnce() -> std::io::Result<()> + Send + 'static,
    ) -> Result<(), TargetError> {
        let thread = std::thread::Builder::new()
            .name(format!("target-{index}"))
            .spawn(move || {
                let _ = work();
            })
            .map_err(TargetError::Thread)?;
        self.threads.push(thread);
        Ok(())
    }

    /// Stops accepting, drops all connections, waits for the threads.
    pub(crate) fn shutdown(&mut self) {
        let _ = self.stop.send(true);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.shutdown();
    }
}

/// What the tasks of one worker share.
#[derive(Clone)]
struct Shared {
    state: Arc<State>,
    timer: Rc<Timer>,
    recorder: Option<Rc<Recorder>>,
}

/// Runs `work` on an event loop of this thread until it ends or the server is stopped.
fn run<F: Future>(
    mut stopped: watch::Receiver<bool>,
    state: Arc<State>,
    waiting: Waiting,
    work: impl FnOnce(Shared) -> F,
) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    else {
        return;
    };
    LocalSet::new().block_on(&runtime, async {
        let Ok(timer) = Timer::start(waiting) else {
            return;
        };
        let archive = state.served.clone();
        let recorder = archive.map(|archive| Recorder::new(archive, limits::SERVED_REQUESTS));
        let work = work(Shared {
            state,
            timer,
            recorder,
        });
        tokio::select! {
            _ = work => {}
            _ = stopped.wait_for(|stop| *stop) => {}
        }
    });
}

struct Listener {
    socket: TcpListener,
    address: SocketAddr,
    service: Service,
}

fn bind_all(
    listen: Vec<(SocketAddr, Service)>,
    stamped: bool,
) -> Result<Vec<Listener>, TargetError> {
    let listeners: Vec<_> = listen
        .into_iter()
        .map(|(address, service)| {
            let listener =
                bind(address, service).map_err(|source| TargetError::Listen { address, source })?;
            if stamped {
                // Connections inherit it, so that even a request that comes with the handshake is stamped.
                stamp::enable_receive(listener.socket.as_fd()).map_err(TargetError::Stamps)?;
            }
            Ok(listener)
        })
        .collect::<Result<_, TargetError>>()?;
    if stamped {
        // The listeners have it switched on, so it stays on behind the probe.
        stamp::started().map_err(TargetError::Stamps)?;
    }
    Ok(listeners)
}

fn bind(address: SocketAddr, service: Service) -> std::io::Result<Listener> {
    let socket = if address.is_ipv4() {
        TcpSocket::new_v4()?
    } else {
        TcpSocket::new_v6()?
    };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    let socket = socket.listen(limits::ACCEPT_QUEUE)?;
    Ok(Listener {
        address: socket.local_addr()?,
        socket,
        service,
    })
}

async fn accept_all(listeners: Vec<Listener>, queues: Vec<mpsc::Sender<Accepted>>, shared: Shared) {
    let queues = Rc::new(queues);
    let tasks: Vec<_> = listeners
        .into_iter()
        .map(|listener| {
            tokio::task::spawn_local(accept(listener, Rc::clone(&queues), shared.clone()))
        })
        .collect();
    for task in tasks {
        let _ = task.await;
    }
}

async fn accept(listener: Listener, queues: Rc<Vec<mpsc::Sender<Accepted>>>, shared: Shared) {
    let mut turn = 0;
    loop {
        let (tcp, peer) = match listener.socket.accept().await {
            Ok(accepted) => accepted,
            // Out of descriptors: wait for connections to end instead of spinning.
            Err(_) => {
                tokio::time::sleep(limits::ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Some(number) = shared.state.open_connection() else {
            continue;
        };
        turn = (turn + 1) % (queues.len() + 1);
        match turn.checked_sub(1).map(|other| &queues[other]) {
            None => serve(tcp, peer, number, listener.service.clone(), &shared),
            Some(queue) => {
                let Ok(tcp) = tcp.into_std() else { continue };
                let service = listener.service.clone();
                let accepted = Accepted {
                    tcp,
                    peer,
                    number,
                    service,
                };
                let _ = queue.send(accepted).await;
            }
        }
    }
}

async fn serve_queue(mut accepted: mpsc::Receiver<Accepted>, shared: Shared) {
    while let Some(next) = accepted.recv().await {
        if let Ok(tcp) = TcpStream::from_std(next.tcp) {
            serve(tcp, next.peer, next.number, next.service, &shared);
        }
    }
}

fn serve(tcp: TcpStream, peer: SocketAddr, number: u64, service: Service, shared: &Shared) {
    let _ = tcp.set_nodelay(true);
    let shared = shared.clone();
    tokio::task::spawn_local(async move {
        let secure = matches!(service, Service::Tls(_));
        let mut socket = Socket::new(tcp);
        if shared.recorder.is_some() && socket.stamp().is_err() {
            return;
        }
        let stream = match &service {
            Service::Tls(config) => Stream::tls(socket, Arc::clone(config)),
            _ => Ok(Stream::Plain(socket)),
        };
        let Ok(mut stream) = stream else { return };
        let origin = Origin {
            peer,
            connection: number,
            secure,
        };
        let Ok(first) = first_bytes(&service, &mut stream).await else {
            shared.state.close_connection();
            return;
        };
        if http2::is_preface(&first) || agreed_on_http2(&stream) {
            http2::serve(stream, first, origin, shared.state, shared.timer).await;
            return;
        }
        let connection = Connection::new(
            stream,
            first,
            origin,
            shared.state,
            shared.timer,
            shared.recorder,
        );
        // An error here only says that the client went away.
        let _ = match service {
            Service::Steps(steps) => connection.serve_steps(&steps).await,
            _ => connection.serve().await,
        };
    });
}

/// Comes as far as the client's choice of a version of HTTP shows; gives what was read for it.
async fn first_bytes(service: &Service, stream: &mut Stream) -> std::io::Result<Vec<u8>> {
    match (service, stream) {
        (Service::Plain { http2: true }, stream) => http2::first_bytes(stream).await,
        (Service::Tls(config), Stream::Tls(tls))
            if config.alpn_protocols.iter().any(|name| name == HTTP2) =>
        {
            tls.handshake().await.map(|()| Vec::new())
        }
        _ => Ok(Vec::new()),
    }
}

fn agreed_on_http2(stream: &Stream) -> bool {
    stream
        .session()
        .is_some_and(|session| session.alpn_protocol() == Some(HTTP2))
}

/// An address that refuses connections: bound once, then released.
pub(crate) fn refusing_address() -> std::io::Result<SocketAddr> {
    StdListener::bind("127.0.0.1:0")?.local_addr()
}
