//! Answers as values: what handlers return, and how it becomes bytes.
//!
//! Leaves out sockets and clocks; waiting is described, not done.
//! Invariant: an answer rendered here is framed correctly. Answers that are
//! meant to be wrong are `Wire` steps, which are sent exactly as written.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use crate::request::Keep;

/// What a handler answers.
#[derive(Debug)]
pub(crate) enum Reply {
    /// A well-formed response.
    Message(Message),
    /// Exactly these steps, then the connection is closed unless a step ended it.
    Wire(Vec<Step>),
}

/// A well-formed response.
#[derive(Debug)]
pub(crate) struct Message {
    /// Status code.
    pub(crate) status: u16,
    /// Header fields without those about framing.
    pub(crate) fields: Vec<(Cow<'static, str>, String)>,
    /// What is sent.
    pub(crate) body: Body,
    /// When it may be sent.
    pub(crate) due: Due,
    /// Close the connection afterwards even if the client would keep it.
    pub(crate) closes: bool,
}

/// The body of a well-formed response.
#[derive(Debug)]
pub(crate) enum Body {
    /// Sent with `Content-Length`.
    Whole(Cow<'static, [u8]>),
    /// Sent with chunked encoding, one chunk per element.
    Chunked(Vec<Vec<u8>>),
    /// That many bytes with `Content-Length`, spread evenly over a time.
    Slow {
        /// Bytes of the body.
        bytes: usize,
        /// From the head to the last byte.
        over: Duration,
    },
}

/// When an answer may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Due {
    /// At once.
    Now,
    /// That long after the request was read.
    After(Duration),
    /// At that instant.
    At(Instant),
}

/// One step of an answer that breaks the rules on purpose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Send these bytes.
    Send(Cow<'static, [u8]>),
    /// Send the same bytes again and again until the client goes away or `times` is reached.
    Repeat {
        /// What is sent.
        bytes: Cow<'static, [u8]>,
        /// How often.
        times: usize,
        /// Waited before each.
        pause: Duration,
    },
    /// Wait.
    Wait(Duration),
    /// Read and forget the request's body.
    ReadBody,
    /// Wait until the client goes away.
    Stall,
    /// End the connection with a TCP reset.
    Reset,
}

impl Step {
    /// Sends a text.
    pub(crate) fn send(text: &'static str) -> Step {
        Step::Send(Cow::Borrowed(text.as_bytes()))
    }
}

impl Reply {
    /// A response with that status and body.
    pub(crate) fn new(status: u16, content_type: &'static str, body: impl Into<Vec<u8>>) -> Reply {
        Reply::empty(status)
            .with("Content-Type", content_type)
            .body(Body::Whole(Cow::Owned(body.into())))
    }

    /// A response without a body.
    pub(crate) fn empty(status: u16) -> Reply {
        Reply::Message(Message {
            status,
            fields: Vec::new(),
            body: Body::Whole(Cow::Borrowed(b"")),
            due: Due::Now,
            closes: false,
        })
    }

    /// 200 with plain text.
    pub(crate) fn text(text: impl Into<String>) -> Reply {
        Reply::new(200, "text/plain; charset=utf-8", text.into())
    }

    /// 200 with a JSON document.
    pub(crate) fn json(value: &serde_json::Value) -> Reply {
        Reply::json_status(200, value)
    }

    /// A JSON document with that status.
    pub(crate) fn json_status(status: u16, value: &serde_json::Value) -> Reply {
        Reply::new(status, "application/json", value.to_string())
    }

    /// 400 with one sentence that says what the path expects.
    pub(crate) fn usage(sentence: &str) -> Reply {
        Reply::new(400, "text/plain; charset=utf-8", format!("{sentence}\n"))
    }

    /// A redirect.
    pub(crate) fn redirect(status: u16, location: impl Into<String>) -> Reply {
        Reply::empty(status).with("Location", location)
    }

    /// Adds a header field.
    pub(crate) fn with(
        self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<String>,
    ) -> Reply {
        self.edit(|message| message.fields.push((name.into(), value.into())))
    }

    /// Sets the body.
    pub(crate) fn body(self, body: Body) -> Reply {
        self.edit(|message| message.body = body)
    }

    /// Sets when it may be sent.
    pub(crate) fn due(self, due: Due) -> Reply {
        self.edit(|message| message.due = due)
    }

    /// Closes the connection afterwards.
    pub(crate) fn closing(self) -> Reply {
        self.edit(|message| message.closes = true)
    }

    fn edit(mut self, change: impl FnOnce(&mut Message)) -> Reply {
        if let Reply::Message(message) = &mut self {
            change(message);
        }
        self
    }
}

impl Message {
    /// Appends head and body (without the body of `Slow`) to `out`.
    pub(crate) fn render(&self, keep: Keep, head_only: bool, out: &mut Vec<u8>) {
        out.extend_from_slice(b"HTTP/1.1 ");
        append(
            out,
            format_args!("{} {}\r\n", self.status, reason(self.status)),
        );
        for (name, value) in &self.fields {
            append(out, format_args!("{name}: {value}\r\n"));
        }
        match keep {
            Keep::Open if !self.closes => {}
            Keep::OpenAnnounced if !self.closes => {
                out.extend_from_slice(b"Connection: keep-alive\r\n");
            }
            _ => out.extend_from_slice(b"Connection: close\r\n"),
        }
        let bodiless = self.status < 200 || self.status == 204 || self.status == 304;
        match &self.body {
            _ if bodiless => out.extend_from_slice(b"\r\n"),
            Body::Whole(body) => {
                append(out, format_args!("Content-Length: {}\r\n\r\n", body.len()));
                if !head_only {
                    out.extend_from_slice(body);
                }
            }
            Body::Chunked(chunks) => {
                out.extend_from_slice(b"Transfer-Encoding: chunked\r\n\r\n");
                if !head_only {
                    for chunk in chunks.iter().filter(|chunk| !chunk.is_empty()) {
                        append(out, format_args!("{:x}\r\n", chunk.len()));
                        out.extend_from_slice(chunk);
                        out.extend_from_slice(b"\r\n");
                    }
                    out.extend_from_slice(b"0\r\n\r\n");
                }
            }
            Body::Slow { bytes, .. } => {
                append(out, format_args!("Content-Length: {bytes}\r\n\r\n"));
            }
        }
    }
}

fn append(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    use std::io::Write;
    // Writing to a vector cannot fail.
    let _ = out.write_fmt(text);
}

/// The usual text of a status code.
pub(crate) fn reason(status: u16) -> &'static str {
    match status {
        100 => "Continue",
        101 => "Switching Protocols",
        102 => "Processing",
        103 => "Early Hints",
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        203 => "Non-Authoritative Information",
        204 => "No Content",
        205 => "Reset Content",
        206 => "Partial Content",
        300 => "Multiple Choices",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        305 => "Use Proxy",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        407 => "Proxy Authentication Required",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        411 => "Length Required",
        412 => "Precondition Failed",
        413 => "Content Too Large",
        414 => "URI Too Long",
        415 => "Unsupported Media Type",
        416 => "Range Not Satisfiable",
        417 => "Expectation Failed",
        418 => "I'm a teapot",
        421 => "Misdirected Request",
        422 => "Unprocessable Content",
        425 => "Too Early",
        426 => "Upgrade Required",
        428 => "Precondition Required",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        505 => "HTTP Version Not Supported",
        511 => "Network Authentication Required",
        _ => "Unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rendered(reply: Reply, keep: Keep, head_only: bool) -> String {
        let Reply::Message(message) = reply else {
            panic!("not a message");
        };
        let mut out = Vec::new();
        message.render(keep, head_only, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn bodies_are_framed_by_length_or_by_chunks() {
        assert_eq!(
            rendered(Reply::text("hi"), Keep::Open, false),
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 2\r\n\r\nhi"
        );
        let chunked =
            Reply::empty(200).body(Body::Chunked(vec![b"ab".to_vec(), vec![], b"c".to_vec()]));
        assert_eq!(
            rendered(chunked, Keep::Close, false),
            "HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
        );
    }

    #[test]
    fn heads_keep_the_length_and_bodiless_statuses_have_none() {
        assert!(
            rendered(Reply::text("hi"), Keep::Open, true).ends_with("Content-Length: 2\r\n\r\n")
        );
        assert_eq!(
            rendered(Reply::empty(204), Keep::Open, false),
            "HTTP/1.1 204 No Content\r\n\r\n"
        );
    }
}
