//! Names to addresses: k6's `dns` option over the system's resolver.
//!
//! Owns the cache (one per worker), the choice among addresses and the single flight of equal questions. Leaves out
//! the user's `hosts` and lists. Invariant: literal addresses and `localhost` never reach the resolver.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::rc::Rc;

use hickory_resolver::TokioResolver;
use hickory_resolver::config::LookupIpStrategy;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use tokio::sync::Notify;

use crate::clock::Clock;
use crate::error::NetError;

/// How many names a worker remembers; beyond it the stale ones, then all, are forgotten.
pub const CACHE_ENTRIES: usize = 10_000;

/// Which of several addresses is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DnsSelect {
    /// Always the first.
    First,
    /// Any, anew for each connection.
    #[default]
    Random,
    /// One after the other.
    RoundRobin,
}

/// Which address families are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DnsPolicy {
    /// IPv4 addresses if there are any, otherwise IPv6.
    #[default]
    PreferIpv4,
    /// IPv6 addresses if there are any, otherwise IPv4.
    PreferIpv6,
    /// Only IPv4.
    OnlyIpv4,
    /// Only IPv6.
    OnlyIpv6,
    /// All as they come.
    Any,
}

/// The `dns` option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DnsConfig {
    /// How long an answer is used: 0 asks every time, `u64::MAX` never asks again.
    pub ttl_ns: u64,
    /// Which of several addresses is used.
    pub select: DnsSelect,
    /// Which families are used.
    pub policy: DnsPolicy,
}

impl Default for DnsConfig {
    fn default() -> Self {
        Self {
            ttl_ns: 300_000_000_000,
            select: DnsSelect::default(),
            policy: DnsPolicy::default(),
        }
    }
}

/// A worker's resolver with its cache.
pub(crate) struct Dns {
    config: DnsConfig,
    clock: Clock,
    resolver: OnceCell<TokioResolver>,
    cache: RefCell<HashMap<Box<str>, Entry>>,
    in_flight: RefCell<HashMap<Box<str>, Rc<Notify>>>,
    random: RefCell<SmallRng>,
}

struct Entry {
    addresses: Rc<[IpAddr]>,
    expires_ns: u64,
    next: usize,
}

impl Dns {
    pub(crate) fn new(config: DnsConfig, clock: Clock) -> Self {
        let random = RefCell::new(SmallRng::seed_from_u64(clock.now_ns()));
        Self {
            random,
            config,
            clock,
            resolver: OnceCell::new(),
            cache: RefCell::default(),
            in_flight: RefCell::default(),
        }
    }

    /// The addresses to try for `host` (lower case), the chosen one first. Never empty.
    ///
    /// # Errors
    /// `NoSuchHost` when there is none of an allowed family, `Lookup` when the resolver failed.
    pub(crate) async fn lookup(&self, host: &str) -> Result<Vec<IpAddr>, NetError> {
        if host == "localhost" {
            let both = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
            return Ok(filter(&both, self.config.policy));
        }
        loop {
            if let Some(chosen) = self.cached(host) {
                return Ok(chosen);
            }
            let waiting = match self.in_flight.borrow().get(host) {
                // Without a cache every caller asks for itself.
                Some(notify) if self.config.ttl_ns > 0 => Some(notify.clone()),
                _ => None,
            };
            match waiting {
                Some(notify) => notify.notified().await,
                None => return self.ask_and_remember(host).await,
            }
        }
    }

    fn cached(&self, host: &str) -> Option<Vec<IpAddr>> {
        let mut cache = self.cache.borrow_mut();
        let entry = cache.get_mut(host)?;
        if entry.expires_ns <= self.clock.now_ns() {
            cache.remove(host);
            return None;
        }
        let turn = entry.next;
        entry.next = entry.next.wrapping_add(1);
        Some(self.choose(&entry.addresses, turn))
    }

    fn choose(&self, addresses: &[IpAddr], turn: usize) -> Vec<IpAddr> {
        let start = match self.config.select {
            DnsSelect::First => 0,
            DnsSelect::Random => self.random.borrow_mut().random_range(0..addresses.len()),
            DnsSelect::RoundRobin => turn % addresses.len(),
        };
        let (before, from) = addresses.split_at(start);
        [from, before].concat()
    }

    async fn ask_and_remember(&self, host: &str) -> Result<Vec<IpAddr>, NetError> {
        let flight = Flight {
            dns: self,
            host: host.into(),
            notify: Rc::default(),
        };
        if self.config.ttl_ns > 0 {
            self.in_flight
                .borrow_mut()
                .insert(host.into(), flight.notify.clone());
        }
        let addresses: Rc<[IpAddr]> = self.ask(host).await?.into();
        if self.config.ttl_ns > 0 {
            self.remember(host, addresses.clone());
        }
        drop(flight);
        Ok(self.choose(&addresses, 0))
    }

    fn remember(&self, host: &str, addresses: Rc<[IpAddr]>) {
        let now_ns = self.clock.now_ns();
        let mut cache = self.cache.borrow_mut();
        if cache.len() >= CACHE_ENTRIES {
            cache.retain(|_, entry| entry.expires_ns > now_ns);
        }
        if cache.len() >= CACHE_ENTRIES {
            cache.clear();
        }
        let entry = Entry {
            addresses,
            expires_ns: now_ns.saturating_add(self.config.ttl_ns),
            next: 1,
        };
        cache.insert(host.into(), entry);
    }

    async fn ask(&self, host: &str) -> Result<Vec<IpAddr>, NetError> {
        let no_such_host = || NetError::NoSuchHost { host: host.into() };
        if host.is_empty() {
            return Err(no_such_host());
        }
        let answer = self.resolver(host)?.lookup_ip(host).await;
        let all: Vec<IpAddr> = match answer {
            Ok(answer) => answer.iter().collect(),
            Err(error) if error.is_no_records_found() => return Err(no_such_host()),
            Err(error) => {
                return Err(NetError::Lookup {
                    host: host.into(),
                    reason: error.to_string(),
                });
            }
        };
        let usable = filter(&all, self.config.policy);
        if usable.is_empty() {
            return Err(no_such_host());
        }
        Ok(usable)
    }

    fn resolver(&self, host: &str) -> Result<&TokioResolver, NetError> {
        if let Some(resolver) = self.resolver.get() {
            return Ok(resolver);
        }
        let failed = |error: hickory_resolver::net::NetError| NetError::Lookup {
            host: host.into(),
            reason: error.to_string(),
        };
        let mut builder = TokioResolver::builder_tokio().map_err(failed)?;
        let options = builder.options_mut();
        // Our own cache decides how long answers live.
        options.cache_size = 0;
        options.ip_strategy = match self.config.policy {
            DnsPolicy::OnlyIpv4 => LookupIpStrategy::Ipv4Only,
            DnsPolicy::OnlyIpv6 => LookupIpStrategy::Ipv6Only,
            _ => LookupIpStrategy::Ipv4AndIpv6,
        };
        let resolver = builder.build().map_err(failed)?;
        Ok(self.resolver.get_or_init(|| resolver))
    }
}

/// Wakes those who wait for the same name, also when the asker is dropped midway.
struct Flight<'a> {
    dns: &'a Dns,
    host: Box<str>,
    notify: Rc<Notify>,
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        if self.dns.config.ttl_ns > 0 {
            self.dns.in_flight.borrow_mut().remove(&self.host);
            self.notify.notify_waiters();
        }
    }
}

fn filter(addresses: &[IpAddr], policy: DnsPolicy) -> Vec<IpAddr> {
    let of = |v4: bool| -> Vec<IpAddr> {
        let same = addresses.iter().filter(|ip| ip.is_ipv4() == v4);
        same.copied().collect()
    };
    let prefer = |v4: bool| {
        let preferred = of(v4);
        if preferred.is_empty() {
            of(!v4)
        } else {
            preferred
        }
    };
    match policy {
        DnsPolicy::OnlyIpv4 => of(true),
        DnsPolicy::OnlyIpv6 => of(false),
        DnsPolicy::PreferIpv4 => prefer(true),
        DnsPolicy::PreferIpv6 => prefer(false),
        DnsPolicy::Any => addresses.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ips(text: &str) -> Vec<IpAddr> {
        text.split(' ').map(|ip| ip.parse().unwrap()).collect()
    }

    #[test]
    fn policies_choose_families() {
        let mixed = ips("::1 1.1.1.1 ::2 2.2.2.2");
        let check = |policy, expected: &str| assert_eq!(filter(&mixed, policy), ips(expected));
        check(DnsPolicy::PreferIpv4, "1.1.1.1 2.2.2.2");
        check(DnsPolicy::PreferIpv6, "::1 ::2");
        check(DnsPolicy::OnlyIpv4, "1.1.1.1 2.2.2.2");
        check(DnsPolicy::OnlyIpv6, "::1 ::2");
        check(DnsPolicy::Any, "::1 1.1.1.1 ::2 2.2.2.2");
        assert_eq!(filter(&ips("::1"), DnsPolicy::PreferIpv4), ips("::1"));
        assert!(filter(&ips("::1"), DnsPolicy::OnlyIpv4).is_empty());
    }

    #[test]
    fn round_robin_takes_turns_and_keeps_the_rest_in_reserve() {
        let config = DnsConfig {
            select: DnsSelect::RoundRobin,
            ..DnsConfig::default()
        };
        let dns = Dns::new(config, Clock::new());
        dns.remember("x", ips("1.1.1.1 2.2.2.2 3.3.3.3").into());
        assert_eq!(dns.cached("x").unwrap(), ips("2.2.2.2 3.3.3.3 1.1.1.1"));
        assert_eq!(dns.cached("x").unwrap(), ips("3.3.3.3 1.1.1.1 2.2.2.2"));
        assert_eq!(dns.cached("x").unwrap(), ips("1.1.1.1 2.2.2.2 3.3.3.3"));
    }

    #[test]
    fn answers_expire() {
        let config = DnsConfig {
            ttl_ns: 1,
            ..DnsConfig::default()
        };
        let dns = Dns::new(config, Clock::new());
        dns.remember("x", ips("1.1.1.1").into());
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert_eq!(dns.cached("x"), None);
    }

    #[test]
    fn the_cache_is_bounded() {
        let dns = Dns::new(DnsConfig::default(), Clock::new());
        for name in 0..CACHE_ENTRIES + 5 {
            dns.remember(&name.to_string(), ips("1.1.1.1").into());
        }
        assert!(dns.cache.borrow().len() <= CACHE_ENTRIES);
    }
}
