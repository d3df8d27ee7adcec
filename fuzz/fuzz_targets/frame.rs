//! Any bytes as a stored frame: refused, or a frame that can be added up, asked, and written again.

#![no_main]

use libfuzzer_sys::fuzz_target;
use netload_record::Frame;

fuzz_target!(|bytes: &[u8]| {
    let Ok(frame) = Frame::decode(bytes) else {
        return;
    };
    let mut again = Vec::new();
    frame.encode(&mut again);
    // Compared as bytes: values need not be equal to themselves.
    let mut twice = Vec::new();
    let read = Frame::decode(&again).expect("what was written can be read");
    read.encode(&mut twice);
    assert_eq!(again, twice);
    let mut sum = frame.clone();
    sum.merge(&read);
    for dist in sum.points.iter().filter_map(|(_, point)| point.dist()) {
        assert!((0.0..=1.0).contains(&dist.share_above(dist.quantile(0.9))));
    }
});
