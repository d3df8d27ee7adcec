//! Just enough HTTP/1.1 for the API: one request of limited size, one answer, close.

use std::io;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Largest request head, in bytes.
const HEAD_AT_MOST: usize = 8 << 10;

/// Largest request body, in bytes.
const BODY_AT_MOST: usize = 64 << 10;

/// A request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// `GET`, `PATCH` and so on.
    pub(super) method: String,
    /// The path without query.
    pub(super) path: String,
    /// The body.
    pub(super) body: Vec<u8>,
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    /// The status.
    pub(super) status: u16,
    /// The document; null is none.
    pub(super) body: Value,
}

impl Answer {
    /// A document.
    pub(super) fn found(body: Value) -> Self {
        Self { status: 200, body }
    }

    /// An error in JSON:API's form.
    pub(super) fn error(status: u16, title: &str, detail: &str) -> Self {
        let error = json!({ "status": status.to_string(), "title": title, "detail": detail });
        Self {
            status,
            body: json!({ "errors": [error] }),
        }
    }
}

/// What the head of a request says.
struct Head {
    method: String,
    path: String,
    body_bytes: usize,
    is_foreign: bool,
}

/// Reads a request, lets `handle` answer it, and writes the answer; a client may take so long for each of its two parts.
pub(super) async fn answer(
    mut stream: TcpStream,
    limit: Duration,
    handle: impl AsyncFnOnce(Request) -> Answer,
) -> io::Result<()> {
    let answer = match timeout(limit, read(&mut stream)).await?? {
        Ok(request) => handle(request).await,
        Err(refused) => refused,
    };
    let body = match &answer.body {
        Value::Null => String::new(),
        body => format!("{body:#}\n"),
    };
    let head = format!(
        "HTTP/1.1 {} {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        answer.status,
        reason(answer.status),
        body.len()
    );
    let write = async {
        stream.write_all(head.as_bytes()).await?;
        stream.write_all(body.as_bytes()).await?;
        stream.shutdown().await
    };
    timeout(limit, write).await?
}

async fn read(stream: &mut TcpStream) -> io::Result<Result<Request, Answer>> {
    let mut bytes = Vec::new();
    let head_bytes = loop {
        if let Some(at) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break at + 4;
        }
        if bytes.len() > HEAD_AT_MOST {
            return Ok(Err(Answer::error(
                431,
                "Too large",
                "the head of the request is too large",
            )));
        }
        if stream.read_buf(&mut bytes).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    };
    let head = match head(&bytes[..head_bytes]) {
        Some(head) if head.is_foreign => {
            return Ok(Err(Answer::error(
                403,
                "Forbidden",
                "requests of web pages are not answered",
            )));
        }
        Some(head) if head.body_bytes > BODY_AT_MOST => {
            return Ok(Err(Answer::error(
                413,
                "Too large",
                "the body of the request is too large",
            )));
        }
        Some(head) => head,
        None => {
            return Ok(Err(Answer::error(
                400,
                "Bad request",
                "this is no HTTP/1.1 request",
            )));
        }
    };
    let mut body = bytes.split_off(head_bytes);
    while body.len() < head.body_bytes {
        if stream.read_buf(&mut body).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    body.truncate(head.body_bytes);
    Ok(Ok(Request {
        method: head.method,
        path: head.path,
        body,
    }))
}

fn head(bytes: &[u8]) -> Option<Head> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut lines = text.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target, version) = (first.next()?, first.next()?, first.next()?);
    if first.next().is_some() || !version.starts_with("HTTP/1.") || !target.starts_with('/') {
        return None;
    }
    let mut head = Head {
        method: method.to_owned(),
        path: target.split('?').next()?.to_owned(),
        body_bytes: 0,
        is_foreign: false,
    };
    for line in lines.take_while(|l| !l.is_empty()) {
        let (name, value) = line.split_once(':')?;
        match name.to_ascii_lowercase().as_str() {
            "content-length" => head.body_bytes = value.trim().parse().ok()?,
            "transfer-encoding" => return None,
            "origin" => head.is_foreign = true,
            _ => {}
        }
    }
    Some(head)
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        _ => "Error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_read_or_refused() {
        let read = |text: &str| head(text.as_bytes()).map(|h| (h.method, h.path, h.body_bytes));
        let good = "PATCH /v1/status?x=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n";
        assert_eq!(read(good), Some(("PATCH".into(), "/v1/status".into(), 5)));
        for bad in [
            "",
            "GET\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
            "GET http://a/ HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nno colon\r\n\r\n",
            "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn web_pages_are_told_apart() {
        let head = head(b"GET / HTTP/1.1\r\nOrigin: http://evil.test\r\n\r\n");
        assert!(head.is_some_and(|h| h.is_foreign));
    }
}
