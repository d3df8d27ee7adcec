//! The response decoder on its own: any bytes, in any pieces.

use std::cell::RefCell;

use netload_http::h1::{Decoder, H1Error, Progress, RecentHeads};
use netload_http::{BodyMode, Version};
use proptest::prelude::*;

thread_local! {
    /// Kept from one response to the next, as a worker does, so that remembered heads are part of every test.
    static RECENT: RefCell<RecentHeads> = RefCell::default();
}

/// What a connection that brings `pieces` and then ends makes of a response.
#[derive(Debug, PartialEq)]
struct Outcome {
    error: Option<H1Error>,
    status: Option<u16>,
    message: Vec<u8>,
    body_bytes: u64,
}

fn decode<'a>(pieces: impl Iterator<Item = &'a [u8]>, mode: BodyMode, head: bool) -> Outcome {
    let mut decoder = Decoder::new(mode, head);
    let mut message = Vec::new();
    let mut error = None;
    let mut done = false;
    for piece in pieces {
        let fed = RECENT.with_borrow_mut(|recent| decoder.feed(piece, &mut message, recent));
        match fed {
            Ok(Progress::More) => {}
            Ok(Progress::Done { .. }) => done = true,
            Err(found) => error = Some(found),
        }
        if done || error.is_some() {
            break;
        }
    }
    if !done && error.is_none() {
        error = decoder.finish(&mut message).err();
    }
    Outcome {
        error,
        status: decoder.head().map(|head| head.status),
        message,
        body_bytes: decoder.body_bytes(),
    }
}

/// Cuts `bytes` at the given places.
fn cut<'a>(bytes: &'a [u8], cuts: &[prop::sample::Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
    places.sort_unstable();
    let mut pieces = Vec::new();
    let mut start = 0;
    for place in places {
        pieces.push(&bytes[start..place]);
        start = place;
    }
    pieces.push(&bytes[start..]);
    pieces
}

/// Responses of every shape, right and wrong.
fn seeds() -> impl Strategy<Value = Vec<u8>> {
    prop::sample::select(vec![
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n10;a=b\r\n0123456789abcdef\r\n0\r\nT: v\r\n\r\n",
        "HTTP/1.0 404 Not Found\r\nServer: x\r\n\r\nuntil the end",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 E\r\nLink: a\r\n\r\nHTTP/1.1 204 No Content\r\nSet-Cookie: a=b\r\n\r\n",
        "HTTP/1.1 301 Moved\nLocation: /x\nContent-Length: 0\nFolded: a\n  b\n\tc\nConnection: close\n\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3 and something to make this line really long\r\n",
        "HTTP/1.1 200\r\n\r\n",
        "\r\nHTTP/1.1 200 OK\r\n\r\n",
        "",
    ])
    .prop_map(|text| text.as_bytes().to_vec())
}

/// Overwrites, inserts or deletes single bytes.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let change = (any::<prop::sample::Index>(), 0..3u8, any::<u8>());
    (seeds(), prop::collection::vec(change, 0..4)).prop_map(|(mut bytes, changes)| {
        for (at, what, byte) in changes {
            let at = at.index(bytes.len() + 1);
            match what {
                0 if at < bytes.len() => bytes[at] = byte,
                1 if at < bytes.len() => {
                    bytes.remove(at);
                }
                _ => bytes.insert(at, byte),
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn pieces_do_not_matter(
        bytes in mutated(),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..12),
        keep: bool,
        head: bool,
    ) {
        let mode = if keep { BodyMode::Keep } else { BodyMode::Discard };
        let whole = decode(std::iter::once(&bytes[..]), mode, head);
        let pieces = cut(&bytes, &cuts);
        prop_assert_eq!(&decode(pieces.into_iter(), mode, head), &whole);
        prop_assert_eq!(&decode(bytes.chunks(1), mode, head), &whole);
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let whole = decode(std::iter::once(&bytes[..]), BodyMode::Keep, false);
        prop_assert_eq!(&decode(bytes.chunks(1), BodyMode::Keep, false), &whole);
    }

    #[test]
    fn chunks_of_any_size_carry_any_body(
        body in prop::collection::vec(any::<u8>(), 0..300),
        size in 1..40usize,
    ) {
        let mut bytes = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
        let head = bytes.len();
        for chunk in body.chunks(size) {
            bytes.extend(format!("{:X}\r\n", chunk.len()).bytes());
            bytes.extend(chunk);
            bytes.extend(b"\r\n");
        }
        bytes.extend(b"0\r\n\r\n");
        let outcome = decode(bytes.chunks(7), BodyMode::Keep, false);
        prop_assert_eq!(outcome.error, None);
        prop_assert_eq!(&outcome.message[head..], &body[..]);
    }
}

#[test]
fn the_version_decides_whether_a_connection_lives() {
    let check = |text: &str, version, reusable| {
        let mut decoder = Decoder::new(BodyMode::Keep, false);
        let progress = decoder.feed(
            text.as_bytes(),
            &mut Vec::new(),
            &mut RecentHeads::default(),
        );
        assert_eq!(progress, Ok(Progress::Done { reusable }), "{text}");
        assert_eq!(decoder.head().map(|head| head.version), Some(version));
    };
    let empty = "Content-Length: 0\r\n";
    check(
        &format!("HTTP/1.1 200 OK\r\n{empty}\r\n"),
        Version::Http11,
        true,
    );
    check(
        &format!("HTTP/1.0 200 OK\r\n{empty}\r\n"),
        Version::Http10,
        false,
    );
    check(
        &format!("HTTP/1.0 200 OK\r\n{empty}Connection: Keep-Alive\r\n\r\n"),
        Version::Http10,
        true,
    );
    check(
        &format!("HTTP/1.1 200 OK\r\n{empty}Connection: keep-alive, Close\r\n\r\n"),
        Version::Http11,
        false,
    );
    check(
        &format!("HTTP/1.1 200 OK\r\n{empty}\r\nextra"),
        Version::Http11,
        false,
    );
}
