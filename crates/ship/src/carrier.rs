//! The ways to a receiver: HTTP, a TCP stream, datagrams, and with its feature Kafka.
//!
//! Owns connections, deadlines and what an answer means. Our own client speaks HTTP, so that TLS, proxies and both
//! versions are the ones the load uses. Invariant: every attempt ends within [`ATTEMPT_LIMIT`].

use std::sync::Arc;
use std::time::Duration;

use netload_http::{
    Buffers, Client, ClientConfig, Encoding, Exchange, ExchangeOptions, Headers, PoolLimits,
    Prepared, Request, Url,
};
use netload_net::{Clock, Dialer, Network};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpStream, UdpSocket};

#[cfg(feature = "kafka")]
use crate::kafka::{KafkaCarrier, KafkaRoute};
use crate::prometheus::{Signed, Signer};

/// The longest time of one attempt; k6's outputs wait as long or longer.
pub(crate) const ATTEMPT_LIMIT: Duration = Duration::from_secs(10);
/// Bytes of one datagram: what fits into a packet on every usual path.
const DATAGRAM_LIMIT_BYTES: usize = 1_432;
/// Characters of a refusal that are shown.
const QUOTE_LIMIT_CHARS: usize = 160;

/// Why a parcel was not taken.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Another attempt may succeed.
    Again(String),
    /// This parcel will never be taken.
    Final(String),
}

/// What an answer with a good status says in its body or head.
pub(crate) type Reading = fn(&Exchange) -> Result<(), Refusal>;

/// What is known of a receiver before the run.
pub(crate) enum Route {
    Http(Box<HttpRoute>),
    /// `host:port`
    Tcp(String),
    /// `host:port`
    Udp(String),
    #[cfg(feature = "kafka")]
    Kafka(Box<KafkaRoute>),
}

/// Where and how to post.
pub(crate) struct HttpRoute {
    pub(crate) network: Arc<Network>,
    pub(crate) url: Url,
    pub(crate) headers: Headers,
    /// Posted to once, without a body, before everything else; what it answers does not matter.
    pub(crate) before: Option<Url>,
    /// Signs every request for AWS.
    pub(crate) signer: Option<Signer>,
    pub(crate) reading: Reading,
}

/// A route with its connections, on the thread of the couriers.
pub(crate) enum Carrier {
    Http(Box<HttpCarrier>),
    Tcp {
        address: String,
        stream: Option<TcpStream>,
    },
    Udp {
        address: String,
        socket: Option<UdpSocket>,
    },
    #[cfg(feature = "kafka")]
    Kafka(Box<KafkaCarrier>),
}

impl Carrier {
    pub(crate) fn new(route: Route) -> Self {
        match route {
            Route::Http(route) => Self::Http(Box::new(HttpCarrier::new(*route))),
            Route::Tcp(address) => Self::Tcp {
                address,
                stream: None,
            },
            Route::Udp(address) => Self::Udp {
                address,
                socket: None,
            },
            #[cfg(feature = "kafka")]
            Route::Kafka(route) => Self::Kafka(Box::new(KafkaCarrier::new(*route))),
        }
    }

    /// Sends a parcel and waits for what the receiver says to it, if the protocol lets it say anything.
    pub(crate) async fn deliver(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        match self {
            Self::Http(http) => http.post(bytes).await,
            Self::Tcp { address, stream } => {
                let written = tokio::time::timeout(ATTEMPT_LIMIT, write(address, stream, bytes));
                match written.await {
                    Ok(Ok(())) => Ok(()),
                    Ok(Err(error)) => {
                        *stream = None;
                        Err(Refusal::Again(error.to_string()))
                    }
                    Err(_) => {
                        *stream = None;
                        Err(Refusal::Again("it takes no more bytes".to_owned()))
                    }
                }
            }
            // Nobody confirms a datagram, and counters that are sent twice are wrong.
            Self::Udp { address, socket } => send(address, socket, bytes).await.map_err(|error| {
                *socket = None;
                Refusal::Final(error.to_string())
            }),
            #[cfg(feature = "kafka")]
            Self::Kafka(kafka) => kafka.deliver(bytes).await,
        }
    }
}

async fn write(address: &str, stream: &mut Option<TcpStream>, bytes: &[u8]) -> std::io::Result<()> {
    if let Some(open) = stream
        && is_closed(open)
    {
        *stream = None;
    }
    let open = match stream {
        Some(open) => open,
        None => stream.insert(TcpStream::connect(address).await?),
    };
    open.write_all(bytes).await
}

/// Whether the receiver has closed the connection; what it says otherwise is of no interest.
fn is_closed(stream: &TcpStream) -> bool {
    let mut scrap = [0; 256];
    loop {
        match stream.try_read(&mut scrap) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() != std::io::ErrorKind::WouldBlock,
        }
    }
}

async fn send(address: &str, socket: &mut Option<UdpSocket>, bytes: &[u8]) -> std::io::Result<()> {
    let open = match socket {
        Some(open) => open,
        None => {
            let to = tokio::net::lookup_host(address).await?.next();
            let to = to.ok_or_else(|| std::io::Error::other("the name has no address"))?;
            let from = if to.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
            let fresh = UdpSocket::bind(from).await?;
            fresh.connect(to).await?;
            socket.insert(fresh)
        }
    };
    for datagram in datagrams(bytes) {
        open.send(datagram).await?;
    }
    Ok(())
}

/// Cuts lines into datagrams; a line is never cut.
fn datagrams(mut lines: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        if lines.is_empty() {
            return None;
        }
        let ends = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte == b'\n');
        let first_end = lines.iter().position(|byte| *byte == b'\n');
        let end = match lines.get(..DATAGRAM_LIMIT_BYTES).map(ends) {
            None => lines.len(),
            Some(Some(end)) => end + 1,
            Some(None) => first_end.map_or(lines.len(), |end| end + 1),
        };
        let (datagram, rest) = lines.split_at(end);
        lines = rest;
        Some(datagram)
    })
}

/// Posts over HTTP.
pub(crate) struct HttpCarrier {
    client: Client,
    clock: Clock,
    request: Request,
    before: Option<Url>,
    signer: Option<Signer>,
    reading: Reading,
}

impl HttpCarrier {
    fn new(route: HttpRoute) -> Self {
        let clock = Clock::new();
        let dialer = Dialer::new(route.network, clock.clone());
        let local = dialer.vu_local(1);
        let config = ClientConfig {
            pool: PoolLimits {
                total: 1,
                per_host: 1,
            },
            ..ClientConfig::default()
        };
        let mut request = Request::new("POST", route.url);
        request.headers = route.headers;
        Self {
            client: Client::new(dialer, Buffers::new(), local, config),
            clock,
            request,
            before: route.before,
            signer: route.signer,
            reading: route.reading,
        }
    }

    async fn post(&mut self, bytes: &[u8]) -> Result<(), Refusal> {
        if let Some(url) = self.before.clone() {
            let mut request = Request::new("POST", url);
            request.headers = self.request.headers.clone();
            let answer = self.exchange(&request).await?;
            if let Some(error) = &answer.error {
                return Err(Refusal::Again(error.detail()));
            }
            self.before = None;
        }
        self.sign(bytes);
        self.request.body = Some(bytes.into());
        let exchange = self.exchange(&self.request).await;
        self.request.body = None;
        let exchange = exchange?;
        judge(&exchange)?;
        (self.reading)(&exchange)
    }

    /// One attempt; only a request that cannot be sent at all is an error.
    async fn exchange(&self, request: &Request) -> Result<Exchange, Refusal> {
        let encoding = Encoding {
            user_agent: concat!("netload/", env!("CARGO_PKG_VERSION")).to_owned(),
            close: false,
        };
        let unsendable = |error: netload_http::HttpError| Refusal::Final(error.detail());
        let origin = request.url.origin().map_err(unsendable)?;
        let proxy = self.client.dialer().plain_proxy(&origin);
        let prepared = Prepared::new(request, &encoding, proxy).map_err(unsendable)?;
        let options = ExchangeOptions {
            deadline_ns: Some(self.clock.now_ns() + ATTEMPT_LIMIT.as_nanos() as u64),
            ..ExchangeOptions::default()
        };
        Ok(self.client.exchange(&prepared, &options).await)
    }
}

impl HttpCarrier {
    /// A signature holds for some minutes: each attempt gets its own.
    fn sign(&mut self, body: &[u8]) {
        let Some(signer) = &self.signer else { return };
        let target = self.request.url.target();
        let request = Signed {
            method: &self.request.method,
            host: self.request.url.host(),
            target: &target,
            body,
        };
        let now_ns = self.clock.unix_ns(self.clock.now_ns());
        let signature = signer.sign(&request, now_ns);
        let headers = &mut self.request.headers;
        headers.set("X-Amz-Date", signature.date);
        headers.set("Authorization", signature.authorization);
    }
}

/// What the status means.
fn judge(exchange: &Exchange) -> Result<(), Refusal> {
    if let Some(error) = &exchange.error {
        return Err(Refusal::Again(error.detail()));
    }
    let status = exchange.status;
    if (200..300).contains(&status) {
        return Ok(());
    }
    let text = String::from_utf8_lossy(exchange.body());
    let text: String = text.trim().chars().take(QUOTE_LIMIT_CHARS).collect();
    let blank = if text.is_empty() { "" } else { " " };
    let reason = format!("status {status}{blank}{}", text.replace(['\r', '\n'], " "));
    match status {
        408 | 425 | 429 | 500.. => Err(Refusal::Again(reason)),
        _ => Err(Refusal::Final(reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_never_cut() {
        let line = |length: usize| format!("{}\n", "x".repeat(length - 1));
        let text = [line(1_000), line(432), line(10), line(3_000), line(5)].concat();
        let sizes: Vec<usize> = datagrams(text.as_bytes()).map(<[u8]>::len).collect();
        assert_eq!(sizes, [1_432, 10, 3_000, 5]);
        assert_eq!(datagrams(b"a|c\nb|c\n").count(), 1);
        assert_eq!(datagrams(b"").count(), 0);
    }
}
