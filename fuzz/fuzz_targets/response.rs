//! Any bytes as a response, in one piece and in two: no panic, and the same result.

#![no_main]

use libfuzzer_sys::fuzz_target;
use netload_http::BodyMode;
use netload_http::h1::{Decoder, H1Error, Progress};

type Outcome = (Option<H1Error>, Vec<u8>, u64);

fn decode(pieces: &[&[u8]]) -> Outcome {
    let mut decoder = Decoder::new(BodyMode::Keep, false);
    let mut message = Vec::new();
    for piece in pieces {
        match decoder.feed(piece, &mut message) {
            Ok(Progress::More) => {}
            Ok(Progress::Done { .. }) => return (None, message, decoder.body_bytes()),
            Err(error) => return (Some(error), message, decoder.body_bytes()),
        }
    }
    let error = decoder.finish(&mut message).err();
    (error, message, decoder.body_bytes())
}

fuzz_target!(|input: (u16, &[u8])| {
    let (at, bytes) = input;
    let (first, second) = bytes.split_at(usize::from(at).min(bytes.len()));
    assert_eq!(decode(&[bytes]), decode(&[first, second]));
});
