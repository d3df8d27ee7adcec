//! The user's own say about names and addresses: `hosts`, `blockHostnames`, `blacklistIPs`, `--connect-to`.
//!
//! Owns the parsing and matching of those lists; asks no resolver. Invariant: matching never fails, all mistakes are
//! found when the lists are parsed.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use crate::error::NetError;

/// Where a name was redirected: an address, and a port when the rule names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Redirected {
    pub(crate) ip: IpAddr,
    pub(crate) port: Option<u16>,
}

/// The `hosts` option.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hosts {
    exact: HashMap<String, Redirected>,
    /// Suffixes of `*` patterns, longest first.
    wildcards: Vec<(String, Redirected)>,
}

impl Hosts {
    pub(crate) fn parse(rules: &[(String, String)]) -> Result<Self, NetError> {
        let mut hosts = Self::default();
        for (pattern, target) in rules {
            let redirected = parse_target(target).ok_or_else(|| NetError::Config {
                option: "hosts",
                message: format!("\"{target}\" for \"{pattern}\" is not an IP address or IP:port."),
            })?;
            let pattern = pattern.to_ascii_lowercase();
            match pattern.strip_prefix('*') {
                Some(suffix) if suffix.contains('*') => {
                    return Err(NetError::Config {
                        option: "hosts",
                        message: format!("\"{pattern}\" may have one * and only at its start."),
                    });
                }
                Some(suffix) => hosts.wildcards.push((suffix.to_owned(), redirected)),
                None => {
                    hosts.exact.insert(pattern, redirected);
                }
            }
        }
        hosts
            .wildcards
            .sort_by_key(|(suffix, _)| std::cmp::Reverse(suffix.len()));
        Ok(hosts)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.exact.is_empty() && self.wildcards.is_empty()
    }

    /// Looks for a rule, first with the port, then without. `host` is in lower case.
    pub(crate) fn find(&self, host: &str, port: u16) -> Option<Redirected> {
        if self.is_empty() {
            return None;
        }
        self.find_name(&format!("{host}:{port}"))
            .or_else(|| self.find_name(host))
    }

    fn find_name(&self, name: &str) -> Option<Redirected> {
        self.exact.get(name).copied().or_else(|| {
            self.wildcards
                .iter()
                .find(|(suffix, _)| name.ends_with(suffix.as_str()))
                .map(|(_, redirected)| *redirected)
        })
    }
}

fn parse_target(text: &str) -> Option<Redirected> {
    if let Ok(address) = text.parse::<SocketAddr>() {
        return Some(Redirected {
            ip: address.ip(),
            port: Some(address.port()),
        });
    }
    let bare = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
        .unwrap_or(text);
    Some(Redirected {
        ip: bare.parse().ok()?,
        port: None,
    })
}

/// The `blockHostnames` option: names, each with an optional leading `*`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blocked(Vec<String>);

impl Blocked {
    pub(crate) fn parse(patterns: &[String]) -> Result<Self, NetError> {
        let mut list = Vec::with_capacity(patterns.len());
        for pattern in patterns {
            if pattern.is_empty() || pattern[1..].contains('*') {
                return Err(NetError::Config {
                    option: "blockHostnames",
                    message: format!("\"{pattern}\" may have one * and only at its start."),
                });
            }
            list.push(pattern.to_ascii_lowercase());
        }
        Ok(Self(list))
    }

    /// The pattern that forbids `host`, which is in lower case.
    pub(crate) fn find(&self, host: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|pattern| match pattern.strip_prefix('*') {
                Some(suffix) => host.ends_with(suffix),
                None => host == pattern.as_str(),
            })
            .map(String::as_str)
    }
}

/// One range of addresses, `10.0.0.0/8` or a single address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    text: String,
    network: u128,
    prefix: u32,
    v4: bool,
}

impl Range {
    /// Parses a CIDR range or a single address.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (ip, prefix) = match text.split_once('/') {
            Some((ip, prefix)) => (ip.parse::<IpAddr>().ok()?, Some(prefix.parse().ok()?)),
            None => (text.parse::<IpAddr>().ok()?, None),
        };
        let (bits, v4) = as_bits(ip);
        let width = if v4 { 32 } else { 128 };
        let prefix = prefix.unwrap_or(width);
        (prefix <= width).then(|| Self {
            text: text.to_owned(),
            network: bits,
            prefix: prefix + (128 - width),
            v4,
        })
    }

    pub(crate) fn contains(&self, ip: IpAddr) -> bool {
        let (bits, v4) = as_bits(ip);
        v4 == self.v4 && (self.prefix == 0 || (bits ^ self.network) >> (128 - self.prefix) == 0)
    }

    /// First address and how many there are (saturating).
    pub(crate) fn span(&self) -> (IpAddr, u128) {
        let count = 1u128.checked_shl(128 - self.prefix).unwrap_or(u128::MAX);
        let start = if count == u128::MAX {
            0
        } else {
            self.network & !(count - 1)
        };
        (from_bits(start, self.v4), count)
    }
}

/// An address as 128 bits (IPv4 in the low 32), and whether it is IPv4. Mapped addresses count as IPv4.
pub(crate) fn as_bits(ip: IpAddr) -> (u128, bool) {
    match ip.to_canonical() {
        IpAddr::V4(ip) => (u128::from(ip.to_bits()), true),
        IpAddr::V6(ip) => (ip.to_bits(), false),
    }
}

/// The inverse of [`as_bits`].
pub(crate) fn from_bits(bits: u128, v4: bool) -> IpAddr {
    if v4 {
        IpAddr::from((bits as u32).to_be_bytes())
    } else {
        IpAddr::V6(Ipv6Addr::from_bits(bits))
    }
}

/// The `blacklistIPs` option.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blacklist(Vec<Range>);

impl Blacklist {
    pub(crate) fn parse(ranges: &[String]) -> Result<Self, NetError> {
        ranges
            .iter()
            .map(|text| {
                Range::parse(text).ok_or_else(|| NetError::Config {
                    option: "blacklistIPs",
                    message: format!("\"{text}\" is not a range such as 10.0.0.0/8."),
                })
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// # Errors
    /// When a range holds the address.
    pub(crate) fn admit(&self, ip: IpAddr) -> Result<(), NetError> {
        match self.0.iter().find(|range| range.contains(ip)) {
            Some(range) => Err(NetError::Blacklisted {
                ip,
                range: range.text.clone(),
            }),
            None => Ok(()),
        }
    }
}

/// One `--connect-to HOST1:PORT1:HOST2:PORT2` rule; an empty part matches, or keeps, anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConnectTo {
    from_host: Option<String>,
    from_port: Option<u16>,
    to_host: Option<String>,
    to_port: Option<u16>,
}

impl ConnectTo {
    pub(crate) fn parse(text: &str) -> Result<Self, NetError> {
        let wrong = || NetError::Config {
            option: "connect-to",
            message: format!("\"{text}\" is not of the form HOST1:PORT1:HOST2:PORT2."),
        };
        let parts = split_outside_brackets(text);
        let [from_host, from_port, to_host, to_port] = parts.as_slice() else {
            return Err(wrong());
        };
        let port = |text: &str| match text {
            "" => Ok(None),
            digits => digits.parse().map(Some).map_err(|_| wrong()),
        };
        let host = |text: &str| {
            let bare = text.trim_start_matches('[').trim_end_matches(']');
            (!bare.is_empty()).then(|| bare.to_ascii_lowercase())
        };
        Ok(Self {
            from_host: host(from_host),
            from_port: port(from_port)?,
            to_host: host(to_host),
            to_port: port(to_port)?,
        })
    }

    /// Where to connect instead, when the rule applies.
    pub(crate) fn apply(&self, host: &str, port: u16) -> Option<(String, u16)> {
        let applies = self.from_host.as_deref().is_none_or(|from| from == host)
            && self.from_port.is_none_or(|from| from == port);
        applies.then(|| {
            (
                self.to_host.clone().unwrap_or_else(|| host.to_owned()),
                self.to_port.unwrap_or(port),
            )
        })
    }
}

/// Splits at colons, but not at those of an IPv6 address in brackets.
pub(crate) fn split_outside_brackets(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut inside) = (0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'[' => inside = true,
            b']' => inside = false,
            b':' if !inside => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(rules: &[(&str, &str)]) -> Hosts {
        let rules: Vec<_> = rules
            .iter()
            .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()))
            .collect();
        Hosts::parse(&rules).unwrap()
    }

    fn found(hosts: &Hosts, host: &str, port: u16) -> String {
        match hosts.find(host, port) {
            Some(Redirected { ip, port: None }) => ip.to_string(),
            Some(Redirected {
                ip,
                port: Some(port),
            }) => format!("{ip}:{port}"),
            None => "-".to_owned(),
        }
    }

    #[test]
    fn the_rule_with_the_port_wins_then_the_longest_wildcard() {
        let hosts = hosts(&[
            ("Test.k6.io", "1.2.3.4"),
            ("test.k6.io:443", "1.2.3.5:8443"),
            ("*.grafana.com", "10.0.0.1"),
            ("*.eu.grafana.com", "[::1]:8080"),
        ]);
        assert_eq!(found(&hosts, "test.k6.io", 80), "1.2.3.4");
        assert_eq!(found(&hosts, "test.k6.io", 443), "1.2.3.5:8443");
        assert_eq!(found(&hosts, "a.grafana.com", 80), "10.0.0.1");
        assert_eq!(found(&hosts, "a.eu.grafana.com", 80), "::1:8080");
        assert_eq!(found(&hosts, "grafana.com", 80), "-");
    }

    #[test]
    fn a_target_that_is_no_address_is_refused() {
        let rules = [("a".to_owned(), "b".to_owned())];
        let text = Hosts::parse(&rules).unwrap_err().to_string();
        assert_eq!(
            text,
            "hosts: \"b\" for \"a\" is not an IP address or IP:port."
        );
    }

    #[test]
    fn blocked_names() {
        let blocked = Blocked::parse(&["*.Bad.com".to_owned(), "exact.org".to_owned()]).unwrap();
        assert_eq!(blocked.find("x.bad.com"), Some("*.bad.com"));
        assert_eq!(blocked.find("exact.org"), Some("exact.org"));
        assert_eq!(blocked.find("bad.com"), None);
        assert!(Blocked::parse(&["a.*.b".to_owned()]).is_err());
        assert!(Blocked::parse(&[String::new()]).is_err());
    }

    #[test]
    fn black_lists_know_both_families() {
        let list = Blacklist::parse(&[
            "10.0.0.0/8".to_owned(),
            "fd00::/8".to_owned(),
            "192.168.1.1".to_owned(),
        ])
        .unwrap();
        let admitted = |ip: &str| list.admit(ip.parse().unwrap()).is_ok();
        assert!(!admitted("10.255.0.1"));
        assert!(!admitted("::ffff:10.1.1.1"));
        assert!(!admitted("fdff::1"));
        assert!(!admitted("192.168.1.1"));
        assert!(admitted("11.0.0.1"));
        assert!(admitted("192.168.1.2"));
        assert!(admitted("fe00::1"));
        assert!(Blacklist::parse(&["10.0.0.0/33".to_owned()]).is_err());
    }

    #[test]
    fn a_range_of_everything_holds_everything() {
        let list = Blacklist::parse(&["0.0.0.0/0".to_owned(), "::/0".to_owned()]).unwrap();
        assert!(list.admit("1.2.3.4".parse().unwrap()).is_err());
        assert!(list.admit("1::".parse().unwrap()).is_err());
    }

    #[test]
    fn connect_to_reads_as_curl_does() {
        let rule = ConnectTo::parse("a.com:80:[::1]:8080").unwrap();
        assert_eq!(rule.apply("a.com", 80), Some(("::1".to_owned(), 8080)));
        assert_eq!(rule.apply("a.com", 443), None);
        let any = ConnectTo::parse("::b.com:").unwrap();
        assert_eq!(any.apply("x", 81), Some(("b.com".to_owned(), 81)));
        assert!(ConnectTo::parse("a:b:c:d").is_err());
        assert!(ConnectTo::parse("a:1:c").is_err());
    }
}
