//! The connections of `netload hit`: curl's flags where curl has one.

use super::{Opt, Owner, Value};

const TOOL: Opt = Opt {
    owner: Owner::Tool,
    ..Opt::BASE
};

pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        key: "noKeepalive",
        long: "no-keepalive",
        aliases: &["disable-keepalive"],
        help: "A new connection for every request",
        ..TOOL
    },
    Opt {
        key: "http2",
        long: "http2",
        aliases: &["http2-prior-knowledge"],
        help: "Speak HTTP/2: agreed on by TLS for https://, without asking for http://",
        details: "A server that does not agree costs every request an error; nothing is measured over another \
                  protocol than the one asked for.",
        ..TOOL
    },
    Opt {
        key: "insecure",
        long: "insecure",
        short: Some('k'),
        help: "Do not verify the server's certificate",
        ..TOOL
    },
    Opt {
        key: "cacert",
        long: "cacert",
        value: Value::One("FILE"),
        help: "Also trust the certificates in this PEM file",
        ..TOOL
    },
    Opt {
        key: "cert",
        long: "cert",
        short: Some('E'),
        value: Value::One("FILE"),
        help: "Client certificate, PEM",
        ..TOOL
    },
    Opt {
        key: "key",
        long: "key",
        value: Value::One("FILE"),
        help: "Key of the client certificate, PEM; else it is in the same file",
        ..TOOL
    },
    Opt {
        key: "resolve",
        long: "resolve",
        value: Value::Many("HOST:PORT:ADDRESS"),
        help: "Use this address for this host and port; repeatable",
        ..TOOL
    },
    Opt {
        key: "connectTo",
        long: "connect-to",
        value: Value::Many("HOST:PORT:HOST2:PORT2"),
        help: "Connect to another host; an empty part means any, or the same",
        ..TOOL
    },
    Opt {
        key: "unixSocket",
        long: "unix-socket",
        value: Value::One("PATH"),
        help: "Connect through this unix socket",
        ..TOOL
    },
    Opt {
        key: "connectTimeout",
        long: "connect-timeout",
        value: Value::One("DURATION"),
        default: "30s",
        help: "Longest time to connect; a bare number is seconds",
        ..TOOL
    },
    Opt {
        key: "proxy",
        long: "proxy",
        short: Some('x'),
        value: Value::One("URL"),
        help: "Connect through this proxy",
        details: "Otherwise HTTP_PROXY, HTTPS_PROXY and NO_PROXY say so.",
        ..TOOL
    },
    Opt {
        key: "ipv4",
        long: "ipv4",
        short: Some('4'),
        help: "Only IPv4 addresses",
        ..TOOL
    },
    Opt {
        key: "ipv6",
        long: "ipv6",
        short: Some('6'),
        help: "Only IPv6 addresses",
        ..TOOL
    },
];
