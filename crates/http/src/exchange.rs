//! What is known about one exchange when it is over.
//!
//! Owns the definitions of the phases and the derivation of net and tare. Invariant: `gross = net + tare` in whole
//! nanoseconds, and no phase is negative, whatever the stamps say.

use std::fmt;
use std::net::SocketAddr;
use std::rc::Rc;

use netload_net::TlsFacts;

use crate::buffers::Buffer;
use crate::error::HttpError;
use crate::h1::{Head, HeaderIter, Version};

/// Raw instants of one exchange, monotonic nanoseconds; 0 means it did not come to that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamps {
    /// A connection was asked for.
    pub t1_asked_ns: u64,
    /// Just before the write of the request.
    pub t2_before_write_ns: u64,
    /// When the driver had the first bytes, as far as the kernel's samples tell; 0 when they do not.
    pub left_ns: u64,
    /// Just after the write that carried the last byte of the request.
    pub t3_after_write_ns: u64,
    /// Kernel stamp of the first read, where there is one.
    pub krx_first_ns: Option<u64>,
    /// The first read returned.
    pub t5_first_ns: u64,
    /// Kernel stamp of the last read, where there is one.
    pub krx_last_ns: Option<u64>,
    /// The last read returned.
    pub t5_last_ns: u64,
    /// The response was complete, or the failure known.
    pub t6_done_ns: u64,
}

/// The phases of one exchange, in nanoseconds. `sending`, `waiting` and `receiving` end where the kernel saw things
/// happen; what the tool itself added is `tare`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// From asking for a connection to having one; contains the next three.
    pub blocked_ns: u64,
    /// Finding the address.
    pub looking_up_ns: u64,
    /// TCP handshake.
    pub connecting_ns: u64,
    /// TLS handshake.
    pub tls_ns: u64,
    /// Writing the request.
    pub sending_ns: u64,
    /// Request written to first byte received.
    pub waiting_ns: u64,
    /// First byte to last byte received.
    pub receiving_ns: u64,
    /// `sending + waiting + receiving`: the net time.
    pub duration_ns: u64,
    /// What the tool added: lateness of the start, the way to the driver, and from the kernel's last stamp to the end of
    /// the exchange.
    pub tare_ns: u64,
    /// The part of the tare that passed before the exchange: the tool was late.
    pub late_ns: u64,
    /// From the planned start to the last byte without the tool's share: `wait + blocked + duration`. None where no
    /// start was planned (closed model).
    pub response_ns: Option<u64>,
}

/// How the start of an exchange relates to the plan (open model), in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// From the planned start until something was free: the server's share, or that of the configured limits.
    pub wait_ns: u64,
    /// From there to the actual start: the tool's share.
    pub late_ns: u64,
}

impl Timings {
    /// `duration + tare`: what a tool without kernel stamps would report.
    pub fn gross_ns(&self) -> u64 {
        self.duration_ns + self.tare_ns
    }

    /// Fills the phases behind the connection from the instants, and the response from the opening.
    pub(crate) fn derive(&mut self, stamps: &Stamps, opening: Option<Opening>) {
        self.phases(stamps);
        if let Some(opening) = opening {
            self.late_ns = opening.late_ns;
            self.tare_ns += opening.late_ns;
            self.response_ns = Some(opening.wait_ns + self.blocked_ns + self.duration_ns);
        }
    }

    fn phases(&mut self, stamps: &Stamps) {
        let start = stamps.t2_before_write_ns;
        if start == 0 {
            return;
        }
        let end = stamps.t6_done_ns.max(start);
        // Each instant is forced between its neighbours: on loopback an answer can overtake the return of the write,
        // and the wall clock behind the stamps can be stepped.
        let received = stamps.t5_first_ns != 0;
        let (first, last) = if received {
            let returned_last = stamps.t5_last_ns.clamp(start, end);
            let returned_first = stamps.t5_first_ns.clamp(start, returned_last);
            let last = stamps.krx_last_ns.unwrap_or(returned_last);
            let last = last.clamp(start, returned_last);
            let first = stamps.krx_first_ns.unwrap_or(returned_first);
            (first.clamp(start, returned_first.min(last)), last)
        } else {
            // Nothing came: all the time was waiting, or sending if that was never done.
            (end, end)
        };
        let written = match stamps.t3_after_write_ns {
            0 => first,
            written => written.clamp(start, first),
        };
        // When a request leaves is mostly supposed. An answer that came soon says that it left earlier: half of the time
        // until then is the server's at least, so that no rare quick answer has a time of next to nothing.
        let latest = match received {
            true => written.min(start + (first - start) / 2),
            false => written,
        };
        let left = stamps.left_ns.clamp(start, latest);
        self.sending_ns = written - left;
        self.waiting_ns = first - written;
        self.receiving_ns = last - first;
        self.duration_ns = last - left;
        self.tare_ns = (end - last) + (left - start);
    }
}

/// One request with its response, or with the reason there is none.
pub struct Exchange {
    /// Status code; 0 when the exchange failed.
    pub status: u16,
    /// Why it failed.
    pub error: Option<HttpError>,
    /// Durations of the phases.
    pub timings: Timings,
    /// The instants they were derived from.
    pub stamps: Stamps,
    /// Bytes written to the socket for this exchange, TLS and proxy handshakes included.
    pub sent: u64,
    /// Bytes read from the socket for this exchange.
    pub received: u64,
    /// Body bytes without framing, still encoded; counted also when discarded.
    pub body_bytes: u64,
    /// Whether the connection had been used before.
    pub reused: bool,
    /// The peer.
    pub remote: Option<SocketAddr>,
    /// What TLS agreed on.
    pub tls: Option<Rc<TlsFacts>>,
    pub(crate) head: Option<Head>,
    pub(crate) message: Buffer,
}

impl Exchange {
    pub(crate) fn new(message: Buffer) -> Self {
        Self {
            status: 0,
            error: None,
            timings: Timings::default(),
            stamps: Stamps::default(),
            sent: 0,
            received: 0,
            body_bytes: 0,
            reused: false,
            remote: None,
            tls: None,
            head: None,
            message,
        }
    }

    /// An exchange that failed before anything was sent.
    pub fn failed(error: HttpError) -> Self {
        let mut exchange = Self::new(Buffer::default());
        exchange.error = Some(error);
        exchange
    }

    /// The parsed head; also there when the body broke off later.
    pub fn head(&self) -> Option<&Head> {
        self.head.as_ref()
    }

    /// The version the server answered with.
    pub fn version(&self) -> Version {
        self.head
            .as_ref()
            .map_or(Version::default(), |head| head.version)
    }

    /// The reason phrase, e.g. `Not Found`; may be empty.
    pub fn reason(&self) -> &str {
        let Some(head) = &self.head else { return "" };
        let bytes = self
            .message
            .get(head.reason.start as usize..head.reason.end as usize)
            .unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// The raw head as it came, status line and empty line included.
    pub fn raw_head(&self) -> &[u8] {
        let end = self.head.as_ref().map_or(0, |head| head.bytes);
        &self.message[..end.min(self.message.len())]
    }

    /// The header lines in order, read from the raw head.
    pub fn headers(&self) -> HeaderIter<'_> {
        HeaderIter::new(self.raw_head())
    }

    /// The first header of that name (any case), blanks trimmed.
    pub fn header(&self, name: &str) -> Option<std::borrow::Cow<'_, [u8]>> {
        self.headers()
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }

    /// The body as it came, without framing, still encoded. Empty when discarded.
    pub fn body(&self) -> &[u8] {
        let start = self.head.as_ref().map_or(0, |head| head.bytes);
        self.message.get(start..).unwrap_or_default()
    }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("status", &self.status)
            .field("error", &self.error)
            .field("timings", &self.timings)
            .field("body", &String::from_utf8_lossy(self.body()))
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timings(stamps: Stamps) -> Timings {
        let mut timings = Timings::default();
        timings.derive(&stamps, None);
        let sum = timings.sending_ns + timings.waiting_ns + timings.receiving_ns;
        assert_eq!(timings.duration_ns, sum);
        let gross = stamps.t6_done_ns - stamps.t2_before_write_ns;
        assert_eq!(timings.gross_ns(), gross);
        timings
    }

    const STAMPS: Stamps = Stamps {
        t1_asked_ns: 90,
        t2_before_write_ns: 100,
        left_ns: 0,
        t3_after_write_ns: 110,
        krx_first_ns: Some(150),
        t5_first_ns: 160,
        krx_last_ns: Some(200),
        t5_last_ns: 230,
        t6_done_ns: 240,
    };

    #[test]
    fn phases_end_where_the_kernel_saw_them_end() {
        let timings = timings(STAMPS);
        let phases = (
            timings.sending_ns,
            timings.waiting_ns,
            timings.receiving_ns,
            timings.tare_ns,
        );
        assert_eq!(phases, (10, 40, 50, 40));
    }

    #[test]
    fn the_way_to_the_driver_is_tare() {
        let at = |left_ns| timings(Stamps { left_ns, ..STAMPS });
        let timings = at(104);
        assert_eq!((timings.sending_ns, timings.waiting_ns), (6, 40));
        assert_eq!((timings.duration_ns, timings.tare_ns), (96, 44));
        // It never leaves before or after its write.
        assert_eq!(at(90), at(100));
        assert_eq!(at(149), at(110));
    }

    #[test]
    fn without_stamps_our_own_times_count() {
        let timings = timings(Stamps {
            krx_first_ns: None,
            krx_last_ns: None,
            ..STAMPS
        });
        assert_eq!((timings.waiting_ns, timings.receiving_ns), (50, 70));
    }

    #[test]
    fn an_answer_before_the_write_returned_leaves_no_wait() {
        let timings = timings(Stamps {
            krx_first_ns: Some(105),
            krx_last_ns: Some(105),
            ..STAMPS
        });
        assert_eq!((timings.sending_ns, timings.waiting_ns), (5, 0));
    }

    #[test]
    fn absurd_stamps_do_not_break_the_sum() {
        for krx in [0, 1, 10_000] {
            timings(Stamps {
                krx_first_ns: Some(krx),
                krx_last_ns: Some(10_000 - krx),
                ..STAMPS
            });
        }
    }

    #[test]
    fn a_planned_start_adds_the_wait_to_the_response_and_the_lateness_to_the_tare() {
        let mut planned = Timings {
            blocked_ns: 7,
            ..Timings::default()
        };
        let opening = Opening {
            wait_ns: 1_000,
            late_ns: 30,
        };
        planned.derive(&STAMPS, Some(opening));
        let closed = timings(STAMPS);
        assert_eq!(planned.duration_ns, closed.duration_ns);
        assert_eq!(planned.tare_ns, closed.tare_ns + 30);
        assert_eq!(planned.response_ns, Some(1_000 + 7 + closed.duration_ns));
        assert_eq!(closed.response_ns, None);
    }

    #[test]
    fn half_of_the_time_until_a_quick_answer_is_the_servers() {
        let first = STAMPS.krx_first_ns.unwrap();
        let timings = timings(Stamps {
            left_ns: first,
            t3_after_write_ns: first + 5,
            ..STAMPS
        });
        assert_eq!(timings.sending_ns, (first - STAMPS.t2_before_write_ns) / 2);
        assert_eq!((timings.waiting_ns, timings.tare_ns), (0, 25 + 40));
    }

    #[test]
    fn silence_is_waiting() {
        let timings = timings(Stamps {
            krx_first_ns: None,
            t5_first_ns: 0,
            krx_last_ns: None,
            t5_last_ns: 0,
            ..STAMPS
        });
        assert_eq!((timings.waiting_ns, timings.tare_ns), (130, 0));
    }
}
