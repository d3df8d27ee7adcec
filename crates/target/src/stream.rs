//! One accepted connection as bytes in and bytes out, plain or TLS.
//!
//! Leaves out HTTP. Invariant: a read that returns `Ok(0)` means the peer has
//! finished sending, and nothing is held back after `write_all` returns.

use std::future::poll_fn;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use rustls::{ServerConfig, ServerConnection};

use crate::socket::Socket;

/// An accepted connection.
pub(crate) enum Stream {
    /// Bytes as they are on the wire.
    Plain(Socket),
    /// A TLS session; the handshake happens inside the first read.
    Tls(Box<TlsStream>),
}

/// A TLS session over a socket.
pub(crate) struct TlsStream {
    tcp: Socket,
    session: ServerConnection,
}

impl Stream {
    /// Wraps a socket in a TLS session that has not shaken hands yet.
    pub(crate) fn tls(tcp: Socket, config: Arc<ServerConfig>) -> io::Result<Stream> {
        let session = ServerConnection::new(config).map_err(io::Error::other)?;
        Ok(Stream::Tls(Box::new(TlsStream { tcp, session })))
    }

    /// Waits for bytes and puts them into `space`; 0 when the peer has finished.
    pub(crate) async fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        poll_fn(|cx| self.poll_read(cx, space)).await
    }

    /// Reads what is there; 0 bytes when the peer has finished.
    pub(crate) fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        space: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        match self {
            Stream::Plain(tcp) => tcp.poll_read(cx, space),
            Stream::Tls(tls) => tls.poll_read(cx, space),
        }
    }

    /// Takes some bytes; they leave at the latest with the next flush.
    pub(crate) fn poll_write(
        &mut self,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self {
            Stream::Plain(tcp) => tcp.poll_write(cx, bytes),
            Stream::Tls(tls) => tls.poll_write(cx, bytes),
        }
    }

    /// Sends what was taken.
    pub(crate) fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Stream::Plain(_) => Poll::Ready(Ok(())),
            Stream::Tls(tls) => tls.poll_flush(cx),
        }
    }

    /// Says goodbye properly: a TLS close notice, then the end of the stream.
    pub(crate) fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Stream::Plain(tcp) => tcp.poll_shutdown(cx),
            Stream::Tls(tls) => tls.poll_close(cx),
        }
    }

    /// Sends all of `bytes`.
    pub(crate) async fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        match self {
            Stream::Plain(tcp) => {
                while !rest.is_empty() {
                    let sent = poll_fn(|cx| tcp.poll_write(cx, rest)).await?;
                    rest = &rest[sent..];
                }
                Ok(())
            }
            Stream::Tls(tls) => {
                while !rest.is_empty() {
                    let taken = tls.session.writer().write(rest)?;
                    rest = &rest[taken..];
                    poll_fn(|cx| tls.poll_flush(cx)).await?;
                }
                Ok(())
            }
        }
    }

    /// The same, waiting for it.
    pub(crate) async fn close(&mut self) -> io::Result<()> {
        poll_fn(|cx| self.poll_close(cx)).await
    }

    /// Makes dropping the connection a reset instead of an orderly end.
    pub(crate) fn reset_when_dropped(&self) -> io::Result<()> {
        self.socket().reset_when_dropped()
    }

    /// The TLS session's version, cipher suite and server name, if there is one.
    pub(crate) fn session(&self) -> Option<&ServerConnection> {
        match self {
            Stream::Plain(_) => None,
            Stream::Tls(tls) => Some(&tls.session),
        }
    }

    /// The connection below.
    pub(crate) fn socket(&self) -> &Socket {
        match self {
            Stream::Plain(tcp) => tcp,
            Stream::Tls(tls) => &tls.tcp,
        }
    }
}

impl TlsStream {
    /// Shakes hands, so that what was agreed on is known.
    pub(crate) async fn handshake(&mut self) -> io::Result<()> {
        poll_fn(|cx| {
            while self.session.is_handshaking() {
                ready!(self.poll_fill(cx))?;
            }
            self.poll_flush(cx)
        })
        .await
    }

    /// Encrypts some bytes; they leave at the latest with the next flush.
    fn poll_write(&mut self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.poll_flush(cx))?;
        let taken = self.session.writer().write(bytes)?;
        if let Poll::Ready(Err(error)) = self.poll_flush(cx) {
            return Poll::Ready(Err(error));
        }
        Poll::Ready(Ok(taken))
    }

    /// Says goodbye properly.
    fn poll_close(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.session.send_close_notify();
        ready!(self.poll_flush(cx))?;
        self.tcp.poll_shutdown(cx)
    }

    /// Reads decrypted bytes; none when the peer has finished.
    fn poll_read(&mut self, cx: &mut Context<'_>, space: &mut [u8]) -> Poll<io::Result<usize>> {
        loop {
            match self.session.reader().read(space) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Poll::Ready(Ok(0));
                }
                done => return Poll::Ready(done),
            }
            match ready!(self.poll_fill(cx)) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Poll::Ready(Ok(0));
                }
                filled => filled?,
            }
        }
    }

    /// Takes raw bytes and digests them; an error when there will be no more.
    fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A handshake answer must leave before more can arrive.
        ready!(self.poll_flush(cx))?;
        let mut wire = Wire {
            tcp: &mut self.tcp,
            cx,
        };
        match self.session.read_tls(&mut wire) {
            Ok(0) => return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into())),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Poll::Pending,
            Err(error) => return Poll::Ready(Err(error)),
        }
        if let Err(error) = self.session.process_new_packets() {
            // The alert that explains the failure is worth one attempt.
            let _ = self.poll_flush(cx);
            return Poll::Ready(Err(io::Error::other(error)));
        }
        Poll::Ready(Ok(()))
    }

    /// Sends what is encrypted.
    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.session.wants_write() {
            let mut wire = Wire {
                tcp: &mut self.tcp,
                cx,
            };
            match self.session.write_tls(&mut wire) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Poll::Pending,
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Ready(Ok(()))
    }
}

/// The socket as the blocking reader and writer that rustls expects; "pending" is `WouldBlock`.
struct Wire<'a, 'b> {
    tcp: &'a mut Socket,
    cx: &'a mut Context<'b>,
}

impl Read for Wire<'_, '_> {
    fn read(&mut self, space: &mut [u8]) -> io::Result<usize> {
        match self.tcp.poll_read(self.cx, space) {
            Poll::Ready(done) => done,
            Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
        }
    }
}

impl Write for Wire<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.tcp.poll_write(self.cx, bytes) {
            Poll::Ready(done) => done,
            Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
