//! How `netload hit` reaches the server, in curl's forms.

use std::time::Duration;

use netload_net::{ClientCert, DnsPolicy, NetConfig, ProxySettings, TlsSettings};

use super::{body, load};
use crate::failure::Failure;
use crate::typed::Typed;

/// Reads the route.
pub(crate) fn route(typed: &Typed) -> Result<NetConfig, Failure> {
    let mut config = NetConfig {
        hosts: typed
            .texts("resolve")
            .iter()
            .map(|t| resolve(t))
            .collect::<Result<_, _>>()?,
        connect_to: typed.texts("connectTo").to_vec(),
        unix_socket: typed.text("unixSocket").map(Into::into),
        proxy: match typed.text("proxy") {
            Some(url) => ProxySettings {
                http: url.to_owned(),
                https: url.to_owned(),
                no_proxy: String::new(),
            },
            None => ProxySettings::from_env(),
        },
        tls: tls(typed)?,
        cleartext_http2: http2(typed)?,
        connect_timeout: typed
            .read("connectTimeout", load::time)?
            .map(Duration::from_nanos),
        ..NetConfig::default()
    };
    match (typed.switch("ipv4")?, typed.switch("ipv6")?) {
        (true, true) => {
            return Err(Failure::usage("--ipv4 and --ipv6 leave no address")
                .hint("with neither of them both kinds are used"));
        }
        (true, false) => config.dns.policy = DnsPolicy::OnlyIpv4,
        (false, true) => config.dns.policy = DnsPolicy::OnlyIpv6,
        (false, false) => {}
    }
    Ok(config)
}

/// `HOST:PORT:ADDRESS` as a rule: a name with its port, and the address that stands for it.
fn resolve(text: &str) -> Result<(String, String), Failure> {
    let mut parts = text.trim_start_matches('+').splitn(3, ':');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(host), Some(port), Some(address))
            if !host.is_empty() && port.parse::<u16>().is_ok() =>
        {
            // curl takes several addresses; all connections of one test should go to the same one.
            let first = address.split(',').next().unwrap_or_default();
            let bare = first.trim_start_matches('[').trim_end_matches(']');
            Ok((format!("{host}:{port}"), bare.to_owned()))
        }
        _ => Err(Failure::usage(format!("`{text}` is not HOST:PORT:ADDRESS"))
            .at("--resolve")
            .hint("such as --resolve example.com:443:127.0.0.1")),
    }
}

fn http2(typed: &Typed) -> Result<bool, Failure> {
    match (typed.switch("http2")?, typed.switch("http1.1")?) {
        (true, true) => Err(Failure::usage(
            "--http2 and --http1.1 contradict each other",
        )),
        (wanted, _) => Ok(wanted),
    }
}

fn tls(typed: &Typed) -> Result<TlsSettings, Failure> {
    let file =
        |name: &str| body::read(name).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let roots = typed.text("cacert").map(file).transpose()?;
    let cert = typed.text("cert").map(file).transpose()?;
    let key = typed.text("key").map(file).transpose()?;
    let client_certs = match (cert, key) {
        (None, Some(_)) => return Err(Failure::usage("--key needs --cert")),
        (None, None) => Vec::new(),
        (Some(cert_pem), key) => vec![ClientCert {
            domains: Vec::new(),
            key_pem: key.unwrap_or_else(|| cert_pem.clone()),
            cert_pem,
        }],
    };
    let mut settings = TlsSettings {
        insecure_skip_verify: typed.switch("insecure")?,
        extra_roots_pem: roots.into_iter().collect(),
        client_certs,
        ..TlsSettings::default()
    };
    if http2(typed)? {
        settings.offer(&["h2"]);
    }
    Ok(settings)
}
