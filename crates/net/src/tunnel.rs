//! Opening a tunnel through an HTTP proxy with `CONNECT`.
//!
//! Owns that one exchange, byte by byte. Invariant: nothing after the proxy's answer is consumed.

use std::future::poll_fn;
use std::io;

use crate::error::NetError;
use crate::origin::Origin;
use crate::proxy::Proxy;
use crate::socket::Socket;

/// Longest answer of a proxy to `CONNECT`, in bytes.
const ANSWER_LIMIT_BYTES: usize = 16 * 1024;

/// Asks `proxy`, to which `socket` is connected, for a tunnel to `origin`.
pub(crate) async fn open(
    socket: &mut Socket,
    origin: &Origin,
    proxy: &Proxy,
) -> Result<(), NetError> {
    let host = if origin.host.contains(':') {
        format!("[{}]:{}", origin.host, origin.port)
    } else {
        format!("{}:{}", origin.host, origin.port)
    };
    let mut request = format!("CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n");
    if let Some(credentials) = &proxy.authorization {
        request.push_str(&format!("Proxy-Authorization: {credentials}\r\n"));
    }
    request.push_str("\r\n");
    let failed = |error: io::Error| NetError::Proxy {
        reason: error.to_string(),
    };
    let mut sent = 0;
    while sent < request.len() {
        sent += poll_fn(|cx| socket.poll_write(cx, &request.as_bytes()[sent..]))
            .await
            .map_err(failed)?;
    }
    judge(&answer(socket).await.map_err(failed)?)
}

/// Reads up to the empty line. The server speaks second in TLS, so whatever follows is a mistake of the proxy.
async fn answer(socket: &mut Socket) -> io::Result<Vec<u8>> {
    let mut answer = Vec::new();
    let mut part = [0; 1024];
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        if answer.len() > ANSWER_LIMIT_BYTES {
            return Err(io::Error::other("the answer is too long"));
        }
        let read = poll_fn(|cx| socket.poll_read(cx, &mut part)).await?;
        if read.bytes == 0 {
            return Err(io::Error::other("EOF"));
        }
        answer.extend_from_slice(&part[..read.bytes]);
    }
    Ok(answer)
}

fn judge(answer: &[u8]) -> Result<(), NetError> {
    let line = answer.split(|byte| *byte == b'\r').next().unwrap_or(answer);
    let line = String::from_utf8_lossy(line);
    let Some((version, status)) = line.split_once(' ') else {
        return Err(NetError::Proxy {
            reason: "malformed answer".to_owned(),
        });
    };
    if !version.starts_with("HTTP/1.") {
        return Err(NetError::Proxy {
            reason: "malformed answer".to_owned(),
        });
    }
    match status.split_once(' ').map_or(status, |(code, _)| code) {
        "200" => Ok(()),
        _ => Err(NetError::Proxy {
            reason: status
                .split_once(' ')
                .map_or(status, |(_, text)| text)
                .to_owned(),
        }),
    }
}
