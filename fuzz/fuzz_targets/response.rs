//! Any bytes as a response, in one piece, in two, and once more: no panic, and the same result.

#![no_main]

use libfuzzer_sys::fuzz_target;
use netload_http::BodyMode;
use netload_http::h1::{Decoder, H1Error, Progress, RecentHeads};

type Outcome = (Option<H1Error>, Vec<u8>, u64);

fn decode(pieces: &[&[u8]], recent: &mut RecentHeads) -> Outcome {
    let mut decoder = Decoder::new(BodyMode::Keep, false);
    let mut message = Vec::new();
    for piece in pieces {
        match decoder.feed(piece, &mut message, recent) {
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
    let mut recent = RecentHeads::default();
    let once = decode(&[bytes], &mut recent);
    assert_eq!(once, decode(&[first, second], &mut recent));
    assert_eq!(once, decode(&[bytes], &mut recent));
});
