//! OpenTelemetry: OTLP over HTTP and over gRPC.
//!
//! Counters are sums, gauges gauges, a rate the sum `NAME.total` with the attribute
//! `condition` (`nonzero` or `zero`) as in k6, trends
//! exponential histograms of scale 8, which are our buckets as they are. gRPC is one unary call on our own HTTP/2: a
//! message with five bytes before it, and a status.

#[cfg(test)]
mod decoded;
mod message;

use netload_http::Exchange;

use crate::ShipError;
use crate::batch::Batch;
use crate::carrier::{Refusal, Route};
use crate::courier::Protocol;
use crate::endpoint::Endpoint;
use crate::fleet::{Opened, Way};
use crate::given::{Given, Schema};
use crate::outbox::Parcel;
use crate::totals::{Since, Tags, Total, Totals};

use message::{Identity, Span, request};

pub(crate) static SCHEMA: Schema = Schema {
    output: "opentelemetry",
    prefix: "K6_OTEL_",
    keys: &[
        "exporter_protocol",
        "exporter_type",
        "export_interval",
        "flush_interval",
        "grpc_exporter_endpoint",
        "grpc_exporter_insecure",
        "headers",
        "http_exporter_endpoint",
        "http_exporter_insecure",
        "http_exporter_url_path",
        "http_exporter_username",
        "http_exporter_password",
        "metric_prefix",
        "service_name",
        "service_version",
        "temporality",
        "tls_certificate",
        "tls_client_certificate",
        "tls_client_key",
        "tls_insecure_skip_verify",
    ],
};

const DEFAULT_GRPC: &str = "localhost:4317";
const DEFAULT_HTTP: &str = "localhost:4318";
const DEFAULT_PATH: &str = "/v1/metrics";
const GRPC_PATH: &str = "/opentelemetry.proto.collector.metrics.v1.MetricsService/Export";
const DEFAULT_INTERVAL_NS: u64 = 10_000_000_000;
const DEFAULT_SERVICE: &str = "k6";
const TEMPORALITY_VARIABLE: &str = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";
const SECOND_NS: u64 = 1_000_000_000;
/// Series in one request.
const SERIES_PER_PARCEL: usize = 1_000;

/// How the message travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Transport {
    Http,
    Grpc,
}

pub(crate) fn open(given: &Given<'_>) -> Result<Opened, ShipError> {
    let (transport, url) = receiver(given)?;
    let mut endpoint = Endpoint::new(given, &url)?;
    let shown = match transport {
        Transport::Http => format!("opentelemetry ({})", endpoint.url.masked()),
        Transport::Grpc => format!("opentelemetry (grpc, {})", endpoint.url.host()),
    };
    endpoint.only_http2 = transport == Transport::Grpc;
    let kind = match transport {
        Transport::Http => "application/x-protobuf",
        Transport::Grpc => "application/grpc",
    };
    endpoint.headers.set("Content-Type", kind);
    if transport == Transport::Grpc {
        endpoint.headers.set("Te", "trailers");
    }
    if let Some(user) = given.text("http_exporter_username") {
        endpoint.basic(
            user,
            given.text("http_exporter_password").unwrap_or_default(),
        );
    }
    for pair in given.list("headers").unwrap_or_default() {
        let (name, value) = pair.split_once('=').ok_or_else(|| {
            given.wrong(format!("headers: `{pair}` is not of the form name=value"))
        })?;
        endpoint.headers.set(name.trim(), value.trim());
    }
    endpoint.tls.insecure_skip_verify = given.switch("tls_insecure_skip_verify", false)?;
    endpoint
        .tls
        .extra_roots_pem
        .extend(given.file("tls_certificate")?);
    let certificate = given.file("tls_client_certificate")?;
    if let (Some(cert), Some(key)) = (certificate, given.file("tls_client_key")?) {
        endpoint.certificate(cert, key);
    }
    let otlp = Otlp {
        totals: Totals::new(since(given)?, Tags::All),
        identity: identity(given),
        interval_ns: given.duration_ns("export_interval", DEFAULT_INTERVAL_NS)?,
        transport,
        start_unix_ns: None,
    };
    let reading = match transport {
        Transport::Http => |_: &Exchange| Ok(()),
        Transport::Grpc => grpc_status,
    };
    let route = endpoint.route(given, reading)?;
    Ok(Opened {
        shown,
        way: Way::Push(Box::new(otlp), Route::Http(Box::new(route))),
    })
}

/// The address as typed decides; else the variables, with k6's defaults: gRPC, and TLS unless told otherwise.
fn receiver(given: &Given<'_>) -> Result<(Transport, String), ShipError> {
    let protocol = given
        .text("exporter_protocol")
        .or(given.text("exporter_type"));
    let transport = match protocol {
        None | Some("grpc") => Transport::Grpc,
        Some("http" | "http/protobuf") => Transport::Http,
        Some(other) => {
            return Err(given.wrong(format!(
                "exporter_protocol: `{other}` is neither grpc nor http/protobuf"
            )));
        }
    };
    if let Some(address) = given.address() {
        let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
        return match scheme {
            "grpc" => Ok((Transport::Grpc, format!("http://{rest}{GRPC_PATH}"))),
            "grpcs" => Ok((Transport::Grpc, format!("https://{rest}{GRPC_PATH}"))),
            "http" | "https" => {
                let has_path = rest
                    .split_once('/')
                    .is_some_and(|(_, path)| !path.is_empty());
                let path = if has_path { "" } else { DEFAULT_PATH };
                let address = address.trim_end_matches('/');
                Ok((Transport::Http, format!("{address}{path}")))
            }
            _ => Err(given.wrong(format!(
                "`{address}` has no scheme; use grpc://, grpcs://, http:// or https://"
            ))),
        };
    }
    let (endpoint, insecure, path) = match transport {
        Transport::Grpc => (
            given.text("grpc_exporter_endpoint").unwrap_or(DEFAULT_GRPC),
            given.switch("grpc_exporter_insecure", false)?,
            GRPC_PATH,
        ),
        Transport::Http => (
            given.text("http_exporter_endpoint").unwrap_or(DEFAULT_HTTP),
            given.switch("http_exporter_insecure", false)?,
            given.text("http_exporter_url_path").unwrap_or(DEFAULT_PATH),
        ),
    };
    let scheme = if insecure { "http" } else { "https" };
    let host = endpoint
        .split_once("://")
        .map_or(endpoint, |(_, host)| host);
    let slash = if path.starts_with('/') { "" } else { "/" };
    Ok((transport, format!("{scheme}://{host}{slash}{path}")))
}

fn since(given: &Given<'_>) -> Result<Since, ShipError> {
    let typed = given
        .text("temporality")
        .or(given.variable(TEMPORALITY_VARIABLE));
    match typed.map(str::to_ascii_lowercase).as_deref() {
        None | Some("cumulative") => Ok(Since::Start),
        Some("delta" | "lowmemory") => Ok(Since::Report),
        Some(other) => Err(given.wrong(format!(
            "temporality: `{other}` is neither cumulative nor delta"
        ))),
    }
}

fn identity(given: &Given<'_>) -> Identity {
    let standard = given.variable("OTEL_SERVICE_NAME");
    let name = given.text("service_name").or(standard);
    let version = given.text("service_version");
    Identity {
        service: name.unwrap_or(DEFAULT_SERVICE).to_owned(),
        version: version.unwrap_or(env!("CARGO_PKG_VERSION")).to_owned(),
        prefix: given.text("metric_prefix").unwrap_or_default().to_owned(),
    }
}

/// gRPC answers 200 to everything; the status is in the head when there is no message, else behind it. A message means
/// that all went well.
fn grpc_status(exchange: &Exchange) -> Result<(), Refusal> {
    const PREFIX_BYTES: usize = 5;
    let status = exchange.header("grpc-status");
    let status = status
        .as_deref()
        .map(|s| String::from_utf8_lossy(s).into_owned());
    match status.as_deref() {
        Some("0") => Ok(()),
        None if exchange.body().len() >= PREFIX_BYTES => Ok(()),
        None => Err(Refusal::Again(
            "the call ended without an answer".to_owned(),
        )),
        Some(code) => {
            let text = exchange.header("grpc-message").unwrap_or_default();
            let reason = format!("gRPC status {code} {}", String::from_utf8_lossy(&text));
            // Cancelled, deadline, exhausted, aborted, out of range, unavailable and data loss may pass, by OTLP.
            match code {
                "1" | "4" | "8" | "10" | "11" | "14" | "15" => Err(Refusal::Again(reason)),
                _ => Err(Refusal::Final(reason)),
            }
        }
    }
}

/// The encoder.
struct Otlp {
    totals: Totals,
    identity: Identity,
    interval_ns: u64,
    transport: Transport,
    /// When the values begin that come next; none before the first.
    start_unix_ns: Option<u64>,
}

impl Protocol for Otlp {
    fn interval_ns(&self) -> u64 {
        self.interval_ns
    }

    fn absorb(&mut self, batch: &Batch) {
        // What is measured began about a batch before the first one.
        let began_ns = batch.unix_ns.saturating_sub(SECOND_NS);
        self.start_unix_ns.get_or_insert(began_ns);
        self.totals.absorb(batch);
    }

    fn speak(&mut self, unix_ns: u64, _: bool) -> Vec<Parcel> {
        let span = Span {
            since: self.totals.since(),
            start_ns: self.start_unix_ns.unwrap_or(unix_ns),
            end_ns: unix_ns,
        };
        let all: Vec<&Total> = self.totals.report().collect();
        let parcels = all.chunks(SERIES_PER_PARCEL).map(|totals| Parcel {
            bytes: self.framed(request(totals, &self.identity, span)),
            samples: totals.iter().map(|total| total.news).sum(),
        });
        let parcels = parcels.collect();
        self.totals.reported();
        if span.since == Since::Report {
            self.start_unix_ns = Some(unix_ns);
        }
        parcels
    }
}

impl Otlp {
    /// gRPC wants to know whether a message is compressed (it is not) and how long it is.
    fn framed(&self, message: Vec<u8>) -> Vec<u8> {
        match self.transport {
            Transport::Http => message,
            Transport::Grpc => {
                let mut framed = vec![0];
                framed.extend_from_slice(&(message.len() as u32).to_be_bytes());
                framed.extend_from_slice(&message);
                framed
            }
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::given::Environment;
    use crate::totals::tests::sample_batch;

    pub(in crate::otlp) fn otlp(since: Since, transport: Transport) -> Otlp {
        Otlp {
            totals: Totals::new(since, Tags::All),
            identity: Identity {
                service: "k6".to_owned(),
                version: "1".to_owned(),
                prefix: "p_".to_owned(),
            },
            interval_ns: 1,
            transport,
            start_unix_ns: None,
        }
    }

    /// Read by the official Python decoder when these files were made.
    #[test]
    fn requests_stay_as_a_reference_decoder_read_them() {
        for (name, since) in [
            ("otlp-cumulative", Since::Start),
            ("otlp-delta", Since::Report),
        ] {
            let mut otlp = otlp(since, Transport::Http);
            otlp.absorb(&sample_batch(1_700_000_000_000_000_000));
            let first = otlp.speak(1_700_000_001_000_000_000, false);
            assert_eq!((first.len(), first[0].samples), (1, 16));
            otlp.absorb(&sample_batch(1_700_000_002_000_000_000));
            let parcels = otlp.speak(1_700_000_003_000_000_000, true);
            crate::golden::check(name, &crate::golden::dump(&parcels[0].bytes));
        }
    }

    #[test]
    fn grpc_says_how_long_a_message_is() {
        let mut plain = otlp(Since::Start, Transport::Http);
        let mut framed = otlp(Since::Start, Transport::Grpc);
        let say = |otlp: &mut Otlp| {
            otlp.absorb(&sample_batch(1));
            otlp.speak(2, true).remove(0).bytes
        };
        let (plain, framed) = (say(&mut plain), say(&mut framed));
        assert_eq!(framed[0], 0);
        assert_eq!(framed[1..5], (plain.len() as u32).to_be_bytes());
        assert_eq!(framed[5..], plain);
    }

    #[test]
    fn addresses_and_variables_choose_the_transport() {
        let url = |argument: &str, variables: &[(&str, &str)]| {
            let pairs = variables.iter();
            let pairs = pairs.map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
            let environment: Environment = pairs.collect();
            let given = Given::parse(&SCHEMA, argument, &environment).unwrap();
            receiver(&given).map_or_else(|e| e.to_string(), |(_, url)| url)
        };
        let grpc = |base: &str| format!("{base}{GRPC_PATH}");
        assert_eq!(url("", &[]), grpc("https://localhost:4317"));
        assert_eq!(url("grpc://h:1", &[]), grpc("http://h:1"));
        assert_eq!(url("http://h:1", &[]), "http://h:1/v1/metrics");
        assert_eq!(url("https://h/x/y", &[]), "https://h/x/y");
        let http = [
            ("K6_OTEL_EXPORTER_PROTOCOL", "http/protobuf"),
            ("K6_OTEL_HTTP_EXPORTER_INSECURE", "true"),
            ("K6_OTEL_HTTP_EXPORTER_ENDPOINT", "h:2"),
        ];
        assert_eq!(url("", &http), "http://h:2/v1/metrics");
        assert!(url("h:1", &[]).contains("has no scheme"));
    }
}
