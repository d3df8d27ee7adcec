//! Any text as a cookie and as a digest challenge: no panic, and what is sent holds no line end.

#![no_main]

use libfuzzer_sys::fuzz_target;
use netload_http::auth::Challenge;
use netload_http::{Jar, SetCookie, Url};

fuzz_target!(|text: &str| {
    let _ = Challenge::parse(text);
    let Ok(url) = Url::parse("https://www.example.com/a/b") else {
        return;
    };
    if let Some(cookie) = SetCookie::parse(text) {
        let mut jar = Jar::new();
        jar.set(&url, &cookie, 0);
        let line = jar.header_for(&url, 0, |_| false);
        assert!(!line.contains(['\r', '\n']));
    }
});
