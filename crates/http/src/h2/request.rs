//! A prepared request in the form of HTTP/2.
//!
//! Owns the translation from HTTP/1 bytes, which have been checked already. Invariant: the result depends on the
//! request alone, so every connection can send it.

use std::rc::Rc;

use netload_net::Scheme;

use super::hpack;

/// A request as a header block and a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outgoing {
    pub(super) block: Vec<u8>,
    pub(super) body: Option<Rc<[u8]>>,
}

/// Headers that belong to a connection of HTTP/1, or say what frames say (RFC 9113, section 8.2.2).
const LEFT_OUT: [&str; 6] = [
    "host",
    "connection",
    "proxy-connection",
    "keep-alive",
    "transfer-encoding",
    "upgrade",
];

impl Outgoing {
    /// Translates a head in the form of HTTP/1 with, perhaps, a small body behind it; `body` is a large one.
    pub(crate) fn new(bytes: &[u8], body: Option<&Rc<[u8]>>, scheme: Scheme) -> Self {
        let end = find(bytes, b"\r\n\r\n").unwrap_or(bytes.len());
        let head = &bytes[..end];
        let inline = bytes.get(end + 4..).filter(|rest| !rest.is_empty());
        let (line, fields) = head.split_at(find(head, b"\r\n").unwrap_or(head.len()));
        let mut parts = line.split(|byte| *byte == b' ');
        let method = parts.next().unwrap_or_default();
        let target = parts.next().unwrap_or_default();
        let lines = || {
            let lines = fields.split(|byte| *byte == b'\n');
            lines.filter_map(|line| {
                let line = line.strip_suffix(b"\r").unwrap_or(line);
                let colon = line.iter().position(|byte| *byte == b':')?;
                Some((
                    line[..colon].to_ascii_lowercase(),
                    line[colon + 1..].trim_ascii(),
                ))
            })
        };
        let host = lines().find(|(name, _)| name == b"host");
        let scheme: &[u8] = match scheme {
            Scheme::Http => b"http",
            Scheme::Https => b"https",
        };
        let mut block = Vec::with_capacity(head.len());
        hpack::write(b":method", method, &mut block);
        hpack::write(b":scheme", scheme, &mut block);
        hpack::write(b":path", target, &mut block);
        hpack::write(
            b":authority",
            host.map_or(b"", |(_, value)| value),
            &mut block,
        );
        for (name, value) in lines() {
            if name == b"cookie" {
                // Pieces are smaller on the wire when one of them changes; the server joins them.
                for crumb in value.split(|byte| *byte == b';') {
                    hpack::write(b"cookie", crumb.trim_ascii(), &mut block);
                }
            } else if !LEFT_OUT.iter().any(|out| out.as_bytes() == name) {
                hpack::write(&name, value, &mut block);
            }
        }
        Self {
            block,
            body: body.cloned().or_else(|| inline.map(Into::into)),
        }
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], fields: &str, body: Option<&[u8]>) {
        let outgoing = Outgoing::new(bytes, None, Scheme::Https);
        let mut text = String::new();
        let mut reader = hpack::Reader::default();
        let read = reader.read(&outgoing.block, |name, value| {
            let (name, value) = (
                String::from_utf8_lossy(name),
                String::from_utf8_lossy(value),
            );
            text += &format!("{name}={value}|");
        });
        assert_eq!(read, Ok(()));
        assert_eq!(text, fields);
        assert_eq!(outgoing.body.as_deref(), body);
    }

    #[test]
    fn heads_become_fields() {
        check(
            b"GET /x?y HTTP/1.1\r\nHost: h:81\r\nConnection: close\r\nCookie: a=1; b=2\r\nX-Empty: \r\n\r\n",
            ":method=GET|:scheme=https|:path=/x?y|:authority=h:81|cookie=a=1|cookie=b=2|x-empty=|",
            None,
        );
        check(
            b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n\r\n\r\n",
            ":method=POST|:scheme=https|:path=/|:authority=h|content-length=4|",
            Some(b"\r\n\r\n"),
        );
    }
}
