//! Durations as text: the two grammars, their errors, and printing.

use netload_plan::duration::{LONGEST_NS, format_go, format_tenths, from_json, parse_go, parse_k6};
use proptest::prelude::*;
use serde_json::json;

const S: u64 = 1_000_000_000;

#[test]
fn the_command_line_takes_go_syntax() {
    for (text, ns) in [
        ("0", 0),
        ("0s", 0),
        ("10s", 10 * S),
        ("1h2m3.5s", 3723 * S + S / 2),
        ("1.5h", 5400 * S),
        (".5s", S / 2),
        ("1.s", S),
        ("250ms", S / 4),
        ("3us", 3_000),
        ("3\u{b5}s", 3_000),
        ("7ns", 7),
        ("1.9ns", 1),
        ("+2s", 2 * S),
        ("0.000000001s", 1),
    ] {
        assert_eq!(parse_go(text), Ok(ns), "{text}");
    }
}

#[test]
fn scripts_may_also_write_days_and_milliseconds() {
    for (text, ns) in [
        ("10000", 10 * S),
        ("1.5", 1_500_000),
        ("2d", 2 * 86_400 * S),
        ("1d12h", 36 * 3600 * S),
        ("0d0s", 0),
        ("30s", 30 * S),
    ] {
        assert_eq!(parse_k6(text), Ok(ns), "{text}");
    }
    assert_eq!(from_json(&json!(1500)), Ok(3 * S / 2));
    assert_eq!(from_json(&json!(1.5)), Ok(1_500_000));
    assert_eq!(from_json(&json!("1m")), Ok(60 * S));
}

#[test]
fn what_is_no_duration_says_why() {
    for (text, message) in [
        ("10", "the unit is missing in the duration `10`"),
        ("", "`` is not a duration"),
        ("s", "`s` is not a duration"),
        ("1x", "`x` is not a unit of time (in `1x`)"),
        ("1d", "`d` is not a unit of time (in `1d`)"),
        ("1.2.3s", "`1.2.3s` is not a duration"),
        ("-5s", "the duration `-5s` is negative"),
        ("-", "`-` is not a duration"),
        ("9999999h", "the duration `9999999h` is too long"),
        (
            "99999999999999999999999999999999999999999999s",
            "the duration `99999999999999999999999999999999999999999999s` is too long",
        ),
        ("1 s", "` s` is not a unit of time (in `1 s`)"),
    ] {
        assert_eq!(parse_go(text).unwrap_err().to_string(), message);
    }
    for (text, message) in [
        ("-5", "the duration `-5` is negative"),
        ("1e300", "the duration `1e300` is too long"),
        ("99999999999d", "the duration `99999999999d` is too long"),
        ("1.5d", "`1.5d` is not a duration"),
        ("nan", "`nan` is not a duration"),
    ] {
        assert_eq!(parse_k6(text).unwrap_err().to_string(), message);
    }
    assert_eq!(
        from_json(&json!([1])).unwrap_err().to_string(),
        "a duration is a number of milliseconds or a text such as \"30s\", not a list"
    );
    assert!(from_json(&json!(-1)).is_err());
}

#[test]
fn durations_print_as_in_go() {
    for (ns, text) in [
        (0, "0s"),
        (1, "1ns"),
        (1_100, "1.1\u{b5}s"),
        (500_000_000, "500ms"),
        (1_500_000, "1.5ms"),
        (3 * S / 2, "1.5s"),
        (90 * S, "1m30s"),
        (600 * S, "10m0s"),
        (3600 * S, "1h0m0s"),
        (3723 * S + 1, "1h2m3.000000001s"),
        (LONGEST_NS, "2562047h47m16.854775807s"),
    ] {
        assert_eq!(format_go(ns), text);
    }
    assert_eq!(format_tenths(30_010_000_000), "30s");
    assert_eq!(format_tenths(110_526_315_790), "1m50.5s");
    assert_eq!(
        format_tenths(u64::MAX),
        format_go(u64::MAX / (S / 10) * (S / 10))
    );
}

proptest! {
    #[test]
    fn printing_and_parsing_are_inverse(ns in 0..=LONGEST_NS) {
        prop_assert_eq!(parse_go(&format_go(ns)), Ok(ns));
        prop_assert_eq!(parse_k6(&format_go(ns)), Ok(ns));
    }

    #[test]
    fn no_text_panics(text in "[0-9.+dhmsnu\u{b5}eE-]{0,12}") {
        let _ = parse_go(&text);
        let _ = parse_k6(&text);
    }
}
