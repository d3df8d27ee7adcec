//! One accepted TCP connection, with the kernel's stamps of what it receives and sends where they are wanted.
//!
//! Leaves out TLS and HTTP. Invariant: without stamps it costs nothing more than the runtime's own stream.

use std::io;
use std::os::fd::AsFd;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;

use crate::recorder::Answers;
use crate::stamp;

/// An accepted connection.
pub(crate) struct Socket {
    tcp: TcpStream,
    stamped: bool,
    received_unix_ns: Option<u64>,
    sent: u64,
}

impl Socket {
    /// A connection without stamps.
    pub(crate) fn new(tcp: TcpStream) -> Socket {
        Socket {
            tcp,
            stamped: false,
            received_unix_ns: None,
            sent: 0,
        }
    }

    /// Switches the stamps on, before anything is sent.
    ///
    /// # Errors
    /// What the system says; then there are no stamps.
    pub(crate) fn stamp(&mut self) -> io::Result<()> {
        stamp::enable(self.tcp.as_fd())?;
        self.stamped = true;
        Ok(())
    }

    /// The kernel's stamp of the last byte that was read.
    pub(crate) fn received_unix_ns(&self) -> Option<u64> {
        self.received_unix_ns
    }

    /// Bytes handed to the kernel so far.
    pub(crate) fn sent(&self) -> u64 {
        self.sent
    }

    /// Gives `answers` the stamps that have come since the last time.
    pub(crate) fn collect_stamps(&self, answers: &mut Answers) {
        while self.stamped && answers.waiting() {
            match stamp::sent(self.tcp.as_fd()) {
                Ok(Some(sent)) => answers.stamped(sent),
                Ok(None) => {}
                // Nothing more has come yet.
                Err(_) => return,
            }
        }
    }

    /// Makes dropping the connection a reset instead of an orderly end.
    pub(crate) fn reset_when_dropped(&self) -> io::Result<()> {
        self.tcp.set_zero_linger()
    }

    /// Reads what is there; 0 bytes when the peer has finished.
    pub(crate) fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        space: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        if !self.stamped {
            // The runtime's own read spares the second, empty read of an edge-triggered socket.
            let mut buffer = ReadBuf::new(space);
            ready!(Pin::new(&mut self.tcp).poll_read(cx, &mut buffer))?;
            return Poll::Ready(Ok(buffer.filled().len()));
        }
        loop {
            ready!(self.tcp.poll_read_ready(cx))?;
            let read = || stamp::receive(self.tcp.as_fd(), space);
            match self.tcp.try_io(Interest::READABLE, read) {
                Ok((bytes, received_unix_ns)) => {
                    self.received_unix_ns = received_unix_ns;
                    if bytes > 0 && bytes < space.len() {
                        self.forget_readiness();
                    }
                    return Poll::Ready(Ok(bytes));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }

    /// A short read has emptied the socket, so the next one waits for an event instead of asking again.
    fn forget_readiness(&self) {
        let _ = self.tcp.try_io(Interest::READABLE, || -> io::Result<()> {
            Err(io::ErrorKind::WouldBlock.into())
        });
    }

    /// Writes some of `bytes` and says how many.
    pub(crate) fn poll_write(
        &mut self,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = ready!(Pin::new(&mut self.tcp).poll_write(cx, bytes))?;
        self.sent += sent as u64;
        Poll::Ready(Ok(sent))
    }

    /// Says that nothing more will be sent.
    pub(crate) fn poll_shutdown(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_shutdown(cx)
    }
}
