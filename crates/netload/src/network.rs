//! The plan's and the command line's words about reaching servers, as the network's configuration.

use std::sync::Arc;

use netload_net::{
    ClientCert, DnsConfig, DnsPolicy, DnsSelect, NetConfig, NetError, Network, ProxySettings,
    TlsSettings, TlsVersion,
};
use netload_plan::address;
use netload_plan::resolved::{ConnectPlan, DnsPlan};
use netload_plan::tls::TlsVersion as Wanted;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::typed::Typed;

/// The network's configuration for a plan; proxies come from the environment.
pub(crate) fn config(plan: &ConnectPlan) -> Result<NetConfig, Failure> {
    Ok(NetConfig {
        dns: dns(plan.dns),
        hosts: plan
            .hosts
            .iter()
            .map(|(name, address)| (name.to_string(), address.to_string()))
            .collect(),
        block_hostnames: plan
            .block_hostnames
            .iter()
            .map(ToString::to_string)
            .collect(),
        blacklist_ips: plan.blacklist_ips.iter().map(ToString::to_string).collect(),
        local_ips: plan
            .local_ips
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default(),
        connect_to: Vec::new(),
        unix_socket: None,
        proxy: ProxySettings::from_env(),
        tls: tls(plan)?,
        cleartext_http2: false,
        connect_timeout: None,
        no_stamps: false,
    })
}

/// Chooses the versions of HTTP that a script's requests speak: by the option, or Go's own switch, or as k6 does.
pub(crate) fn choose_http(typed: &Typed, config: &mut NetConfig) -> Result<(), Failure> {
    let go = typed.environment.get("GODEBUG").map_or("", String::as_str);
    let go_refuses = go.split(',').any(|pair| pair.trim() == "http2client=0");
    let version = typed.read("httpVersion", |text| match text {
        "auto" | "1.1" | "2" => Ok(text.to_owned()),
        _ => Err(format!("`{text}` is no version; it is auto, 1.1 or 2")),
    })?;
    match version.as_deref() {
        Some("2") => {
            config.cleartext_http2 = true;
            config.tls.offer(&["h2"]);
        }
        Some("1.1") => {}
        None if go_refuses => {}
        _ => config.tls.offer(&["h2", "http/1.1"]),
    }
    Ok(())
}

/// Checks a configuration.
pub(crate) fn network(config: &NetConfig) -> Result<Arc<Network>, Failure> {
    Network::new(config).map_err(refused)
}

fn refused(error: NetError) -> Failure {
    let text = error.detail();
    Failure::new(Exit::BadConfiguration, text.trim_end_matches('.'))
}

fn dns(plan: DnsPlan) -> DnsConfig {
    DnsConfig {
        ttl_ns: match plan.ttl {
            address::DnsTtl::For(ns) => ns,
            address::DnsTtl::Forever => u64::MAX,
        },
        select: match plan.select {
            address::DnsSelect::First => DnsSelect::First,
            address::DnsSelect::Random => DnsSelect::Random,
            address::DnsSelect::RoundRobin => DnsSelect::RoundRobin,
        },
        policy: match plan.policy {
            address::DnsPolicy::PreferIpv4 => DnsPolicy::PreferIpv4,
            address::DnsPolicy::PreferIpv6 => DnsPolicy::PreferIpv6,
            address::DnsPolicy::OnlyIpv4 => DnsPolicy::OnlyIpv4,
            address::DnsPolicy::OnlyIpv6 => DnsPolicy::OnlyIpv6,
            address::DnsPolicy::Any => DnsPolicy::Any,
        },
    }
}

fn tls(plan: &ConnectPlan) -> Result<TlsSettings, Failure> {
    let version = |wanted: Wanted| TlsVersion::parse(wanted.name()).map_err(refused);
    // A script that allows older versions than there are still allows the newer ones.
    let min = plan.tls_versions.min.filter(|v| *v >= Wanted::V1_2);
    Ok(TlsSettings {
        min_version: min.map(version).transpose()?,
        max_version: plan.tls_versions.max.map(version).transpose()?,
        cipher_suites: plan
            .tls_cipher_suites
            .iter()
            .map(|s| s.name().to_owned())
            .collect(),
        insecure_skip_verify: plan.insecure_skip_tls_verify,
        client_certs: plan
            .tls_auth
            .iter()
            .map(|c| ClientCert {
                domains: c.domains.clone(),
                cert_pem: c.cert.clone(),
                key_pem: c.key.clone(),
            })
            .collect(),
        ..TlsSettings::default()
    })
}
