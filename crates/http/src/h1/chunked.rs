//! The chunked transfer coding.
//!
//! Owns the state between two pieces of a chunked body. Invariant: accepts a bare line feed where Go does, and never
//! looks further than the line limit for the end of a line.

use super::{CHUNK_LINE_LIMIT_BYTES, H1Error, HEAD_LIMIT_BYTES};

/// Where in a chunked body we are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chunked {
    state: State,
    /// Bytes of the current line, or of all trailer lines.
    line_bytes: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// In the digits of a size.
    Size {
        value: u64,
        digits: bool,
    },
    /// Behind the digits, before the end of the line.
    Extension {
        value: u64,
    },
    /// In the bytes of a chunk.
    Data {
        left: u64,
    },
    /// The line end behind a chunk's bytes.
    DataEnd {
        first: Option<u8>,
    },
    /// In the trailer; `empty` while the current line has nothing but a carriage return.
    Trailer {
        empty: bool,
    },
    Done,
}

/// What a step found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step<'a> {
    /// A piece of the body.
    Data(&'a [u8]),
    /// Input used up.
    More,
    /// The body is complete.
    Done,
}

impl Default for Chunked {
    fn default() -> Self {
        Self {
            state: State::Size {
                value: 0,
                digits: false,
            },
            line_bytes: 0,
        }
    }
}

impl Chunked {
    /// Advances over `input`, which is shortened by what was consumed.
    pub(crate) fn step<'a>(&mut self, input: &mut &'a [u8]) -> Result<Step<'a>, H1Error> {
        loop {
            if self.state == State::Done {
                return Ok(Step::Done);
            }
            if let State::Data { left } = self.state {
                if input.is_empty() {
                    return Ok(Step::More);
                }
                return Ok(Step::Data(self.data(input, left)));
            }
            let Some((&byte, rest)) = input.split_first() else {
                return Ok(Step::More);
            };
            *input = rest;
            self.state = self.line_byte(byte)?;
        }
    }

    fn data<'a>(&mut self, input: &mut &'a [u8], left: u64) -> &'a [u8] {
        let take = input.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let (data, rest) = input.split_at(take);
        *input = rest;
        let left = left - take as u64;
        self.state = if left == 0 {
            State::DataEnd { first: None }
        } else {
            State::Data { left }
        };
        data
    }

    /// The state behind one byte outside of chunk data.
    fn line_byte(&mut self, byte: u8) -> Result<State, H1Error> {
        self.line_bytes += 1;
        match self.state {
            State::Size { value, digits } => {
                if self.line_bytes > CHUNK_LINE_LIMIT_BYTES {
                    return Err(H1Error::ChunkLine);
                }
                match (char::from(byte).to_digit(16), byte) {
                    (Some(_), _) if value >> 60 != 0 => Err(H1Error::Chunk),
                    (Some(digit), _) => Ok(State::Size {
                        value: value << 4 | u64::from(digit),
                        digits: true,
                    }),
                    (None, b'\n') if digits => Ok(self.size_known(value)),
                    (None, b';' | b'\r' | b' ' | b'\t') if digits => Ok(State::Extension { value }),
                    _ => Err(H1Error::Chunk),
                }
            }
            State::Extension { .. } if self.line_bytes > CHUNK_LINE_LIMIT_BYTES => {
                Err(H1Error::ChunkLine)
            }
            State::Extension { value } => match byte {
                b'\n' => Ok(self.size_known(value)),
                _ => Ok(State::Extension { value }),
            },
            // Judged when both bytes are there, so that a cut body is told from a broken one as Go tells them.
            State::DataEnd { first: None } => Ok(State::DataEnd { first: Some(byte) }),
            State::DataEnd { first: Some(b'\r') } if byte == b'\n' => {
                *self = Self::default();
                Ok(self.state)
            }
            State::DataEnd { .. } => Err(H1Error::Chunk),
            State::Trailer { .. } if self.line_bytes > HEAD_LIMIT_BYTES => {
                Err(H1Error::HeadTooLong)
            }
            State::Trailer { empty } => match byte {
                b'\n' if empty => Ok(State::Done),
                b'\n' => Ok(State::Trailer { empty: true }),
                b'\r' => Ok(State::Trailer { empty }),
                _ => Ok(State::Trailer { empty: false }),
            },
            state @ (State::Data { .. } | State::Done) => Ok(state),
        }
    }

    fn size_known(&mut self, value: u64) -> State {
        self.line_bytes = 0;
        match value {
            0 => State::Trailer { empty: true },
            left => State::Data { left },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(input: &str, expected: Result<&str, H1Error>) {
        let mut chunked = Chunked::default();
        let mut body = Vec::new();
        let mut rest = input.as_bytes();
        let result = loop {
            match chunked.step(&mut rest) {
                Ok(Step::Data(data)) => body.extend_from_slice(data),
                Ok(Step::More) => break Ok(format!("{}+", String::from_utf8_lossy(&body))),
                Ok(Step::Done) => {
                    let left = String::from_utf8_lossy(rest);
                    break Ok(format!("{}|{left}", String::from_utf8_lossy(&body)));
                }
                Err(error) => break Err(error),
            }
        };
        assert_eq!(result.as_deref(), expected.as_deref(), "{input:?}");
    }

    #[test]
    fn whole_bodies() {
        check("5\r\nhello\r\n0\r\n\r\n", Ok("hello|"));
        check(
            "2\r\nhe\r\n3;x=\"y\"\r\nllo\r\n0\r\n\r\nrest",
            Ok("hello|rest"),
        );
        check(
            "A \r\n0123456789\r\n0\r\nT: v\r\nU: w\r\n\r\n",
            Ok("0123456789|"),
        );
        check("1\na\r\n0\n\n", Ok("a|"));
    }

    #[test]
    fn unfinished_bodies() {
        check("", Ok("+"));
        check("5\r\nhel", Ok("hel+"));
        check("5\r\nhello\r\n0\r\n", Ok("hello+"));
    }

    #[test]
    fn broken_bodies() {
        check("x\r\n", Err(H1Error::Chunk));
        check("\r\n", Err(H1Error::Chunk));
        check("-1\r\n", Err(H1Error::Chunk));
        check("2\r\nhelp\r\n", Err(H1Error::Chunk));
        check("fffffffffffffffff\r\n", Err(H1Error::Chunk));
        let long = format!("1;{}\r\n", "e".repeat(CHUNK_LINE_LIMIT_BYTES));
        check(&long, Err(H1Error::ChunkLine));
        let trailer = format!("0\r\nT: {}", "e".repeat(HEAD_LIMIT_BYTES));
        check(&trailer, Err(H1Error::HeadTooLong));
    }
}
