//! TLS over a stamped socket.
//!
//! Owns the shuttling between rustls and the socket. Invariant: a read reports the kernel stamp of the last raw
//! bytes that were needed for what it returns, so TLS responses are measured where plain ones are.

use std::cell::RefCell;
use std::future::poll_fn;
use std::io::{self, Read as _, Write as _};
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use rustls::{ClientConfig, ClientConnection};
use rustls_pki_types::ServerName;

use crate::error::NetError;
use crate::ocsp::{self, Ocsp};
use crate::socket::{Read, Socket};
use crate::tls::suite_name;

/// Size of the buffer for raw records that a worker's TLS connections share: two full records and some.
pub const RAW_BUFFER_BYTES: usize = 36 * 1024;

/// The buffer for raw records, one per worker.
#[derive(Clone, Debug)]
pub(crate) struct RawBuffer(Rc<RefCell<Box<[u8]>>>);

impl Default for RawBuffer {
    fn default() -> Self {
        Self(Rc::new(RefCell::new(Box::default())))
    }
}

/// What was agreed in the handshake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsFacts {
    /// `tls1.2` or `tls1.3`.
    pub version: &'static str,
    /// IANA name of the cipher suite.
    pub cipher_suite: Box<str>,
    /// Protocol chosen by ALPN.
    pub alpn: Option<Box<[u8]>>,
    /// Whether an earlier session was resumed.
    pub resumed: bool,
    /// What the server sent along about its certificate, as far as it can be read.
    pub ocsp: Option<Ocsp>,
}

/// A TLS connection.
#[derive(Debug)]
pub(crate) struct TlsStream {
    pub(crate) socket: Socket,
    tls: ClientConnection,
    raw: RawBuffer,
    /// Raw bytes that were read but did not fit into the TLS library yet.
    rest: Vec<u8>,
    last: Option<Read>,
    eof: bool,
    ocsp: Option<Ocsp>,
}

impl TlsStream {
    pub(crate) async fn handshake(
        socket: Socket,
        config: Arc<ClientConfig>,
        host: &str,
        raw: RawBuffer,
    ) -> Result<(Self, TlsFacts), NetError> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| NetError::Tls {
            reason: format!("\"{host}\" is not a valid server name"),
        })?;
        let tls =
            ClientConnection::new(config, name).map_err(|error| NetError::from_tls(&error))?;
        let mut stream = Self {
            socket,
            tls,
            raw,
            rest: Vec::new(),
            last: None,
            eof: false,
            ocsp: None,
        };
        poll_fn(|cx| stream.poll_handshake(cx))
            .await
            .map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => NetError::Tls {
                    reason: "EOF during the handshake".to_owned(),
                },
                _ => NetError::from_io("read", &error),
            })?;
        let facts = stream.facts();
        Ok((stream, facts))
    }

    fn facts(&self) -> TlsFacts {
        TlsFacts {
            version: match self.tls.protocol_version() {
                Some(rustls::ProtocolVersion::TLSv1_2) => "tls1.2",
                _ => "tls1.3",
            },
            cipher_suite: self
                .tls
                .negotiated_cipher_suite()
                .map(|suite| suite_name(suite.suite()))
                .unwrap_or_default()
                .into(),
            alpn: self.tls.alpn_protocol().map(Into::into),
            resumed: self.tls.handshake_kind() == Some(rustls::HandshakeKind::Resumed),
            ocsp: self.ocsp,
        }
    }

    fn poll_handshake(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            ready!(self.poll_flush(cx))?;
            if !self.tls.is_handshaking() {
                return Poll::Ready(Ok(()));
            }
            if self.eof {
                return Poll::Ready(Err(io::ErrorKind::UnexpectedEof.into()));
            }
            let filled = ready!(self.poll_fill(cx));
            if let Some(ocsp) = ocsp::take_noted() {
                self.ocsp = Some(ocsp);
            }
            if let Err(error) = filled {
                // The alert that tells the peer why is worth one attempt.
                let _ = self.poll_flush(cx);
                return Poll::Ready(Err(error));
            }
        }
    }

    /// Takes raw bytes from the socket, once, and lets the library digest them.
    fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.rest.is_empty() {
            let rest = std::mem::take(&mut self.rest);
            return Poll::Ready(self.digest(&rest));
        }
        let raw = self.raw.clone();
        let mut raw = raw.0.borrow_mut();
        if raw.is_empty() {
            *raw = vec![0; RAW_BUFFER_BYTES].into();
        }
        let read = ready!(self.socket.poll_read(cx, &mut raw))?;
        self.last = Some(read);
        if read.bytes == 0 {
            self.eof = true;
            // Lets the library notice a missing close_notify.
            self.tls.read_tls(&mut io::empty())?;
            return Poll::Ready(Ok(()));
        }
        Poll::Ready(self.digest(&raw[..read.bytes]))
    }

    fn digest(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            // Stops while decrypted bytes wait to be taken.
            if !self.tls.wants_read() {
                self.rest = bytes.to_vec();
                break;
            }
            if self.tls.read_tls(&mut bytes)? == 0 {
                break;
            }
            self.tls
                .process_new_packets()
                .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        }
        Ok(())
    }

    /// Sends what the library has ready.
    fn poll_flush(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.tls.wants_write() {
            let mut wire = Wire {
                socket: &mut self.socket,
                cx,
            };
            match self.tls.write_tls(&mut wire) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Poll::Pending,
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Encrypts and sends `buffer[*done..]`; ready when the kernel has all of it.
    pub(crate) fn poll_write_all(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &[u8],
        done: &mut usize,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.poll_flush(cx))?;
            if *done == buffer.len() {
                return Poll::Ready(Ok(()));
            }
            *done += self.tls.writer().write(&buffer[*done..])?;
        }
    }

    /// Reads decrypted bytes. Zero bytes mean the peer closed.
    pub(crate) fn poll_read(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<Read>> {
        let mut filled = 0;
        loop {
            while filled < buffer.len() {
                match self.tls.reader().read(&mut buffer[filled..]) {
                    Ok(0) => return Poll::Ready(Ok(self.returned(filled))),
                    Ok(bytes) => filled += bytes,
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                    // A peer that closes without saying goodbye in TLS is common; framing decides whether it matters.
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                        return Poll::Ready(Ok(self.returned(filled)));
                    }
                    Err(error) => return Poll::Ready(Err(error)),
                }
            }
            if filled > 0 && (self.rest.is_empty() || filled == buffer.len()) {
                return Poll::Ready(Ok(self.returned(filled)));
            }
            if self.eof {
                return Poll::Ready(Ok(self.returned(0)));
            }
            ready!(self.poll_fill(cx))?;
            // Answers such as key updates go out with what is read; a full send queue is no reason to stop reading.
            if let Poll::Ready(Err(error)) = self.poll_flush(cx) {
                return Poll::Ready(Err(error));
            }
        }
    }

    /// Whether the idle connection is of no use any more: closed, or holding bytes nobody asked for. TLS 1.3 session
    /// tickets that are still under way are none of these.
    pub(crate) fn is_stale(&mut self) -> bool {
        if self.eof {
            return true;
        }
        let cx = &mut Context::from_waker(std::task::Waker::noop());
        let mut byte = [0];
        !matches!(self.poll_read(cx, &mut byte), Poll::Pending)
    }

    fn returned(&self, bytes: usize) -> Read {
        let last = self.last.unwrap_or(Read {
            bytes: 0,
            kernel_ns: None,
            returned_ns: crate::clock::monotonic_ns(),
        });
        Read { bytes, ..last }
    }
}

/// The socket as the library wants to write to it.
struct Wire<'a, 'cx> {
    socket: &'a mut Socket,
    cx: &'a mut Context<'cx>,
}

impl io::Write for Wire<'_, '_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.socket.poll_write(self.cx, buffer) {
            Poll::Ready(result) => result,
            Poll::Pending => Err(io::ErrorKind::WouldBlock.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
