//! Sessions against servers made of bytes: what comes of the streams, whatever the server does.

mod laws;

use std::rc::Rc;
use std::task::{Context, Waker};

use netload_net::{Read, Scheme};

use super::frame::{self, FrameHeader, HEADER_BYTES, flag, kind, setting};
use super::hpack;
use super::session::Session;
use super::stream::StreamKey;
use super::{
    BLOCK_LIMIT_BYTES, CONTINUATION_LIMIT, FIRST_STREAMS, OUT_LIMIT_BYTES, Outgoing,
    STREAM_WINDOW_BYTES, Wanted,
};
use crate::buffers::Buffer;
use crate::h1::BodyMode;

/// A read at an instant; the kernel had the bytes one nanosecond before.
fn at(ns: u64) -> Read {
    Read {
        bytes: 0,
        kernel_ns: Some(ns - 1),
        returned_ns: ns,
    }
}

fn get() -> Outgoing {
    Outgoing::new(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n", None, Scheme::Http)
}

fn post(bytes: usize) -> Outgoing {
    let body: Rc<[u8]> = vec![b'x'; bytes].into();
    Outgoing::new(
        b"POST / HTTP/1.1\r\nHost: h\r\n\r\n",
        Some(&body),
        Scheme::Http,
    )
}

const WANTED: Wanted = Wanted {
    mode: BodyMode::Keep,
    head_request: false,
    deadline_ns: u64::MAX,
};

/// A client that has sent everything it could.
struct Client(Session);

impl Client {
    /// A session whose server has greeted it.
    fn greeted() -> Self {
        let mut client = Self(Session::new());
        client.feed(&settings(&[]), 1);
        client
    }

    fn open(&mut self, request: &Outgoing) -> StreamKey {
        self.0.open(request, WANTED, Buffer::default())
    }

    fn feed(&mut self, bytes: &[u8], ns: u64) {
        self.0.feed(bytes, at(ns));
    }

    /// Lets everything leave and tells which frames they were, `kind:stream:length` each.
    fn flush(&mut self) -> String {
        let mut out = Vec::new();
        while !self.0.unsent().is_empty() {
            out.extend_from_slice(self.0.unsent());
            self.0.left(self.0.unsent().len(), (10, 20), 3);
        }
        let mut text = String::new();
        let mut rest = out.strip_prefix(frame::PREFACE).unwrap_or(&out);
        while let Some(header) = FrameHeader::parse(rest) {
            text += &format!("{}:{}:{} ", header.kind, header.stream, header.length);
            rest = &rest[HEADER_BYTES + header.length..];
        }
        text
    }

    /// How a stream stands: `-` while it is under way, else its head's status with the body, or its error.
    fn outcome(&mut self, key: StreamKey) -> String {
        if !self.0.is_over(key, &Context::from_waker(Waker::noop())) {
            return "-".to_owned();
        }
        let outcome = self.0.take(key);
        let again = if outcome.untouched {
            " (untouched)"
        } else {
            ""
        };
        match (&outcome.error, &outcome.head) {
            (Some(error), _) => format!("{error}{again}"),
            (None, Some(head)) => {
                let body = String::from_utf8_lossy(&outcome.message[head.bytes..]).into_owned();
                format!("{} {body}", head.status)
            }
            (None, None) => "nothing".to_owned(),
        }
    }
}

fn put(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    frame::put(kind, flags, stream, payload, &mut out);
    out
}

fn settings(values: &[(u16, u32)]) -> Vec<u8> {
    let mut out = Vec::new();
    frame::put_settings(values, &mut out);
    out
}

fn block(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, value) in fields {
        hpack::write(name.as_bytes(), value.as_bytes(), &mut out);
    }
    out
}

fn headers(stream: u32, flags: u8, fields: &[(&str, &str)]) -> Vec<u8> {
    put(
        kind::HEADERS,
        flags | flag::END_HEADERS,
        stream,
        &block(fields),
    )
}

const OK: &[(&str, &str)] = &[(":status", "200")];

fn ok(stream: u32) -> Vec<u8> {
    headers(stream, 0, OK)
}

fn data(stream: u32, flags: u8, bytes: &[u8]) -> Vec<u8> {
    put(kind::DATA, flags, stream, bytes)
}

#[test]
fn stamps_are_those_of_the_reads_that_carried_the_streams_own_frames() {
    let mut client = Client::greeted();
    let (one, two) = (client.open(&get()), client.open(&get()));
    let first = client.0.unsent().len() - 1;
    client.0.left(first, (10, 20), 3);
    client.0.left(1, (30, 40), 3);
    client.feed(&ok(3), 100);
    client.feed(&ok(1), 200);
    client.feed(&data(1, 0, b"a"), 300);
    client.feed(
        &[data(3, flag::END_STREAM, b"b"), data(1, 0, b"c")].concat(),
        400,
    );
    let end = data(1, flag::END_STREAM, b"d");
    client.feed(&end[..4], 500);
    client.feed(&end[4..], 600);
    let stamps = |client: &mut Client, key| {
        let stamps = client.0.take(key).stamps;
        (
            (
                stamps.t2_before_write_ns,
                stamps.left_ns,
                stamps.t3_after_write_ns,
            ),
            (stamps.krx_first_ns, stamps.t5_first_ns),
            (stamps.krx_last_ns, stamps.t5_last_ns),
        )
    };
    let one = stamps(&mut client, one);
    assert_eq!(one, ((10, 13, 20), (Some(199), 200), (Some(599), 600)));
    let two = stamps(&mut client, two);
    assert_eq!(two, ((10, 13, 40), (Some(99), 100), (Some(399), 400)));
}

#[test]
fn a_head_counts_from_its_first_byte() {
    let mut client = Client::greeted();
    let key = client.open(&get());
    let head = headers(1, flag::END_STREAM, OK);
    client.feed(&head[..1], 100);
    client.feed(&head[1..], 200);
    let stamps = client.0.take(key).stamps;
    assert_eq!((stamps.t5_first_ns, stamps.t5_last_ns), (100, 200));
}

#[test]
fn responses_of_all_shapes() {
    let check = |frames: &[Vec<u8>], expected: &str| {
        let mut client = Client::greeted();
        let key = client.open(&get());
        client.feed(&frames.concat(), 5);
        assert_eq!(client.outcome(key), expected);
        assert_eq!(client.0.death(), None, "{expected}");
    };
    let end = flag::END_STREAM;
    let length =
        |length: &'static str| headers(1, 0, &[(":status", "200"), ("content-length", length)]);
    let early = headers(1, 0, &[(":status", "103")]);
    check(&[headers(1, end, OK)], "200 ");
    check(&[ok(1), data(1, 0, b"a"), data(1, end, b"b")], "200 ab");
    check(&[ok(1), data(1, 0, b"a"), data(1, 0, b"")], "-");
    check(&[early.clone(), ok(1), data(1, end, b"a")], "200 a");
    check(
        &[ok(1), data(1, 0, b"a"), headers(1, end, &[("x", "y")])],
        "200 a",
    );
    check(
        &[ok(1), data(1, flag::PADDED | end, b"\x02ab\0\0")],
        "200 ab",
    );
    check(&[length("2"), data(1, end, b"ab")], "200 ab");
    check(&[length("3"), data(1, end, b"ab")], "unexpected EOF");
    check(
        &[length("1"), data(1, end, b"ab")],
        "net/http: server replied with more than declared Content-Length; truncated",
    );
    // Kinds that nobody knows are passed over.
    check(&[put(99, 7, 1, b"?"), headers(1, end, OK)], "200 ");
    check(
        &[put(kind::PRIORITY, 0, 1, b"12345"), headers(1, end, OK)],
        "200 ",
    );
    let early = [early.clone(), early.clone(), early.clone()];
    check(
        &[early.concat(), early.concat()],
        "net/http: too many 1xx informational responses",
    );
    let pieces = block(&[(":status", "200"), ("a", "b")]);
    let (start, rest) = pieces.split_at(3);
    check(
        &[
            put(kind::HEADERS, end, 1, start),
            put(kind::CONTINUATION, 0, 1, b""),
            put(kind::CONTINUATION, flag::END_HEADERS, 1, rest),
        ],
        "200 ",
    );
}

#[test]
fn what_was_promised_of_a_longer_body_is_kept() {
    let mut client = Client::greeted();
    let key = client.open(&get());
    let head = headers(1, 0, &[(":status", "200"), ("content-length", "1")]);
    client.feed(&[head, data(1, 0, b"ab")].concat(), 5);
    let outcome = client.0.take(key);
    assert!(outcome.message.ends_with(b"\r\n\r\na") && outcome.body_bytes == 1);
}

#[test]
fn a_bad_stream_costs_only_itself() {
    let stream = "http2: stream error with http2 ErrCode ";
    let check = |frames: &[Vec<u8>], expected: &str| {
        let mut client = Client::greeted();
        let (bad, good) = (client.open(&get()), client.open(&get()));
        client.feed(&frames.concat(), 5);
        client.feed(&headers(3, flag::END_STREAM, OK), 6);
        assert_eq!(client.outcome(bad), expected);
        assert_eq!(client.outcome(good), "200 ", "{expected}");
    };
    let protocol = &*format!("{stream}PROTOCOL_ERROR");
    check(&[data(1, 0, b"a")], protocol);
    check(&[headers(1, 0, &[("a", "b")])], protocol);
    check(
        &[headers(1, 0, &[(":status", "200"), ("A", "b")])],
        protocol,
    );
    check(&[headers(1, 0, &[(":status", "101")])], protocol);
    check(
        &[headers(1, flag::END_STREAM, &[(":status", "100")])],
        protocol,
    );
    check(&[ok(1), headers(1, 0, &[("x", "y")])], protocol);
    check(&[put(kind::WINDOW_UPDATE, 0, 1, &[0; 4])], protocol);
    let most = 0x7fff_ffff_u32.to_be_bytes();
    check(
        &[put(kind::WINDOW_UPDATE, 0, 1, &most)],
        &format!("{stream}FLOW_CONTROL_ERROR"),
    );
    let reset = |code: u32| put(kind::RST_STREAM, 0, 1, &code.to_be_bytes());
    check(&[reset(2)], &format!("{stream}INTERNAL_ERROR"));
    check(&[reset(7)], &format!("{stream}REFUSED_STREAM (untouched)"));
    check(&[reset(99)], &format!("{stream}unknown error code 0x63"));
    check(&[ok(1), reset(0)], &format!("{stream}NO_ERROR"));
    // What comes for a stream that is over is nobody's.
    check(
        &[reset(8), ok(1), data(1, 0, b"x"), reset(8)],
        &format!("{stream}CANCEL"),
    );
}

#[test]
fn a_bad_connection_ends_all_streams() {
    let connection = "http2: connection error with http2 ErrCode ";
    let check = |frames: &[Vec<u8>], code: &str| {
        let mut client = Client::greeted();
        let keys = [client.open(&get()), client.open(&get())];
        client.flush();
        client.feed(&frames.concat(), 5);
        for key in keys {
            assert_eq!(client.outcome(key), format!("{connection}{code}"));
        }
        assert!(!client.0.has_room());
        assert!(client.flush().ends_with("7:0:8 "), "the server is told");
    };
    let protocol = "PROTOCOL_ERROR";
    check(&[data(0, 0, b"a")], protocol);
    check(&[data(5, 0, b"a")], protocol);
    check(&[data(2, 0, b"a")], protocol);
    check(&[data(1, flag::PADDED, b"\x09a")], protocol);
    check(&[ok(2)], protocol);
    check(&[put(kind::PUSH_PROMISE, 0, 1, b"abcd")], protocol);
    check(&[put(kind::CONTINUATION, 0, 1, b"")], protocol);
    check(&[put(kind::HEADERS, 0, 1, b""), data(1, 0, b"")], protocol);
    check(
        &[
            put(kind::HEADERS, 0, 1, b""),
            put(kind::CONTINUATION, 0, 3, b""),
        ],
        protocol,
    );
    check(&[put(kind::RST_STREAM, 0, 0, &[0; 4])], protocol);
    check(&[put(kind::SETTINGS, 0, 1, b"")], protocol);
    check(&[put(kind::PING, 0, 1, &[0; 8])], protocol);
    check(&[put(kind::GOAWAY, 0, 1, &[0; 8])], protocol);
    check(&[put(kind::WINDOW_UPDATE, 0, 0, &[0; 4])], protocol);
    check(&[settings(&[(setting::ENABLE_PUSH, 1)])], protocol);
    check(&[settings(&[(setting::MAX_FRAME_SIZE, 100)])], protocol);
    let size = "FRAME_SIZE_ERROR";
    check(&[put(kind::RST_STREAM, 0, 1, &[0; 5])], size);
    check(&[put(kind::SETTINGS, 0, 0, &[0; 5])], size);
    check(&[put(kind::SETTINGS, flag::ACK, 0, &[0; 6])], size);
    check(&[put(kind::PING, 0, 0, &[0; 7])], size);
    check(&[put(kind::GOAWAY, 0, 0, &[0; 7])], size);
    check(&[put(kind::WINDOW_UPDATE, 0, 1, &[0; 3])], size);
    check(&[put(kind::PRIORITY, 0, 1, &[0; 4])], size);
    check(&[vec![0, 0x40, 1, 0, 0, 0, 0, 0, 1]], size);
    let window = "FLOW_CONTROL_ERROR";
    let most = 0x7fff_ffff_u32.to_be_bytes();
    check(&[put(kind::WINDOW_UPDATE, 0, 0, &most)], window);
    check(
        &[settings(&[(setting::INITIAL_WINDOW_SIZE, 1 << 31)])],
        window,
    );
    check(
        &[put(kind::HEADERS, flag::END_HEADERS, 1, &[0x80])],
        "COMPRESSION_ERROR",
    );
}

#[test]
fn fields_of_a_stream_that_is_over_change_the_common_table_all_the_same() {
    let mut client = Client::greeted();
    let (over, open) = (client.open(&get()), client.open(&get()));
    client.0.abandon(over);
    let keep = [&block(OK)[..], &[0x40, 1, b'a', 1, b'b']].concat();
    client.feed(&put(kind::HEADERS, flag::END_HEADERS, 1, &keep), 5);
    let known = put(kind::HEADERS, flag::END_HEADERS, 3, &[0x88, 0xbe]);
    client.feed(&known, 6);
    client.feed(&data(3, flag::END_STREAM, b""), 6);
    assert_eq!(client.outcome(open), "200 ");
}

#[test]
fn what_is_not_http2_is_called_so() {
    for bytes in [
        &b"HTTP/1.1 400 Bad Request\r\n\r\n"[..],
        &put(kind::PING, 0, 0, &[0; 8]),
    ] {
        let mut client = Client(Session::new());
        let key = client.open(&get());
        client.feed(bytes, 5);
        assert_eq!(client.outcome(key), "the server does not speak HTTP/2");
    }
    let mut client = Client(Session::new());
    let key = client.open(&get());
    client.0.lose(None);
    assert_eq!(client.outcome(key), "the server does not speak HTTP/2");
}

#[test]
fn endless_header_blocks_end() {
    let start = put(kind::HEADERS, 0, 1, b"");
    let calm = "http2: connection error with http2 ErrCode ENHANCE_YOUR_CALM";
    for (piece, most) in [
        (0, CONTINUATION_LIMIT as usize),
        (16_384, BLOCK_LIMIT_BYTES / 16_384),
    ] {
        let mut client = Client::greeted();
        let key = client.open(&get());
        client.feed(&start, 5);
        let more = put(kind::CONTINUATION, 0, 1, &vec![0; piece]);
        for _ in 0..most {
            client.feed(&more, 6);
            assert_eq!(client.0.death(), None);
        }
        client.feed(&more, 7);
        assert_eq!(client.outcome(key), calm);
    }
}

#[test]
fn a_small_block_cannot_become_a_large_head() {
    let mut client = Client::greeted();
    let key = client.open(&get());
    let value = "v".repeat(4000);
    let mut bomb = block(OK);
    bomb.push(0x40);
    bomb.extend_from_slice(&[1, b'a']);
    // The length of the value with a prefix of seven bits: 127 + 0x21 + 0x1e * 128.
    bomb.extend_from_slice(&[0x7f, 0xa1, 0x1e]);
    bomb.extend_from_slice(value.as_bytes());
    bomb.resize(bomb.len() + 1000, 0xbe);
    client.feed(&put(kind::HEADERS, flag::END_HEADERS, 1, &bomb), 5);
    let text = "http2: response header list larger than advertised limit";
    assert_eq!(client.outcome(key), text);
    assert_eq!(client.0.death(), None);
}

#[test]
fn answers_to_a_server_that_does_not_read_are_bounded() {
    for provoking in [
        put(kind::PING, 0, 0, &[0; 8]),
        settings(&[]),
        data(1, 0, b""),
    ] {
        let mut client = Client::greeted();
        client.open(&get());
        let many = provoking.repeat(1000);
        for _ in 0..2 * OUT_LIMIT_BYTES / many.len() + 50 {
            client.feed(&many, 5);
        }
        assert!(client.0.unsent().len() <= OUT_LIMIT_BYTES + 100);
    }
}

#[test]
fn going_away_leaves_what_was_seen() {
    let mut client = Client::greeted();
    let (seen, unseen) = (client.open(&get()), client.open(&get()));
    client.feed(&put(kind::GOAWAY, 0, 0, &[0, 0, 0, 1, 0, 0, 0, 0]), 5);
    assert_eq!(
        client.outcome(unseen),
        "http2: received GoAway with http2 ErrCode NO_ERROR (untouched)"
    );
    assert!(client.0.is_closed() && !client.0.has_room());
    client.feed(&headers(1, flag::END_STREAM, OK), 6);
    assert_eq!(client.outcome(seen), "200 ");
}

#[test]
fn a_lost_connection_is_explained() {
    let lost = |frames: &[u8]| {
        let mut client = Client::greeted();
        let key = client.open(&get());
        client.feed(frames, 5);
        client.0.lose(None);
        client.outcome(key)
    };
    assert_eq!(lost(&ok(1)), "unexpected EOF");
    let goaway = put(kind::GOAWAY, 0, 0, &[0, 0, 0, 1, 0, 0, 0, 11]);
    assert_eq!(
        lost(&goaway),
        "http2: received GoAway with http2 ErrCode ENHANCE_YOUR_CALM"
    );
}

#[test]
fn bodies_wait_for_both_windows() {
    let mut client = Client::greeted();
    client.flush();
    let key = client.open(&post(100_000));
    let sent = client.flush();
    assert!(
        sent.ends_with("0:1:16384 0:1:16384 0:1:16384 0:1:16383 "),
        "{sent}"
    );
    client.feed(
        &put(kind::WINDOW_UPDATE, 0, 1, &100_000_u32.to_be_bytes()),
        5,
    );
    assert_eq!(client.flush(), "");
    client.feed(&put(kind::WINDOW_UPDATE, 0, 0, &1000_u32.to_be_bytes()), 5);
    assert_eq!(client.flush(), "0:1:1000 ");
    client.feed(
        &put(kind::WINDOW_UPDATE, 0, 0, &100_000_u32.to_be_bytes()),
        5,
    );
    assert_eq!(client.flush(), "0:1:16384 0:1:16384 0:1:697 ");
    // A window that shrinks below what was sent stops new bodies until it has grown again.
    client.feed(&settings(&[(setting::INITIAL_WINDOW_SIZE, 10)]), 6);
    client.flush();
    let small = client.open(&post(11));
    assert!(client.flush().ends_with("0:3:10 "));
    client.feed(&settings(&[(setting::INITIAL_WINDOW_SIZE, 11)]), 6);
    assert_eq!(client.flush(), "4:0:0 0:3:1 ");
    client.feed(&headers(1, flag::END_STREAM, OK), 7);
    client.feed(&headers(3, flag::END_STREAM, OK), 7);
    assert_eq!(client.outcome(key) + &client.outcome(small), "200 200 ");
}

#[test]
fn an_early_answer_ends_the_body() {
    let mut client = Client::greeted();
    let key = client.open(&post(100_000));
    client.flush();
    client.feed(&headers(1, flag::END_STREAM, &[(":status", "413")]), 5);
    assert_eq!(client.outcome(key), "413 ");
    assert_eq!(client.flush(), "3:1:4 ");
}

#[test]
fn what_is_received_is_asked_for_anew_and_more_is_refused() {
    let mut client = Client::greeted();
    let key = client.0.open(
        &get(),
        Wanted {
            mode: BodyMode::Discard,
            ..WANTED
        },
        Buffer::default(),
    );
    client.feed(&ok(1), 5);
    client.flush();
    let piece = data(1, 0, &[0; 16_384]);
    for _ in 0..STREAM_WINDOW_BYTES / 16_384 {
        client.feed(&piece, 6);
    }
    assert_eq!(client.flush(), "8:1:4 ");
    assert_eq!(client.outcome(key), "-");
}

#[test]
fn the_servers_limit_on_streams_is_kept() {
    let mut client = Client(Session::new());
    let keys: Vec<_> = (0..FIRST_STREAMS).map(|_| client.open(&get())).collect();
    assert!(!client.0.has_room(), "before the server has spoken");
    client.feed(&settings(&[(setting::MAX_CONCURRENT_STREAMS, 101)]), 5);
    assert!(client.0.has_room());
    client.feed(&settings(&[(setting::MAX_CONCURRENT_STREAMS, 1)]), 5);
    assert!(!client.0.has_room());
    for key in &keys {
        client.0.abandon(*key);
    }
    assert!(client.0.has_room());
}

#[test]
fn deadlines_end_streams_one_by_one() {
    let mut client = Client::greeted();
    let mut open = |deadline_ns| {
        let wanted = Wanted {
            deadline_ns,
            ..WANTED
        };
        client.0.open(&get(), wanted, Buffer::default())
    };
    let (late, early) = (open(300), open(200));
    assert_eq!(client.0.deadline_ns(), 200);
    client.0.expire(250);
    assert_eq!(client.0.deadline_ns(), 300);
    assert_eq!(client.outcome(early), "request timeout");
    assert_eq!(client.outcome(late), "-");
    assert!(client.flush().ends_with("3:3:4 "));
}

#[test]
fn a_smaller_table_is_acknowledged_once() {
    let mut client = Client::greeted();
    client.flush();
    client.feed(&settings(&[(setting::HEADER_TABLE_SIZE, 0)]), 5);
    let plain = get().block.len();
    client.open(&get());
    client.open(&get());
    let expected = format!("4:0:0 1:1:{} 1:3:{plain} ", plain + 1);
    assert_eq!(client.flush(), expected);
}
