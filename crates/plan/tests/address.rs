//! Addresses in options: what matches, what is taken in turn.

use std::net::IpAddr;

use netload_plan::address::{DnsTtl, HostAddress, HostPattern, LocalIps};

#[test]
fn host_patterns_match_whole_names_or_ends() {
    for (pattern, name, fits) in [
        ("example.com", "example.com", true),
        ("Example.com", "EXAMPLE.com", true),
        ("example.com", "www.example.com", false),
        ("*.example.com", "www.example.com", true),
        ("*.example.com", "a.b.example.com", true),
        ("*.example.com", "example.com", false),
        ("*", "anything", true),
        ("*.example.com:443", "www.example.com:443", true),
        ("*\u{e9}", "\u{e9}", true),
        ("*\u{e9}", "\u{1f600}", false),
    ] {
        let pattern: HostPattern = pattern.parse().unwrap();
        assert_eq!(pattern.matches(name), fits, "{pattern} {name}");
    }
    for text in ["", "a b", "a.*.b", "http://a"] {
        assert!(text.parse::<HostPattern>().is_err(), "{text}");
    }
}

#[test]
fn hosts_are_replaced_by_addresses_with_or_without_port() {
    for (text, ip, port) in [
        ("10.0.0.1", "10.0.0.1", None),
        ("10.0.0.1:8080", "10.0.0.1", Some(8080)),
        ("::1", "::1", None),
        ("[::1]", "::1", None),
        ("[::1]:443", "::1", Some(443)),
    ] {
        let address: HostAddress = text.parse().unwrap();
        assert_eq!((address.ip, address.port), (ip.parse().unwrap(), port));
    }
    for text in ["", "localhost", "10.0.0.1:", "10.0.0.1:99999", "10.0.0.0/8"] {
        assert!(text.parse::<HostAddress>().is_err(), "{text}");
    }
}

#[test]
fn local_addresses_take_turns() {
    let ips: LocalIps = "10.0.0.1, 10.0.0.5-10.0.0.6, 10.1.0.0/30, fd00::/127"
        .parse()
        .unwrap();
    assert_eq!(ips.count(), 7);
    let turns: Vec<String> = (0..8).map(|vu| ips.of_vu(vu).to_string()).collect();
    assert_eq!(
        turns,
        [
            "10.0.0.1", "10.0.0.5", "10.0.0.6", "10.1.0.1", "10.1.0.2", "fd00::", "fd00::1",
            "10.0.0.1"
        ]
    );
    let all: LocalIps = "::/0".parse().unwrap();
    assert_eq!(all.of_vu(1), "::1".parse::<IpAddr>().unwrap());
    for text in [
        "",
        "10.0.0.1-",
        "10.0.0.1-::1",
        "10.0.0.2-10.0.0.1",
        "10.0.0.0/33",
        "a",
    ] {
        assert!(text.parse::<LocalIps>().is_err(), "{text}");
    }
}

#[test]
fn dns_answers_are_kept_for_a_time_or_forever() {
    for (text, ttl) in [
        ("5m", DnsTtl::For(300_000_000_000)),
        ("0", DnsTtl::For(0)),
        ("1000", DnsTtl::For(1_000_000_000)),
        ("inf", DnsTtl::Forever),
    ] {
        assert_eq!(text.parse(), Ok(ttl));
    }
    assert!("never".parse::<DnsTtl>().is_err());
}
