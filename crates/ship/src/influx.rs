//! InfluxDB: line protocol over the APIs of versions 1, 2 and 3.
//!
//! One point per series and interval: `value` is what k6's dashboards read (a counter's sum, a gauge's last value, a
//! rate's share, a trend's mean); further fields hold the rest. Times are milliseconds as in k6. Tags that k6 sends as
//! fields (`url`, `vu`, `iter`) are left out, as a point stands for many samples. Format:
//! <https://docs.influxdata.com/influxdb/v2/reference/syntax/line-protocol/>

use std::io::Write;

use netload_http::Url;
use netload_metrics::{Aggregate, TagSet};

use crate::ShipError;
use crate::batch::Batch;
use crate::carrier::Route;
use crate::courier::Protocol;
use crate::endpoint::Endpoint;
use crate::fleet::{Opened, Way};
use crate::given::{Given, Schema};
use crate::outbox::Parcel;
use crate::text::{Lines, statistics};
use crate::totals::{Since, Tags, Total, Totals};

pub(crate) static SCHEMA: Schema = Schema {
    output: "influxdb",
    prefix: "K6_INFLUXDB_",
    keys: &[
        "addr",
        "db",
        "username",
        "password",
        "retention",
        "consistency",
        "precision",
        "push_interval",
        "tags_as_fields",
        "insecure",
        "proxy",
        "payload_size",
        "concurrent_writes",
        "organization",
        "bucket",
        "token",
    ],
};

const DEFAULT_ADDRESS: &str = "http://localhost:8086";
const DEFAULT_DATABASE: &str = "k6";
const DEFAULT_INTERVAL_NS: u64 = 1_000_000_000;
/// k6's default for `tagsAsFields`.
pub(crate) const TAGS_AS_FIELDS: [&str; 3] = ["vu", "iter", "url"];
/// Precisions by the names of version 1, with their nanoseconds and the name that versions 2 and 3 use.
const PRECISIONS: [(&str, u64, &str, &str); 5] = [
    ("n", 1, "ns", "nanosecond"),
    ("ns", 1, "ns", "nanosecond"),
    ("u", 1_000, "us", "microsecond"),
    ("ms", 1_000_000, "ms", "millisecond"),
    ("s", 1_000_000_000, "s", "second"),
];

/// Which API is spoken: chosen by the path of the address, or by what is given beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    One,
    Two,
    Three,
}

pub(crate) fn open(given: &Given<'_>) -> Result<Opened, ShipError> {
    let address = given.address().or(given.text("addr"));
    let mut endpoint = Endpoint::new(given, address.unwrap_or(DEFAULT_ADDRESS))?;
    let precision = given.text("precision").unwrap_or("n");
    let unit = PRECISIONS.iter().find(|(name, ..)| *name == precision);
    let Some(unit) = unit else {
        return Err(given.wrong(format!("precision: `{precision}` is none of n, u, ms, s")));
    };
    let version = match endpoint.url.path() {
        path if path.contains("/api/v3/") => Version::Three,
        path if path.contains("/api/v2/") => Version::Two,
        _ if given.text("bucket").is_some() => Version::Two,
        _ => Version::One,
    };
    let url = write_url(given, &endpoint, version, unit)?;
    let mut before = creation(given, &url, version)?;
    let shown = format!("influxdb ({})", without_query(endpoint.url.masked()));
    let user = endpoint.url.user().cloned();
    endpoint.url = Endpoint::new(given, &url)?.url;
    if let Some(url) = &mut before {
        url.set_user(user.clone());
    }
    endpoint.url.set_user(user);
    authorize(given, &mut endpoint, version);
    endpoint.tls.insecure_skip_verify = given.switch("insecure", false)?;
    if let Some(proxy) = given.text("proxy") {
        endpoint.proxy.http = proxy.to_owned();
        endpoint.proxy.https = proxy.to_owned();
    }
    endpoint
        .headers
        .set("Content-Type", "text/plain; charset=utf-8");
    let fields = given.list("tags_as_fields");
    let fields = fields.unwrap_or_else(|| TAGS_AS_FIELDS.map(str::to_owned).to_vec());
    let untyped = |field: String| field.split(':').next().unwrap_or_default().to_owned();
    let tags = Tags::Except(fields.into_iter().map(untyped).collect());
    let influx = Influx {
        totals: Totals::new(Since::Report, tags),
        interval_ns: given.duration_ns("push_interval", DEFAULT_INTERVAL_NS)?,
        unit_ns: unit.1,
        last_stamp: 0,
    };
    let mut route = endpoint.route(given, |_| Ok(()))?;
    route.before = before;
    Ok(Opened {
        shown,
        way: Way::Push(Box::new(influx), Route::Http(Box::new(route))),
    })
}

fn without_query(url: String) -> String {
    url.split('?').next().unwrap_or_default().to_owned()
}

/// Where points are written to. A path that is an API's is used as it is; any other is the name of the database.
fn write_url(
    given: &Given<'_>,
    endpoint: &Endpoint,
    version: Version,
    unit: &(&str, u64, &str, &str),
) -> Result<String, ShipError> {
    let url = &endpoint.url;
    let base = format!("{}://{}", url.scheme(), url.host());
    let path = url.path().trim_matches('/');
    let mut query: Vec<String> = Vec::new();
    query.extend(url.query().filter(|q| !q.is_empty()).map(str::to_owned));
    let asked = |name: &str| {
        url.query()
            .is_some_and(|q| q.split('&').any(|p| p.starts_with(&format!("{name}="))))
    };
    let mut add = |name: &str, value: Option<&str>| {
        if let Some(value) = value.filter(|_| !asked(name)) {
            query.push(format!("{name}={}", escaped(value)));
        }
    };
    let api = match version {
        Version::One => {
            let database = Some(path).filter(|path| !path.is_empty() && *path != "write");
            let database = given.text("db").filter(|_| database.is_none()).or(database);
            add("db", Some(database.unwrap_or(DEFAULT_DATABASE)));
            add("precision", Some(if unit.0 == "ns" { "n" } else { unit.0 }));
            add("rp", given.text("retention"));
            add("consistency", given.text("consistency"));
            "write"
        }
        Version::Two => {
            add("org", given.text("organization"));
            add("bucket", given.text("bucket"));
            add("precision", Some(unit.2));
            if !asked("bucket") && given.text("bucket").is_none() {
                return Err(given.wrong("version 2 writes into a bucket; add bucket=NAME"));
            }
            "api/v2/write"
        }
        Version::Three => {
            add("db", Some(given.text("db").unwrap_or(DEFAULT_DATABASE)));
            add("precision", Some(unit.3));
            "api/v3/write_lp"
        }
    };
    Ok(format!("{base}/{api}?{}", query.join("&")))
}

/// What makes the database of version 1, as k6 does; who may not, or needs not, is told so and goes on.
fn creation(given: &Given<'_>, write: &str, version: Version) -> Result<Option<Url>, ShipError> {
    let (base, query) = write.split_once("/write?").unwrap_or_default();
    let database = query.split('&').find_map(|pair| pair.strip_prefix("db="));
    let (Version::One, Some(database)) = (version, database) else {
        return Ok(None);
    };
    let url = format!("{base}/query?q=CREATE%20DATABASE%20%22{database}%22");
    Ok(Some(Endpoint::new(given, &url)?.url))
}

/// Percent-encodes what a value in a query may not hold.
fn escaped(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b);
    let piece = |b: u8| match plain(b) {
        true => char::from(b).to_string(),
        false => format!("%{b:02X}"),
    };
    text.bytes().map(piece).collect()
}

fn authorize(given: &Given<'_>, endpoint: &mut Endpoint, version: Version) {
    if let Some(token) = given.text("token") {
        let scheme = if version == Version::Three {
            "Bearer"
        } else {
            "Token"
        };
        endpoint.token(scheme, token);
    } else if let Some(user) = given.text("username") {
        endpoint.basic(user, given.text("password").unwrap_or_default());
    }
}

/// The encoder.
struct Influx {
    totals: Totals,
    interval_ns: u64,
    unit_ns: u64,
    /// Two points of a series with the same time are one: times must grow.
    last_stamp: u64,
}

impl Protocol for Influx {
    fn interval_ns(&self) -> u64 {
        self.interval_ns
    }

    fn absorb(&mut self, batch: &Batch) {
        self.totals.absorb(batch);
    }

    fn speak(&mut self, unix_ns: u64, _: bool) -> Vec<Parcel> {
        let stamp = (unix_ns / self.unit_ns).max(self.last_stamp + 1);
        self.last_stamp = stamp;
        let mut lines = Lines::default();
        for total in self.totals.report() {
            lines.add(total.news, |out| point(total, stamp, out));
        }
        self.totals.reported();
        lines.parcels()
    }
}

/// A series as a line.
pub(crate) fn point(total: &Total, stamp: u64, out: &mut Vec<u8>) {
    let mut fields = String::new();
    let mut add = |name: &str, value: f64| {
        if value.is_finite() {
            let comma = if fields.is_empty() { "" } else { "," };
            fields += &format!("{comma}{name}={value}");
        }
    };
    match &total.data {
        Aggregate::Counter(c) => add("value", c.sum),
        Aggregate::Gauge(g) => add("value", g.last),
        Aggregate::Rate(r) => {
            add("value", r.share().unwrap_or_default());
            fields += &format!(",passes={}i,total={}i", r.passes, r.total);
        }
        Aggregate::Trend(h) => {
            add("value", h.mean());
            for (name, value) in statistics(h) {
                add(name, value);
            }
            fields += &format!(",count={}i", h.count());
        }
    }
    if fields.is_empty() || fields.starts_with(',') {
        return;
    }
    out.extend_from_slice(total.metric.name.as_bytes());
    tags(&total.tags, out);
    // Writing into memory cannot fail.
    let _ = writeln!(out, " {fields} {stamp}");
}

fn tags(tags: &TagSet, out: &mut Vec<u8>) {
    for (key, value) in tags.iter() {
        // An empty value is a mistake to InfluxDB, and a backslash at the end would escape what follows.
        let value = value.trim_end_matches('\\');
        if key.is_empty() || value.is_empty() {
            continue;
        }
        out.push(b',');
        escape(key, out);
        out.push(b'=');
        escape(value, out);
    }
}

fn escape(text: &str, out: &mut Vec<u8>) {
    for byte in text.bytes() {
        match byte {
            b',' | b'=' | b' ' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' | b'\r' | b'\t' => out.extend_from_slice(b"\\ "),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::given::Environment;
    use crate::totals::tests::sample_batch;

    #[test]
    fn points_are_line_protocol() {
        let mut influx = Influx {
            totals: Totals::new(Since::Report, Tags::Except(vec!["url".to_owned()])),
            interval_ns: 1,
            unit_ns: 1_000_000,
            last_stamp: 0,
        };
        influx.absorb(&sample_batch(5));
        let parcels = influx.speak(1_700_000_000_000_000_000, false);
        assert_eq!((parcels.len(), parcels[0].samples), (1, 16));
        let text = String::from_utf8(parcels[0].bytes.clone()).unwrap();
        crate::golden::check("influx", &text);
        // Nothing new: nothing to say, and the next point is later whatever the clock says.
        assert!(influx.speak(1, false).is_empty());
        assert_eq!(influx.last_stamp, 1_700_000_000_001);
    }

    fn url(argument: &str, variables: &[(&str, &str)]) -> String {
        let pairs = variables
            .iter()
            .map(|(k, v)| (k.to_string(), v.to_string()));
        let environment: Environment = pairs.collect();
        let given = Given::parse(&SCHEMA, argument, &environment).unwrap();
        match open(&given) {
            Ok(Opened {
                way: Way::Push(_, Route::Http(route)),
                ..
            }) => format!("{}{}", route.url.host(), route.url.target()),
            Ok(_) => panic!("not over HTTP"),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_address_chooses_the_api() {
        assert_eq!(url("", &[]), "localhost:8086/write?db=k6&precision=n");
        let environment = Environment::new();
        let given = Given::parse(&SCHEMA, "http://h:1/db", &environment).unwrap();
        let write = "http://h:1/write?db=a%20b&precision=n";
        let made = creation(&given, write, Version::One).unwrap().unwrap();
        assert_eq!(made.target(), "/query?q=CREATE%20DATABASE%20%22a%20b%22");
        assert!(creation(&given, write, Version::Three).unwrap().is_none());
        assert_eq!(
            url(
                "http://h:1/my%20db,retention=a b",
                &[("K6_INFLUXDB_PRECISION", "s")]
            ),
            "h:1/write?db=my%2520db&precision=s&rp=a%20b"
        );
        assert_eq!(
            url("http://h:1,bucket=b,organization=o,token=t", &[]),
            "h:1/api/v2/write?org=o&bucket=b&precision=ns"
        );
        assert_eq!(
            url("http://h:1/api/v3/write_lp?db=x", &[]),
            "h:1/api/v3/write_lp?db=x&precision=nanosecond"
        );
        assert_eq!(
            url(
                "",
                &[("K6_INFLUXDB_ADDR", "https://h"), ("K6_INFLUXDB_DB", "d")]
            ),
            "h/write?db=d&precision=n"
        );
        assert!(url("http://h/api/v2/write", &[]).ends_with("add bucket=NAME"));
        assert!(url("ftp://h", &[]).starts_with("output `influxdb`: `ftp://h` is no address"));
    }

    #[test]
    fn what_would_end_a_tag_is_escaped() {
        let mut out = Vec::new();
        tags(
            &TagSet::new([("a b", "c,d=e\nf\\"), ("none", ""), ("slash", "\\")]),
            &mut out,
        );
        assert_eq!(String::from_utf8(out).unwrap(), ",a\\ b=c\\,d\\=e\\ f");
    }
}
