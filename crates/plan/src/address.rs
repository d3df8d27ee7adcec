//! Addresses in options: overridden hosts, blocked names, refused and local networks, DNS.
//!
//! Owns the vocabulary, its text forms and the matching of names. Leaves out resolving and dialing.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

pub use ipnet::IpNet;

use crate::duration::{self, Nanos, format_go};

/// What a host name is replaced by: an address, perhaps with a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostAddress {
    /// The address.
    pub ip: IpAddr,
    /// The port; `None` keeps that of the request.
    pub port: Option<u16>,
}

impl FromStr for HostAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(Self {
                ip: address.ip(),
                port: Some(address.port()),
            });
        }
        let bare = text.strip_prefix('[').and_then(|t| t.strip_suffix(']'));
        match bare.unwrap_or(text).parse() {
            Ok(ip) => Ok(Self { ip, port: None }),
            Err(_) => Err(format!(
                "`{text}` is neither an IP address nor address:port"
            )),
        }
    }
}

impl fmt::Display for HostAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Some(port) => write!(f, "{}", SocketAddr::new(self.ip, port)),
            None => write!(f, "{}", self.ip),
        }
    }
}

/// A host name or a pattern for names: `example.com`, `*.example.com`, `*`.
///
/// Compared without regard to case. The star stands only at the beginning, for anything.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostPattern(String);

impl HostPattern {
    /// Whether the name fits. `name` may carry a port when the pattern does.
    pub fn matches(&self, name: &str) -> bool {
        match self.0.strip_prefix('*') {
            Some(tail) => name
                .len()
                .checked_sub(tail.len())
                .and_then(|start| name.get(start..))
                .is_some_and(|end| end.eq_ignore_ascii_case(tail)),
            None => self.0.eq_ignore_ascii_case(name),
        }
    }

    /// The pattern as typed, in lower case.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for HostPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let tail = text.strip_prefix('*').unwrap_or(text);
        let odd = |c: char| c == '*' || c == '/' || c.is_whitespace();
        if text.is_empty() || tail.contains(odd) {
            return Err(format!("`{text}` is no host name"));
        }
        Ok(Self(text.to_ascii_lowercase()))
    }
}

impl fmt::Display for HostPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Addresses that connections come from, in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalIps {
    text: String,
    /// First address as a number, how many, and whether they are IPv6.
    ranges: Vec<(u128, u128, bool)>,
}

impl LocalIps {
    /// How many addresses there are; saturates.
    pub fn count(&self) -> u128 {
        let counts = self.ranges.iter().map(|range| range.1);
        counts.fold(0, u128::saturating_add)
    }

    /// The address of VU `index` (from 0): they take turns.
    pub fn of_vu(&self, index: u64) -> IpAddr {
        let mut rest = u128::from(index) % self.count().max(1);
        for (first, count, v6) in &self.ranges {
            if rest < *count {
                return address(first + rest, *v6);
            }
            rest -= count;
        }
        IpAddr::V6(Ipv6Addr::UNSPECIFIED)
    }
}

fn address(number: u128, v6: bool) -> IpAddr {
    match v6 {
        true => IpAddr::from(number.to_be_bytes()),
        false => IpAddr::from((number as u32).to_be_bytes()),
    }
}

fn number(ip: IpAddr) -> u128 {
    match ip {
        IpAddr::V4(ip) => u128::from(u32::from(ip)),
        IpAddr::V6(ip) => u128::from(ip),
    }
}

impl FromStr for LocalIps {
    type Err = String;

    /// Reads a comma list of addresses, ranges (`10.0.0.1-10.0.0.9`) and networks (`10.0.0.0/28`).
    fn from_str(text: &str) -> Result<Self, String> {
        let ranges = text
            .split(',')
            .map(|part| range(part.trim()))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            text: text.to_owned(),
            ranges,
        })
    }
}

fn range(text: &str) -> Result<(u128, u128, bool), String> {
    let unreadable = || format!("`{text}` is no address, range of addresses or network");
    let (first, last) = if let Some((first, last)) = text.split_once('-') {
        (
            first.trim().parse().map_err(|_| unreadable())?,
            last.trim().parse().map_err(|_| unreadable())?,
        )
    } else if text.contains('/') {
        let net: IpNet = text.parse().map_err(|_| unreadable())?;
        hosts_of(net)
    } else {
        let ip: IpAddr = text.parse().map_err(|_| unreadable())?;
        (ip, ip)
    };
    if first.is_ipv4() != last.is_ipv4() || number(first) > number(last) {
        return Err(unreadable());
    }
    let count = (number(last) - number(first)).saturating_add(1);
    Ok((number(first), count, first.is_ipv6()))
}

/// The first and last address of a network that a host can have.
fn hosts_of(net: IpNet) -> (IpAddr, IpAddr) {
    let (first, last) = (number(net.network()), number(net.broadcast()));
    match net {
        IpNet::V4(_) if last - first >= 3 => (address(first + 1, false), address(last - 1, false)),
        _ => (net.network(), net.broadcast()),
    }
}

impl fmt::Display for LocalIps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// How long answers of the resolver are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DnsTtl {
    /// For so many nanoseconds; 0 keeps nothing.
    For(Nanos),
    /// For the whole test.
    Forever,
}

impl FromStr for DnsTtl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "inf" => Ok(Self::Forever),
            text => duration::parse_k6(text)
                .map(Self::For)
                .map_err(|error| error.to_string()),
        }
    }
}

impl fmt::Display for DnsTtl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::For(ns) => f.write_str(&format_go(*ns)),
            Self::Forever => f.write_str("inf"),
        }
    }
}

/// Which of several addresses of a name is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DnsSelect {
    /// Always the first.
    First,
    /// Any.
    #[default]
    Random,
    /// One after the other.
    RoundRobin,
}

/// Which kinds of address are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DnsPolicy {
    /// IPv4, else IPv6.
    #[default]
    PreferIpv4,
    /// IPv6, else IPv4.
    PreferIpv6,
    /// Only IPv4.
    OnlyIpv4,
    /// Only IPv6.
    OnlyIpv6,
    /// Both alike.
    Any,
}

const SELECTS: [(&str, DnsSelect); 3] = [
    ("first", DnsSelect::First),
    ("random", DnsSelect::Random),
    ("roundRobin", DnsSelect::RoundRobin),
];

const POLICIES: [(&str, DnsPolicy); 5] = [
    ("preferIPv4", DnsPolicy::PreferIpv4),
    ("preferIPv6", DnsPolicy::PreferIpv6),
    ("onlyIPv4", DnsPolicy::OnlyIpv4),
    ("onlyIPv6", DnsPolicy::OnlyIpv6),
    ("any", DnsPolicy::Any),
];

/// Looks a word up in a table, without regard to case as k6 does.
fn word<T: Copy>(text: &str, words: &[(&str, T)]) -> Result<T, String> {
    let found = words
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
        format!("`{text}` is none of {}", names.join(", "))
    })
}

fn spelled<T: PartialEq>(value: &T, words: &[(&'static str, T)]) -> &'static str {
    let found = words.iter().find(|(_, other)| other == value);
    found.map_or("", |(name, _)| *name)
}

impl FromStr for DnsSelect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        word(text, &SELECTS)
    }
}

impl fmt::Display for DnsSelect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(spelled(self, &SELECTS))
    }
}

impl FromStr for DnsPolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        word(text, &POLICIES)
    }
}

impl fmt::Display for DnsPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(spelled(self, &POLICIES))
    }
}
