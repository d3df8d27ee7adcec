//! Requests of netload's own, outside the test: nothing of them is measured, tagged or counted.

use std::rc::Rc;
use std::time::Duration;

use netload_http::{
    AuthMode, BodyMode, Buffers, Call, Client, ClientConfig, Encoding, ExchangeOptions, Hop,
    PoolLimits, Request, SendOptions, compression,
};
use netload_net::{Clock, Dialer, NetConfig, Network, ProxySettings};

/// Redirects that are followed.
const REDIRECTS_AT_MOST: u32 = 10;

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    /// Its status.
    pub(crate) status: u16,
    /// Where it came from, after redirects.
    pub(crate) address: String,
    /// The body, decoded.
    pub(crate) body: Vec<u8>,
}

/// Sends a request on a connection of its own. Proxies are those of the environment.
///
/// # Errors
/// One sentence why there is no answer.
pub(crate) async fn send(mut request: Request, timeout: Duration) -> Result<Answer, String> {
    let config = NetConfig {
        proxy: ProxySettings::from_env(),
        ..NetConfig::default()
    };
    let network = Network::new(&config).map_err(|e| e.detail())?;
    let clock = Clock::new();
    let dialer = Dialer::new(network, clock.clone());
    let vu = dialer.vu_local(0);
    let pool = ClientConfig {
        pool: PoolLimits {
            total: 1,
            per_host: 1,
        },
        ..ClientConfig::default()
    };
    let client = Client::new(dialer, Buffers::new(), vu, pool);
    let agent = concat!("netload/", env!("CARGO_PKG_VERSION"));
    request.headers.set("User-Agent", agent);
    request.headers.set("Accept-Encoding", "gzip");
    let encoding = Rc::new(Encoding::default());
    let call = Call::new(request, &encoding, &client).map_err(|e| e.detail())?;
    let timeout_ns = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX);
    let options = SendOptions {
        exchange: ExchangeOptions {
            deadline_ns: Some(clock.now_ns().saturating_add(timeout_ns)),
            body: BodyMode::Keep,
        },
        max_redirects: REDIRECTS_AT_MOST,
        jar: None,
        auth: AuthMode::Basic,
        sent: None,
    };
    let mut coding = String::new();
    let end = client
        .send(&call, &options, |hop: Hop<'_>| {
            let header = hop.exchange.header("Content-Encoding");
            coding = String::from_utf8_lossy(&header.unwrap_or_default()).into_owned();
        })
        .await;
    if let Some(error) = &end.exchange.error {
        return Err(error.detail());
    }
    let decoded = compression::decode(&coding, end.exchange.body()).map_err(|e| e.detail())?;
    Ok(Answer {
        status: end.exchange.status,
        address: end.url.to_string(),
        body: decoded.unwrap_or_else(|| end.exchange.body().to_vec()),
    })
}
