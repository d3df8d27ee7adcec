//! Options about names, addresses and TLS.

use super::{Opt, Owner, Value};

pub(super) const OPTIONS: &[Opt] = &[
    Opt {
        key: "insecureSkipTLSVerify",
        long: "insecure-skip-tls-verify",
        env: "K6_INSECURE_SKIP_TLS_VERIFY",
        help: "Do not verify the certificates of servers",
        ..Opt::BASE
    },
    Opt {
        key: "tlsVersion",
        env: "K6_TLS_VERSION",
        value: Value::One("VERSION"),
        help: "TLS versions to offer: \"tls1.2\", or an object with min and max",
        ..Opt::BASE
    },
    Opt {
        key: "tlsCipherSuites",
        env: "K6_TLS_CIPHER_SUITES",
        value: Value::One("LIST"),
        help: "Cipher suites to offer, by their IANA names",
        ..Opt::BASE
    },
    Opt {
        key: "tlsAuth",
        env: "K6_TLSAUTH",
        value: Value::One("LIST"),
        help: "Client certificates: a list of {cert, key, domains}, both PEM texts",
        ..Opt::BASE
    },
    Opt {
        key: "httpVersion",
        long: "http-version",
        env: "NETLOAD_HTTP_VERSION",
        value: Value::One("auto|1.1|2"),
        default: "auto",
        owner: Owner::Tool,
        help: "Version of HTTP: agreed on by TLS, or this one everywhere",
        details: "auto is HTTP/2 where the server agrees to it in the TLS handshake, and HTTP/1.1 elsewhere. 2 speaks \
                  HTTP/2 without TLS, too, unasked (prior knowledge), and fails where TLS does not agree to it. \
                  GODEBUG=http2client=0 is understood as 1.1.",
        ..Opt::BASE
    },
    Opt {
        key: "dns",
        long: "dns",
        env: "K6_DNS",
        value: Value::One("RULES"),
        default: "ttl=5m,select=random,policy=preferIPv4",
        help: "How names are looked up",
        details: "ttl: how long an answer is kept: a duration, 0 for never, inf for always. select: which address of \
                  several: first, random or roundRobin. policy: preferIPv4, preferIPv6, onlyIPv4, onlyIPv6 or any.",
        ..Opt::BASE
    },
    Opt {
        key: "hosts",
        env: "K6_HOSTS",
        value: Value::One("OBJECT"),
        help: "Addresses for names, instead of looking them up",
        details: "Names may carry a port or start with `*.`; addresses may carry a port: {\"*.test\": \
                  \"127.0.0.1:8080\"}.",
        ..Opt::BASE
    },
    Opt {
        key: "localIPs",
        long: "local-ips",
        env: "K6_LOCAL_IPS",
        value: Value::One("LIST"),
        owner: Owner::Instance,
        help: "Source addresses, used in turn by the virtual users",
        details: "Addresses, ranges and networks: 10.0.0.1,10.0.1.1-10.0.1.20,fd:1::0/120.",
        ..Opt::BASE
    },
    Opt {
        key: "blacklistIPs",
        long: "blacklist-ip",
        env: "K6_BLACKLIST_IPS",
        value: Value::Many("NETWORK"),
        help: "Never connect to this network, such as 10.0.0.0/8; repeatable",
        ..Opt::BASE
    },
    Opt {
        key: "blockHostnames",
        long: "block-hostnames",
        env: "K6_BLOCK_HOSTNAMES",
        value: Value::Many("PATTERN"),
        help: "Never connect to this host, such as *.example.com; repeatable",
        ..Opt::BASE
    },
];
