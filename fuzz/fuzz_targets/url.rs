//! Any text as a URL: no panic, no control character in what would be sent, and printing loses nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use netload_http::Url;

fuzz_target!(|input: (&str, &str)| {
    let (base, reference) = input;
    let Ok(url) = Url::parse(base) else { return };
    assert!(!url.target().bytes().any(|byte| byte < b' ' || byte == 0x7f));
    let _ = url.origin();
    if let Ok(joined) = url.join(reference) {
        assert!(!joined.target().bytes().any(|byte| byte < b' ' || byte == 0x7f));
    }
});
