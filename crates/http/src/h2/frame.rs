//! Frames as bytes: their headers, kinds, flags and settings (RFC 9113, sections 4 and 6).
//!
//! Owns the layout alone, no rule about what may come when. Invariant: what `put` writes, `parse` reads.

/// Length of a frame's header in bytes.
pub(super) const HEADER_BYTES: usize = 9;

/// What a client says first.
pub(super) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// The types of frames.
pub(super) mod kind {
    pub(crate) const DATA: u8 = 0;
    pub(crate) const HEADERS: u8 = 1;
    pub(crate) const PRIORITY: u8 = 2;
    pub(crate) const RST_STREAM: u8 = 3;
    pub(crate) const SETTINGS: u8 = 4;
    pub(crate) const PUSH_PROMISE: u8 = 5;
    pub(crate) const PING: u8 = 6;
    pub(crate) const GOAWAY: u8 = 7;
    pub(crate) const WINDOW_UPDATE: u8 = 8;
    pub(crate) const CONTINUATION: u8 = 9;
}

/// The flags of frames.
pub(super) mod flag {
    pub(crate) const ACK: u8 = 0x1;
    pub(crate) const END_STREAM: u8 = 0x1;
    pub(crate) const END_HEADERS: u8 = 0x4;
    pub(crate) const PADDED: u8 = 0x8;
    pub(crate) const PRIORITY: u8 = 0x20;
}

/// The settings we send or heed.
pub(super) mod setting {
    pub(crate) const HEADER_TABLE_SIZE: u16 = 1;
    pub(crate) const ENABLE_PUSH: u16 = 2;
    pub(crate) const MAX_CONCURRENT_STREAMS: u16 = 3;
    pub(crate) const INITIAL_WINDOW_SIZE: u16 = 4;
    pub(crate) const MAX_FRAME_SIZE: u16 = 5;
    pub(crate) const MAX_HEADER_LIST_SIZE: u16 = 6;
}

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameHeader {
    /// Bytes of payload.
    pub(super) length: usize,
    pub(super) kind: u8,
    pub(super) flags: u8,
    /// 0 for the connection itself.
    pub(super) stream: u32,
}

impl FrameHeader {
    /// The header at the start of `bytes`; none while it is incomplete.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let header: &[u8; HEADER_BYTES] = bytes.first_chunk()?;
        Some(Self {
            length: u32::from_be_bytes([0, header[0], header[1], header[2]]) as usize,
            kind: header[3],
            flags: header[4],
            // The highest bit is reserved and ignored.
            stream: number(&header[5..]) & 0x7fff_ffff,
        })
    }

    /// Appends the header.
    pub(super) fn put(self, out: &mut Vec<u8>) {
        let length = (self.length as u32).to_be_bytes();
        out.extend_from_slice(&[length[1], length[2], length[3], self.kind, self.flags]);
        out.extend_from_slice(&self.stream.to_be_bytes());
    }

    pub(super) fn has(self, flag: u8) -> bool {
        self.flags & flag != 0
    }
}

/// Appends a whole frame.
pub(super) fn put(kind: u8, flags: u8, stream: u32, payload: &[u8], out: &mut Vec<u8>) {
    let header = FrameHeader {
        length: payload.len(),
        kind,
        flags,
        stream,
    };
    header.put(out);
    out.extend_from_slice(payload);
}

/// Appends a SETTINGS frame.
pub(super) fn put_settings(settings: &[(u16, u32)], out: &mut Vec<u8>) {
    let mut payload = Vec::with_capacity(settings.len() * 6);
    for (name, value) in settings {
        payload.extend_from_slice(&name.to_be_bytes());
        payload.extend_from_slice(&value.to_be_bytes());
    }
    put(kind::SETTINGS, 0, 0, &payload, out);
}

/// The settings in a payload whose length is a multiple of six.
pub(super) fn settings(payload: &[u8]) -> impl Iterator<Item = (u16, u32)> + '_ {
    payload.chunks_exact(6).map(|entry| {
        (
            u16::from_be_bytes([entry[0], entry[1]]),
            number(&entry[2..]),
        )
    })
}

/// The number that the first four bytes are; 0 where they are fewer.
pub(super) fn number(bytes: &[u8]) -> u32 {
    bytes
        .first_chunk()
        .map_or(0, |four| u32::from_be_bytes(*four))
}

/// The payload of a DATA or HEADERS frame without padding and priority. `None` when they do not fit into it.
pub(super) fn content(header: FrameHeader, payload: &[u8]) -> Option<&[u8]> {
    let (padding, rest) = match header.has(flag::PADDED) {
        true => payload
            .split_first()
            .map(|(n, rest)| (usize::from(*n), rest))?,
        false => (0, payload),
    };
    let rest = match header.kind == kind::HEADERS && header.has(flag::PRIORITY) {
        true => rest.get(5..)?,
        false => rest,
    };
    rest.get(..rest.len().checked_sub(padding)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_parsed() {
        let mut out = Vec::new();
        put(
            kind::HEADERS,
            flag::END_HEADERS,
            0x7fff_ffff,
            b"abc",
            &mut out,
        );
        let header = FrameHeader::parse(&out).unwrap();
        assert_eq!((header.length, header.kind, header.flags), (3, 1, 4));
        assert_eq!(header.stream, 0x7fff_ffff);
        assert_eq!(FrameHeader::parse(&out[..8]), None);
        let mut out = Vec::new();
        put_settings(&[(4, 1 << 20), (2, 0)], &mut out);
        let read: Vec<_> = settings(&out[HEADER_BYTES..]).collect();
        assert_eq!(read, [(4, 1 << 20), (2, 0)]);
    }

    #[test]
    fn padding_and_priority_are_taken_off() {
        let check = |kind, flags, payload: &[u8], expected: Option<&[u8]>| {
            let header = FrameHeader {
                length: payload.len(),
                kind,
                flags,
                stream: 1,
            };
            assert_eq!(content(header, payload), expected);
        };
        check(kind::DATA, 0, b"abc", Some(b"abc"));
        check(kind::DATA, flag::PADDED, b"\x02abc", Some(b"a"));
        check(kind::DATA, flag::PADDED, b"\x03abc", Some(b""));
        check(kind::DATA, flag::PADDED, b"\x04abc", None);
        check(kind::DATA, flag::PADDED, b"", None);
        check(kind::HEADERS, flag::PRIORITY, b"12345abc", Some(b"abc"));
        check(kind::HEADERS, flag::PRIORITY, b"1234", None);
        check(
            kind::HEADERS,
            flag::PADDED | flag::PRIORITY,
            b"\x0112345abc",
            Some(b"ab"),
        );
    }
}
