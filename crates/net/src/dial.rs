//! From an origin to an established connection.
//!
//! Owns the order of the steps (block list, redirection, name, black list, connect, tunnel, TLS) and their times.
//! Keeps no connections; pooling is the protocol's. Invariant: the times of the steps do not overlap.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use crate::clock::Clock;
use crate::dns::{Dns, DnsConfig};
use crate::error::NetError;
use crate::hosts::{Blacklist, Blocked, ConnectTo, Hosts};
use crate::instrument::Instrument;
use crate::origin::{Origin, Scheme, Speaks};
use crate::proxy::{Proxies, Proxy, ProxySettings};
use crate::socket::{Read, Socket};
use crate::source::LocalIps;
use crate::stamp;
use crate::tls::{Tls, TlsSessions, TlsSettings};
use crate::tls_stream::{RawBuffer, TlsFacts, TlsStream};

/// Longest time for a TCP connection to be established, all addresses of a name together.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// Everything that can be set about reaching servers, as plain values.
#[derive(Clone, Debug, Default)]
pub struct NetConfig {
    /// The `dns` option.
    pub dns: DnsConfig,
    /// The `hosts` option: name (with optional port and leading `*`) and what it stands for.
    pub hosts: Vec<(String, String)>,
    /// The `blockHostnames` option.
    pub block_hostnames: Vec<String>,
    /// The `blacklistIPs` option.
    pub blacklist_ips: Vec<String>,
    /// The `localIPs` option; empty means the kernel chooses.
    pub local_ips: String,
    /// `--connect-to` rules, the first that applies wins.
    pub connect_to: Vec<String>,
    /// Connect to this unix socket, whatever the URL says.
    pub unix_socket: Option<PathBuf>,
    /// Proxies; empty means none.
    pub proxy: ProxySettings,
    /// TLS; its ALPN list decides on HTTP/2 there.
    pub tls: TlsSettings,
    /// Speak HTTP/2 without asking where there is no TLS (prior knowledge).
    pub cleartext_http2: bool,
    /// Longest time to connect, over all addresses of a name; [`CONNECT_TIMEOUT`] unless set.
    pub connect_timeout: Option<Duration>,
    /// No kernel stamps: times are taken where other tools take them.
    pub no_stamps: bool,
}

/// A checked configuration, shared by all workers.
pub struct Network {
    dns: DnsConfig,
    hosts: Hosts,
    blocked: Blocked,
    blacklist: Blacklist,
    local_ips: LocalIps,
    connect_to: Vec<ConnectTo>,
    unix_socket: Option<PathBuf>,
    proxies: Proxies,
    tls: Tls,
    /// Versions of HTTP (without TLS, under TLS).
    speaks: (Speaks, Speaks),
    connect_timeout: Duration,
    stamps_wanted: bool,
}

impl Network {
    /// Checks a configuration. Where stamps are wanted the kernel makes them from here on, so also for the first answer.
    ///
    /// # Errors
    /// The first setting that cannot be used, with a sentence.
    pub fn new(config: &NetConfig) -> Result<Arc<Self>, NetError> {
        let local_ips = match config.local_ips.as_str() {
            "" => LocalIps::default(),
            list => LocalIps::parse(list)?,
        };
        let connect_to = config.connect_to.iter().map(|rule| ConnectTo::parse(rule));
        if !config.no_stamps {
            stamp::begin();
        }
        Ok(Arc::new(Self {
            connect_timeout: config.connect_timeout.unwrap_or(CONNECT_TIMEOUT),
            dns: config.dns,
            hosts: Hosts::parse(&config.hosts)?,
            blocked: Blocked::parse(&config.block_hostnames)?,
            blacklist: Blacklist::parse(&config.blacklist_ips)?,
            local_ips,
            connect_to: connect_to.collect::<Result<_, _>>()?,
            unix_socket: config.unix_socket.clone(),
            proxies: Proxies::parse(&config.proxy)?,
            tls: Tls::check(&config.tls)?,
            speaks: (
                match config.cleartext_http2 {
                    true => Speaks::Http2,
                    false => Speaks::Http1,
                },
                config.tls.speaks(),
            ),
            stamps_wanted: !config.no_stamps,
        }))
    }
}

/// What a VU brings to its connections.
#[derive(Debug, Default)]
pub struct VuLocal {
    /// Its source address.
    pub local_ip: Option<IpAddr>,
    /// The TLS sessions it may resume.
    pub tls: TlsSessions,
}

/// How long the steps to a connection took, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectTimes {
    /// Finding the address; 0 when nobody had to be asked.
    pub lookup_ns: u64,
    /// TCP handshake, and the tunnel through a proxy.
    pub connect_ns: u64,
    /// TLS handshake.
    pub tls_ns: u64,
}

/// The bytes of a connection, in the clear or under TLS.
#[derive(Debug)]
enum Stream {
    Plain(Socket),
    Tls(Box<TlsStream>),
}

/// An established connection. Dropping it closes it.
#[derive(Debug)]
pub struct Connection {
    stream: Stream,
    /// How long the steps took.
    pub times: ConnectTimes,
    /// The peer (the proxy, if there is one); `None` for unix sockets.
    pub remote: Option<SocketAddr>,
    /// What the TLS handshake agreed on.
    pub tls: Option<Rc<TlsFacts>>,
}

impl Connection {
    /// Sends `buffer[*done..]`, advancing `done`; ready when the kernel has all of it.
    ///
    /// # Errors
    /// The kernel's or the TLS library's.
    pub fn poll_write_all(
        &mut self,
        cx: &mut Context<'_>,
        buffer: &[u8],
        done: &mut usize,
    ) -> Poll<io::Result<()>> {
        let socket = match &mut self.stream {
            Stream::Plain(socket) => socket,
            Stream::Tls(tls) => return tls.poll_write_all(cx, buffer, done),
        };
        while *done < buffer.len() {
            match socket.poll_write(cx, &buffer[*done..]) {
                Poll::Ready(Ok(bytes)) => *done += bytes,
                Poll::Ready(Err(error)) => return Poll::Ready(Err(error)),
                Poll::Pending => return Poll::Pending,
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Reads what is there into `buffer`, which must not be empty. Zero bytes mean the peer closed.
    ///
    /// # Errors
    /// The kernel's or the TLS library's.
    #[inline]
    pub fn poll_read(&mut self, cx: &mut Context<'_>, buffer: &mut [u8]) -> Poll<io::Result<Read>> {
        match &mut self.stream {
            Stream::Plain(socket) => socket.poll_read(cx, buffer),
            Stream::Tls(tls) => tls.poll_read(cx, buffer),
        }
    }

    /// Whether the idle connection has been closed by the peer or holds bytes nobody asked for. Costs a system call.
    pub fn is_stale(&mut self) -> bool {
        match &mut self.stream {
            Stream::Plain(socket) => socket.is_stale(),
            Stream::Tls(tls) => tls.is_stale(),
        }
    }

    /// The socket underneath.
    pub fn socket_mut(&mut self) -> &mut Socket {
        match &mut self.stream {
            Stream::Plain(socket) => socket,
            Stream::Tls(tls) => &mut tls.socket,
        }
    }

    /// The socket underneath, to look at.
    pub fn socket(&self) -> &Socket {
        match &self.stream {
            Stream::Plain(socket) => socket,
            Stream::Tls(tls) => &tls.socket,
        }
    }
}

/// A worker's way to servers: the shared configuration with its own cache of names.
pub struct Dialer {
    network: Arc<Network>,
    dns: Dns,
    clock: Clock,
    raw: RawBuffer,
    instrument: Instrument,
}

impl Dialer {
    /// A dialer for one worker thread; must be used inside its tokio runtime.
    pub fn new(network: Arc<Network>, clock: Clock) -> Rc<Self> {
        Rc::new(Self {
            dns: Dns::new(network.dns, clock.clone()),
            network,
            clock,
            raw: RawBuffer::default(),
            instrument: Instrument::default(),
        })
    }

    /// The clock all times are taken with.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// What the worker knows about the quality of its measurements.
    pub fn instrument(&self) -> &Instrument {
        &self.instrument
    }

    /// Whether times are to be taken at the kernel.
    pub fn stamps_wanted(&self) -> bool {
        self.network.stamps_wanted
    }

    /// What VU number `vu` (from 1) brings along.
    pub fn vu_local(&self, vu: u64) -> VuLocal {
        VuLocal {
            local_ip: self.network.local_ips.pick(vu),
            tls: TlsSessions::default(),
        }
    }

    /// The proxy that must be asked in absolute form for `origin`: only for plain HTTP, TLS goes through a tunnel.
    pub fn plain_proxy(&self, origin: &Origin) -> Option<&Proxy> {
        match origin.scheme {
            Scheme::Http if self.network.unix_socket.is_none() => self.network.proxies.find(origin),
            _ => None,
        }
    }

    /// The versions of HTTP that a connection to `origin` may speak.
    #[inline]
    pub fn speaks(&self, origin: &Origin) -> Speaks {
        let (clear, under_tls) = self.network.speaks;
        match origin.scheme {
            Scheme::Https => under_tls,
            // A proxy that is asked in absolute form speaks HTTP/1.
            Scheme::Http if clear == Speaks::Http2 && self.plain_proxy(origin).is_some() => {
                Speaks::Http1
            }
            Scheme::Http => clear,
        }
    }

    /// Establishes a connection. The caller bounds it by the request's deadline; dropping the future gives up.
    ///
    /// # Errors
    /// Whatever went wrong first; see [`NetError`].
    pub async fn connect(&self, origin: &Origin, vu: &VuLocal) -> Result<Connection, NetError> {
        let mut times = ConnectTimes::default();
        let started_ns = self.clock.now_ns();
        let proxy = self.network.proxies.find(origin);
        let mut socket = match (&self.network.unix_socket, proxy) {
            (Some(path), _) => Socket::connect_unix(path, &self.clock)
                .await
                .map_err(|error| NetError::from_dial(&error))?,
            (None, Some(proxy)) => self.tcp(&proxy.host, proxy.port, vu, &mut times).await?,
            (None, None) => self.tcp(&origin.host, origin.port, vu, &mut times).await?,
        };
        if let (Some(proxy), Scheme::Https, None) =
            (proxy, origin.scheme, &self.network.unix_socket)
        {
            crate::tunnel::open(&mut socket, origin, proxy).await?;
        }
        let connected_ns = self.clock.now_ns();
        times.connect_ns = (connected_ns - started_ns).saturating_sub(times.lookup_ns);
        let remote = socket.peer();
        let (stream, tls) = match origin.scheme {
            Scheme::Http => (Stream::Plain(socket), None),
            Scheme::Https => {
                let config = vu.tls.config(&self.network.tls, &origin.host)?;
                let (stream, facts) =
                    TlsStream::handshake(socket, config, &origin.host, self.raw.clone()).await?;
                times.tls_ns = self.clock.now_ns() - connected_ns;
                (Stream::Tls(Box::new(stream)), Some(Rc::new(facts)))
            }
        };
        Ok(Connection {
            stream,
            times,
            remote,
            tls,
        })
    }

    async fn tcp(
        &self,
        host: &str,
        port: u16,
        vu: &VuLocal,
        times: &mut ConnectTimes,
    ) -> Result<Socket, NetError> {
        let started_ns = self.clock.now_ns();
        let addresses = self.addresses(host, port).await?;
        times.lookup_ns = self.clock.now_ns() - started_ns;
        let attempts = async {
            let mut first_error = None;
            for address in addresses {
                let stamps = self.network.stamps_wanted;
                match Socket::connect_tcp(address, vu.local_ip, stamps, &self.clock).await {
                    Ok(socket) => return Ok(socket),
                    Err(error) => {
                        first_error.get_or_insert(NetError::from_dial(&error));
                    }
                }
            }
            Err(first_error.unwrap_or_else(|| NetError::NoSuchHost { host: host.into() }))
        };
        tokio::time::timeout(self.network.connect_timeout, attempts)
            .await
            .unwrap_or(Err(NetError::DialTimeout))
    }

    /// The addresses to try, in order.
    async fn addresses(&self, host: &str, port: u16) -> Result<Vec<SocketAddr>, NetError> {
        if let Some(pattern) = self.network.blocked.find(host) {
            return Err(NetError::Blocked {
                host: host.into(),
                pattern: pattern.to_owned(),
            });
        }
        let mut rules = self.network.connect_to.iter();
        let elsewhere = rules.find_map(|rule| rule.apply(host, port));
        let (host, port) = match &elsewhere {
            Some((host, port)) => (host.as_str(), *port),
            None => (host, port),
        };
        let (ips, port) = if let Some(redirected) = self.network.hosts.find(host, port) {
            (vec![redirected.ip], redirected.port.unwrap_or(port))
        } else if let Ok(ip) = host.parse::<IpAddr>() {
            (vec![ip], port)
        } else {
            (self.dns.lookup(host).await?, port)
        };
        let mut admitted = Vec::with_capacity(ips.len());
        let mut refused = None;
        for ip in ips {
            match self.network.blacklist.admit(ip) {
                Ok(()) => admitted.push(SocketAddr::new(ip, port)),
                Err(error) => refused = Some(error),
            }
        }
        match refused {
            // The chosen address decides, as it would if it were the only one.
            Some(error) if admitted.is_empty() => Err(error),
            _ => Ok(admitted),
        }
    }
}
