//! Content codings: gzip, deflate (zlib), brotli, zstd, alone and in chains.
//!
//! Owns decoding of response bodies and encoding of request bodies. Invariant: a decoded body never exceeds the
//! limit, however small the encoded one was.

use std::io::{self, Read, Write as _};

use crate::error::HttpError;

/// Largest body that decompression may produce, in bytes.
pub const DECODED_LIMIT_BYTES: u64 = 256 << 20;

/// Most codings in one chain.
const CHAIN_LIMIT: usize = 8;

/// Brotli's middle way between speed and size, as Go's encoder has it.
const BROTLI_QUALITY: i32 = 6;
const BROTLI_WINDOW: i32 = 22;

/// One content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coding {
    /// `gzip`
    Gzip,
    /// `deflate`, which on the web means zlib
    Deflate,
    /// `br`
    Brotli,
    /// `zstd`
    Zstd,
}

impl Coding {
    /// Parses exactly the four names; other spellings are not known to k6 either.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "br" => Some(Self::Brotli),
            "zstd" => Some(Self::Zstd),
            _ => None,
        }
    }

    /// The name in headers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Brotli => "br",
            Self::Zstd => "zstd",
        }
    }
}

/// Decodes a body by its `Content-Encoding`. `None` when there is nothing to decode: no coding, none that is known, or an
/// empty body; it is to be taken as it is then. Unknown codings among known ones are passed over.
///
/// # Errors
/// When the body is broken, cut, or grows beyond the limit.
pub fn decode(content_encoding: &str, body: &[u8]) -> Result<Option<Vec<u8>>, HttpError> {
    let names = content_encoding.split(',').map(str::trim);
    let chain: Vec<Coding> = names.filter_map(Coding::parse).collect();
    if chain.len() > CHAIN_LIMIT {
        return Err(HttpError::Decompress {
            reason: format!("more than {CHAIN_LIMIT} codings"),
        });
    }
    if body.is_empty() {
        return Ok(None);
    }
    let mut decoded = None;
    for coding in chain.iter().rev() {
        let input = decoded.as_deref().unwrap_or(body);
        decoded = Some(decode_one(*coding, input)?);
    }
    Ok(decoded)
}

fn decode_one(coding: Coding, input: &[u8]) -> Result<Vec<u8>, HttpError> {
    let mut out = Vec::with_capacity(input.len().saturating_mul(3).min(1 << 20));
    match coding {
        Coding::Gzip => {
            // A head that is cut counts as broken, a cut behind it as cut.
            if input.len() < 10 {
                return Err(HttpError::Decompress {
                    reason: "unexpected EOF".to_owned(),
                });
            }
            drain(flate2::read::MultiGzDecoder::new(input), &mut out)?;
        }
        Coding::Deflate => drain(flate2::read::ZlibDecoder::new(input), &mut out)?,
        Coding::Brotli => drain(
            brotli::Decompressor::new(UntilCut(input), 16 * 1024),
            &mut out,
        )?,
        Coding::Zstd => drain(
            zstd::stream::read::Decoder::with_buffer(input).map_err(failure)?,
            &mut out,
        )?,
    }
    Ok(out)
}

/// Makes the end of the input an error of its own, which the brotli decoder would not tell from nonsense.
struct UntilCut<'a>(&'a [u8]);

impl Read for UntilCut<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            bytes => Ok(bytes),
        }
    }
}

fn drain(reader: impl Read, out: &mut Vec<u8>) -> Result<(), HttpError> {
    reader
        .take(DECODED_LIMIT_BYTES + 1)
        .read_to_end(out)
        .map_err(failure)?;
    if out.len() as u64 > DECODED_LIMIT_BYTES {
        return Err(HttpError::DecompressLimit);
    }
    Ok(())
}

fn failure(error: io::Error) -> HttpError {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        HttpError::DecompressCut
    } else {
        HttpError::Decompress {
            reason: error.to_string(),
        }
    }
}

/// Encodes a request body with one coding.
///
/// # Errors
/// When an encoder fails, which none does on memory.
pub fn encode(coding: Coding, body: &[u8]) -> Result<Vec<u8>, HttpError> {
    let level = flate2::Compression::default();
    let encoded = match coding {
        Coding::Gzip => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
            encoder.write_all(body).and_then(|()| encoder.finish())
        }
        Coding::Deflate => {
            let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
            encoder.write_all(body).and_then(|()| encoder.finish())
        }
        Coding::Brotli => {
            let params = brotli::enc::BrotliEncoderParams {
                quality: BROTLI_QUALITY,
                lgwin: BROTLI_WINDOW,
                ..Default::default()
            };
            let mut out = Vec::new();
            brotli::BrotliCompress(&mut &body[..], &mut out, &params).map(|_| out)
        }
        Coding::Zstd => zstd::stream::encode_all(body, 0),
    };
    encoded.map_err(|error| HttpError::request(format!("compressing the body failed: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Coding; 4] = [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd];

    #[test]
    fn every_coding_and_every_pair_round_trips() {
        let body = b"hello, hello, hello, world".repeat(40);
        for first in ALL {
            let once = encode(first, &body).unwrap();
            assert!(once.len() < body.len());
            assert_eq!(decode(first.as_str(), &once).unwrap().unwrap(), body);
            for second in ALL {
                let twice = encode(second, &once).unwrap();
                let chain = format!("{}, {}", first.as_str(), second.as_str());
                assert_eq!(decode(&chain, &twice).unwrap().unwrap(), body, "{chain}");
            }
        }
    }

    #[test]
    fn unknown_codings_are_left_alone() {
        for name in ["", "identity", "GZIP", "x-gzip", "foo, bar"] {
            assert_eq!(decode(name, b"body"), Ok(None), "{name}");
        }
        let packed = encode(Coding::Gzip, b"body").unwrap();
        for chain in ["gzip, foo", "foo, gzip", "gzip,"] {
            assert_eq!(
                decode(chain, &packed),
                Ok(Some(b"body".to_vec())),
                "{chain}"
            );
        }
        assert_eq!(decode("gzip", b""), Ok(None));
    }

    #[test]
    fn broken_and_cut_bodies_have_their_codes() {
        let code = |coding: Coding, body: &[u8]| {
            decode(coding.as_str(), body).map_err(|error| error.code())
        };
        for coding in ALL {
            assert_eq!(
                code(coding, b"certainly not compressed"),
                Err(1701),
                "{coding:?}"
            );
            let body = encode(coding, &b"some text that is long enough".repeat(50)).unwrap();
            let cut = code(coding, &body[..body.len() - 6]);
            assert_eq!(cut, Err(1000), "{coding:?}");
        }
        assert_eq!(code(Coding::Gzip, b"abc"), Err(1701));
    }

    #[test]
    fn bombs_are_defused() {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let block = vec![0; 1 << 20];
        for _ in 0..=DECODED_LIMIT_BYTES >> 20 {
            encoder.write_all(&block).unwrap();
        }
        let bomb = encoder.finish().unwrap();
        assert_eq!(decode("gzip", &bomb), Err(HttpError::DecompressLimit));
    }
}
