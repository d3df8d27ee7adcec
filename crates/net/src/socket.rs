//! A non-blocking stream socket that says when the kernel received what it returns.
//!
//! Owns readiness, byte counts and socket options. Leaves out TLS, names and addresses. Invariant: in the steady
//! state one response costs one `recvmsg`: a read shorter than the buffer proves the socket empty, so readiness is
//! cleared without asking again.

use std::future::poll_fn;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::AsFd;
use std::path::Path;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use socket2::{Domain, Protocol, SockAddr, SockRef, TcpKeepalive, Type};
use tokio::io::unix::AsyncFd;

use crate::clock::Clock;
use crate::departure::Departures;
use crate::instrument::Stamping;
use crate::stamp;

/// Idle time before the kernel probes a silent connection, and the interval between probes.
pub const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// Pause before a unix socket whose accept queue is full is tried again.
const UNIX_RETRY: Duration = Duration::from_millis(1);

/// What one read brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    /// Bytes written to the start of the buffer; 0 means the peer closed its side.
    pub bytes: usize,
    /// When the kernel received the last packet among them (monotonic); `None` where it gave no stamp.
    pub kernel_ns: Option<u64>,
    /// When the read returned to us (monotonic).
    pub returned_ns: u64,
}

/// A connected stream socket (TCP or unix). Dropping it closes it.
#[derive(Debug)]
pub struct Socket {
    fd: AsyncFd<socket2::Socket>,
    clock: Clock,
    stamping: Stamping,
    /// What arrives has left the peer after this instant: the last write began then.
    floor_ns: u64,
    /// Whether the next write asks when it leaves.
    sampled: bool,
    departures: Departures,
    sent: u64,
    received: u64,
}

impl Socket {
    /// Connects to `address`, from `local` when given. `TCP_NODELAY` and, if they are wanted, receive stamps are on
    /// before the first packet.
    ///
    /// # Errors
    /// Whatever the kernel answers: refused, unreachable, out of descriptors.
    pub async fn connect_tcp(
        address: SocketAddr,
        local: Option<IpAddr>,
        stamps_wanted: bool,
        clock: &Clock,
    ) -> io::Result<Self> {
        let socket = socket2::Socket::new(
            Domain::for_address(address),
            Type::STREAM.nonblocking(),
            Some(Protocol::TCP),
        )?;
        socket.set_tcp_nodelay(true)?;
        socket.set_tcp_keepalive(
            &TcpKeepalive::new()
                .with_time(KEEP_ALIVE)
                .with_interval(KEEP_ALIVE),
        )?;
        let stamping = match stamps_wanted.then(|| stamp::enable(socket.as_fd())) {
            None => Stamping::Unwanted,
            Some(Ok(())) => Stamping::Kernel,
            Some(Err(_)) => Stamping::Refused,
        };
        if let Some(local) = local {
            socket.bind(&SocketAddr::new(local, 0).into())?;
        }
        Self::connect(socket, &address.into(), stamping, clock).await
    }

    /// Connects to a unix socket. The kernel gives no stamps there.
    ///
    /// # Errors
    /// Whatever the kernel answers, or a path that is too long.
    pub async fn connect_unix(path: &Path, clock: &Clock) -> io::Result<Self> {
        let address = SockAddr::unix(path)?;
        loop {
            let socket = socket2::Socket::new(Domain::UNIX, Type::STREAM.nonblocking(), None)?;
            match Self::connect(socket, &address, Stamping::Unix, clock).await {
                // A full accept queue is reported at once instead of being waited for.
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    tokio::time::sleep(UNIX_RETRY).await;
                }
                other => return other,
            }
        }
    }

    async fn connect(
        socket: socket2::Socket,
        address: &SockAddr,
        stamping: Stamping,
        clock: &Clock,
    ) -> io::Result<Self> {
        let pending = match socket.connect(address) {
            Ok(()) => false,
            Err(error) if error.raw_os_error() == Some(libc::EINPROGRESS) => true,
            Err(error) => return Err(error),
        };
        // SAFETY: the socket owns its descriptor and keeps it open until it is dropped, and nothing takes it out of
        // the `AsyncFd` or replaces it there.
        let fd = unsafe { AsyncFd::register(socket) }?;
        let socket = Self {
            fd,
            clock: clock.clone(),
            stamping,
            floor_ns: 0,
            sampled: false,
            departures: Departures::default(),
            sent: 0,
            received: 0,
        };
        if pending {
            poll_fn(|cx| socket.fd.poll_write_ready(cx).map_ok(drop)).await?;
            if let Some(error) = socket.fd.get_ref().take_error()? {
                return Err(error);
            }
        }
        Ok(socket)
    }

    /// Reads what is there into `buffer`, which must not be empty.
    ///
    /// # Errors
    /// What the kernel says, except that it would block.
    pub fn poll_read(&mut self, cx: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<Read>> {
        loop {
            let mut guard = ready!(self.fd.poll_read_ready(cx))?;
            match stamp::receive(self.fd.get_ref().as_fd(), buffer) {
                Ok(received) => {
                    let returned_ns = self.clock.now_ns();
                    if received.bytes > 0 && received.bytes < buffer.len() {
                        guard.clear_ready();
                    }
                    self.received += received.bytes as u64;
                    let kernel_ns = received
                        .realtime_ns
                        .and_then(|ns| self.clock.to_monotonic(ns, self.floor_ns, returned_ns));
                    return Poll::Ready(Ok(Read {
                        bytes: received.bytes,
                        kernel_ns,
                        returned_ns,
                    }));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => guard.clear_ready(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    /// Writes some of `buffer` and returns how much went out.
    ///
    /// # Errors
    /// What the kernel says, except that it would block.
    pub fn poll_write(&mut self, cx: &mut Context<'_>, buffer: &[u8]) -> Poll<io::Result<usize>> {
        loop {
            let mut guard = ready!(self.fd.poll_write_ready(cx))?;
            let socket = self.fd.get_ref();
            let written = if self.sampled {
                self.departures.send(socket.as_fd(), buffer, self.sent)
            } else {
                socket.send_with_flags(buffer, SEND_FLAGS)
            };
            match written {
                Ok(bytes) => {
                    self.sampled = false;
                    self.sent += bytes as u64;
                    return Poll::Ready(Ok(bytes));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    let seems_closed = guard.ready().is_write_closed();
                    guard.clear_ready();
                    if seems_closed {
                        // A stamp in the error queue looks like the end to the event loop, and it never looks again.
                        self.register_again()?;
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    /// The next write begins at `now_ns`; with `sampled` it asks the kernel when it leaves.
    pub fn begin_write(&mut self, now_ns: u64, sampled: bool) {
        self.floor_ns = now_ns;
        self.sampled = sampled;
    }

    /// When the write that asked for it left (monotonic), if the kernel has answered; `now_ns` is a recent reading.
    pub fn take_departure(&mut self, now_ns: u64) -> Option<u64> {
        if !self.departures.is_awaited() {
            return None;
        }
        let realtime_ns = self.departures.take(self.fd.get_ref().as_fd())?;
        self.clock.to_monotonic(realtime_ns, self.floor_ns, now_ns)
    }

    /// Shows the socket to the event loop as a new one.
    fn register_again(&mut self) -> io::Result<()> {
        self.departures.forget(self.fd.get_ref().as_fd());
        let socket = self.fd.get_ref().try_clone()?;
        // SAFETY: as in `connect`: the duplicate owns its descriptor, which stays open and in its place.
        self.fd = unsafe { AsyncFd::register(socket) }?;
        Ok(())
    }

    /// Whether the peer has closed, or has sent something nobody asked for, while the connection was idle. Costs one
    /// system call.
    pub fn is_stale(&self) -> bool {
        let mut byte = [std::mem::MaybeUninit::uninit()];
        match self.fd.get_ref().peek(&mut byte) {
            Ok(_) => true,
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
        }
    }

    /// Closes with a reset instead of a goodbye, so that no port lingers.
    pub fn set_reset_on_close(&self) -> io::Result<()> {
        SockRef::from(self.fd.get_ref()).set_linger(Some(Duration::ZERO))
    }

    /// Whether the kernel stamps what this socket receives, or why it does not.
    pub fn stamping(&self) -> Stamping {
        self.stamping
    }

    /// Bytes handed to the kernel so far.
    pub fn sent(&self) -> u64 {
        self.sent
    }

    /// Bytes taken from the kernel so far.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// The peer's address; `None` for unix sockets.
    pub fn peer(&self) -> Option<SocketAddr> {
        self.fd.get_ref().peer_addr().ok()?.as_socket()
    }
}

/// A closed peer must be an error to us, not a signal to the process.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
const SEND_FLAGS: libc::c_int = libc::MSG_NOSIGNAL;
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
const SEND_FLAGS: libc::c_int = 0;
