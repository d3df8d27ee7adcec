//! From settings to a route over HTTP: URL, credentials, TLS, proxy.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use netload_http::{Headers, Url};
use netload_net::{ClientCert, NetConfig, Network, ProxySettings, TlsSettings, TlsVersion};

use crate::ShipError;
use crate::carrier::{HttpRoute, Reading};
use crate::given::Given;

/// Everything about a receiver that is reached over HTTP.
pub(crate) struct Endpoint {
    pub(crate) url: Url,
    pub(crate) headers: Headers,
    pub(crate) tls: TlsSettings,
    pub(crate) proxy: ProxySettings,
    /// HTTP/2 and nothing else, also without TLS.
    pub(crate) only_http2: bool,
}

impl Endpoint {
    /// A URL, with credentials in it as basic authentication.
    pub(crate) fn new(given: &Given<'_>, url: &str) -> Result<Self, ShipError> {
        let parsed = Url::parse(url);
        let checked = parsed.and_then(|url| url.origin().map(|_| url));
        let url =
            checked.map_err(|e| given.wrong(format!("`{url}` is no address: {}", e.detail())))?;
        Ok(Self {
            url,
            headers: Headers::default(),
            tls: TlsSettings::default(),
            proxy: ProxySettings::from_env(),
            only_http2: false,
        })
    }

    /// Sends a user's name and password with every request.
    pub(crate) fn basic(&mut self, user: &str, password: &str) {
        let credentials = STANDARD.encode(format!("{user}:{password}"));
        self.headers
            .set("Authorization", format!("Basic {credentials}"));
    }

    /// Sends a token with every request: `Bearer` or `Token`.
    pub(crate) fn token(&mut self, scheme: &str, token: &str) {
        self.headers
            .set("Authorization", format!("{scheme} {token}"));
    }

    /// Shows a client certificate.
    pub(crate) fn certificate(&mut self, cert_pem: String, key_pem: String) {
        self.tls.client_certs.push(ClientCert {
            domains: Vec::new(),
            cert_pem,
            key_pem,
        });
    }

    /// The lowest version of TLS, as `1.2` or `TLS13` or `tls1.3`.
    pub(crate) fn min_version(&mut self, given: &Given<'_>, text: &str) -> Result<(), ShipError> {
        let plain: String = text.chars().filter(char::is_ascii_digit).collect();
        let version = match plain.as_str() {
            // What rustls does not speak is not offered; newer versions still are.
            "10" | "11" | "12" => "tls1.2",
            "13" => "tls1.3",
            _ => return Err(given.wrong(format!("`{text}` is no version of TLS; use 1.2 or 1.3"))),
        };
        let parsed = TlsVersion::parse(version).map_err(|e| given.wrong(e.detail()))?;
        self.tls.min_version = Some(parsed);
        Ok(())
    }

    /// The route, checked: a wrong certificate is an error here and not in the middle of the run.
    pub(crate) fn route(self, given: &Given<'_>, reading: Reading) -> Result<HttpRoute, ShipError> {
        let mut tls = self.tls;
        if self.only_http2 {
            tls.offer(&["h2"]);
        }
        let network = Network::new(&NetConfig {
            tls,
            proxy: self.proxy,
            cleartext_http2: self.only_http2,
            no_stamps: true,
            ..NetConfig::default()
        });
        Ok(HttpRoute {
            network: network.map_err(|e| given.wrong(e.detail()))?,
            url: self.url,
            headers: self.headers,
            before: None,
            signer: None,
            reading,
        })
    }
}
