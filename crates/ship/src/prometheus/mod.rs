//! Prometheus: remote write in both versions, and a page that Prometheus can scrape.
//!
//! Names, units and variables are those of k6's output: `k6_http_reqs_total`, `k6_http_req_duration_p99` in seconds,
//! values since the start of the run. Invariant: within one series time only grows, and counters never fall.

mod message;
mod names;
mod native;
mod page;
mod sigv4;

use netload_http::Exchange;

use crate::ShipError;
use crate::batch::Batch;
use crate::carrier::{Refusal, Route};
use crate::courier::Protocol;
use crate::endpoint::Endpoint;
use crate::fleet::{Opened, Way};
use crate::given::{Given, Schema};
use crate::outbox::Parcel;
use crate::totals::{Since, Tags, Totals};

use message::{Point, Version, encode};
use names::Stat;
pub(crate) use page::{Format, TextPage};
pub(crate) use sigv4::{Signed, Signer};

pub(crate) static REMOTE_WRITE: Schema = Schema {
    output: "experimental-prometheus-rw",
    prefix: "K6_PROMETHEUS_RW_",
    keys: &[
        "server_url",
        "username",
        "password",
        "bearer_token",
        "http_headers",
        "push_interval",
        "trend_stats",
        "trend_as_native_histogram",
        "stale_markers",
        "insecure_skip_tls_verify",
        "tls_minimum_version",
        "client_certificate",
        "client_certificate_key",
        "version",
        "sigv4_region",
        "sigv4_access_key",
        "sigv4_secret_key",
    ],
};

const DEFAULT_URL: &str = "http://localhost:9090/api/v1/write";
const DEFAULT_INTERVAL_NS: u64 = 5_000_000_000;
const DEFAULT_STATS: &str = "p(99)";
const DEFAULT_TLS: &str = "1.3";
/// Series in one request; Prometheus' own sender has 2,000.
const SERIES_PER_PARCEL: usize = 2_000;

pub(crate) fn open(given: &Given<'_>) -> Result<Opened, ShipError> {
    let address = given.address().or(given.text("server_url"));
    let mut endpoint = Endpoint::new(given, address.unwrap_or(DEFAULT_URL))?;
    let shown = format!("prometheus remote write ({})", endpoint.url.masked());
    let version = match given.text("version").unwrap_or("1") {
        "1" | "1.0" => Version::One,
        "2" | "2.0" => Version::Two,
        other => return Err(given.wrong(format!("version: `{other}` is neither 1 nor 2"))),
    };
    let headers = &mut endpoint.headers;
    headers.set("Content-Encoding", "snappy");
    headers.set("Content-Type", version.content_type());
    headers.set("X-Prometheus-Remote-Write-Version", version.header());
    for pair in given.list("http_headers").unwrap_or_default() {
        let (name, value) = pair.split_once(':').ok_or_else(|| {
            given.wrong(format!(
                "http_headers: `{pair}` is not of the form Name:value"
            ))
        })?;
        headers.set(name.trim(), value.trim());
    }
    for (name, value) in given.variables("HEADERS_") {
        headers.set(name, value);
    }
    if let Some(token) = given.text("bearer_token") {
        endpoint.token("Bearer", token);
    } else if let Some(user) = given.text("username") {
        endpoint.basic(user, given.text("password").unwrap_or_default());
    }
    endpoint.tls.insecure_skip_verify = given.switch("insecure_skip_tls_verify", false)?;
    endpoint.min_version(
        given,
        given.text("tls_minimum_version").unwrap_or(DEFAULT_TLS),
    )?;
    let certificate = given.file("client_certificate")?;
    if let (Some(cert), Some(key)) = (certificate, given.file("client_certificate_key")?) {
        endpoint.certificate(cert, key);
    }
    let trends = match given.switch("trend_as_native_histogram", false)? {
        true => Trends::Native,
        false => Trends::Stats(stats(given)?),
    };
    let remote = RemoteWrite {
        totals: Totals::new(Since::Start, Tags::All),
        trends,
        version,
        interval_ns: given.duration_ns("push_interval", DEFAULT_INTERVAL_NS)?,
        stale_markers: given.switch("stale_markers", false)?,
    };
    let mut route = endpoint.route(given, accepted)?;
    route.signer = signer(given)?;
    Ok(Opened {
        shown,
        way: Way::Push(Box::new(remote), Route::Http(Box::new(route))),
    })
}

/// The three parts of an AWS identity belong together.
fn signer(given: &Given<'_>) -> Result<Option<Signer>, ShipError> {
    let keys = ["sigv4_region", "sigv4_access_key", "sigv4_secret_key"];
    match keys.map(|key| given.text(key)) {
        [None, None, None] => Ok(None),
        [Some(region), Some(access), Some(secret)] => Ok(Some(Signer::new(region, access, secret))),
        _ => Err(given.wrong(format!("{} belong together", keys.join(", ")))),
    }
}

fn stats(given: &Given<'_>) -> Result<Vec<Stat>, ShipError> {
    let text = given.text("trend_stats").unwrap_or(DEFAULT_STATS);
    let pieces = text.split(',').map(str::trim).filter(|p| !p.is_empty());
    let parse = |piece: &str| {
        Stat::parse(piece).ok_or_else(|| {
            given.wrong(format!(
                "trend_stats: `{piece}` is none of avg, min, med, max, count, sum and p(0) to p(100)"
            ))
        })
    };
    pieces.map(parse).collect()
}

/// A receiver of the second version says how much it has written; one that knows only the first writes nothing.
fn accepted(exchange: &Exchange) -> Result<(), Refusal> {
    let written = exchange.header("X-Prometheus-Remote-Write-Samples-Written");
    let histograms = exchange.header("X-Prometheus-Remote-Write-Histograms-Written");
    match (written.as_deref(), histograms.as_deref()) {
        (Some(b"0"), Some(b"0")) => Err(Refusal::Final(
            "it has written none of the samples".to_owned(),
        )),
        _ => Ok(()),
    }
}

/// What becomes of trends.
#[derive(Clone, Debug, PartialEq)]
enum Trends {
    /// A series for each.
    Stats(Vec<Stat>),
    /// Native histograms.
    Native,
}

/// The encoder.
struct RemoteWrite {
    totals: Totals,
    trends: Trends,
    version: Version,
    interval_ns: u64,
    stale_markers: bool,
}

impl Protocol for RemoteWrite {
    fn interval_ns(&self) -> u64 {
        self.interval_ns
    }

    fn absorb(&mut self, batch: &Batch) {
        self.totals.absorb(batch);
    }

    fn speak(&mut self, unix_ns: u64, last: bool) -> Vec<Parcel> {
        let unix_ms = unix_ns / 1_000_000;
        let mut parcels = Vec::new();
        let mut points = Vec::new();
        let mut samples = 0;
        for total in self.totals.report() {
            names::points(total, &self.trends, &mut points);
            samples += total.news;
            if points.len() >= SERIES_PER_PARCEL {
                parcels.push(self.parcel(&points, samples, unix_ms));
                points.clear();
                samples = 0;
            }
        }
        if !points.is_empty() {
            parcels.push(self.parcel(&points, samples, unix_ms));
        }
        self.totals.reported();
        if last && self.stale_markers {
            parcels.extend(self.ends(unix_ms + 1));
        }
        parcels
    }
}

impl RemoteWrite {
    fn parcel(&self, points: &[Point], samples: u64, unix_ms: u64) -> Parcel {
        let message = encode(points, unix_ms, self.version);
        let packed = snap::raw::Encoder::new().compress_vec(&message);
        Parcel {
            // It fails beyond 4 GiB only.
            bytes: packed.unwrap_or_default(),
            samples,
        }
    }

    /// Says that no series goes on, so that queries do not see them for five more minutes.
    fn ends(&self, unix_ms: u64) -> Vec<Parcel> {
        let mut points = Vec::new();
        for total in self.totals.report() {
            names::points(total, &self.trends, &mut points);
        }
        points.iter_mut().for_each(Point::end);
        let parcels = points.chunks(SERIES_PER_PARCEL);
        parcels
            .map(|points| self.parcel(points, 0, unix_ms))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::totals::tests::sample_batch;

    fn speak(trends: Trends, version: Version) -> Vec<u8> {
        let mut remote = RemoteWrite {
            totals: Totals::new(Since::Start, Tags::All),
            trends,
            version,
            interval_ns: 1,
            stale_markers: true,
        };
        remote.absorb(&sample_batch(5));
        let parcels = remote.speak(1_700_000_000_000_000_000, true);
        assert_eq!(
            parcels.iter().map(|p| p.samples).collect::<Vec<_>>(),
            [16, 0]
        );
        let unpacked = snap::raw::Decoder::new().decompress_vec(&parcels[0].bytes);
        unpacked.unwrap()
    }

    #[test]
    fn messages_of_both_versions_stay_as_the_real_receiver_took_them() {
        let stats = Trends::Stats(
            ["p(99)", "count"]
                .iter()
                .filter_map(|s| Stat::parse(s))
                .collect(),
        );
        for (name, trends, version) in [
            ("rw1", stats.clone(), Version::One),
            ("rw1-native", Trends::Native, Version::One),
            ("rw2", stats, Version::Two),
            ("rw2-native", Trends::Native, Version::Two),
        ] {
            let text = crate::golden::dump(&speak(trends, version));
            crate::golden::check(name, &text);
        }
    }
}
