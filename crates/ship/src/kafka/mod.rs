//! Kafka: every series and interval as a message of a topic, as JSON or as InfluxDB's line protocol.
//!
//! Owns the settings (arguments and variables of the extension `xk6-output-kafka`) and the messages; [`wire`] has the
//! bytes of the protocol, [`carrier`] the way to the brokers. A JSON message is a `Point` as in k6's JSON output, but
//! stands for an interval: `value` is a counter's sum, a gauge's last value, a rate's share, a trend's mean, and further
//! members of `data` hold the rest. Invariant: a message is one line without a line break inside.

mod carrier;
mod scram;
mod wire;

use netload_metrics::{Aggregate, TagSet};
use netload_net::{NetConfig, Network, Origin, Scheme, TlsSettings};

use crate::ShipError;
use crate::batch::Batch;
use crate::carrier::Route;
use crate::courier::Protocol;
use crate::fleet::{Opened, Way};
use crate::given::{Given, Schema};
use crate::influx;
use crate::outbox::Parcel;
use crate::text::{Lines, statistics};
use crate::totals::{Since, Tags, Total, Totals};

pub(crate) use carrier::KafkaCarrier;
use scram::Hash;

pub(crate) static SCHEMA: Schema = Schema {
    output: "kafka",
    prefix: "K6_KAFKA_",
    keys: &[
        "brokers",
        "topic",
        "format",
        "push_interval",
        "auth_mechanism",
        "sasl_user",
        "user",
        "sasl_password",
        "password",
        "ssl",
        "insecure_skip_tls_verify",
        "version",
        "log_error",
        "influxdb_tags_as_fields",
    ],
};

const DEFAULT_PORT: u16 = 9092;
const DEFAULT_INTERVAL_NS: u64 = 1_000_000_000;
/// The variable by which the tags of the format `influxdb` are chosen, beside the output's own.
const TAGS_VARIABLE: &str = "K6_INFLUXDB_TAGS_AS_FIELDS";

/// Where messages go, as known before the run.
pub(crate) struct KafkaRoute {
    network: std::sync::Arc<Network>,
    /// Any of these tells of the others.
    brokers: Vec<Origin>,
    topic: String,
    login: Option<Login>,
}

/// Who we say we are.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Login {
    mechanism: Mechanism,
    user: String,
    password: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mechanism {
    Plain,
    Scram(Hash),
}

impl Mechanism {
    fn name(self) -> &'static str {
        match self {
            Self::Plain => "PLAIN",
            Self::Scram(Hash::Sha256) => "SCRAM-SHA-256",
            Self::Scram(Hash::Sha512) => "SCRAM-SHA-512",
        }
    }
}

/// What a message looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Json,
    Influx,
}

pub(crate) fn open(given: &Given<'_>) -> Result<Opened, ShipError> {
    let (route, shown) = route(given)?;
    let format = match given.text("format") {
        None | Some("json") => Format::Json,
        Some("influxdb") => Format::Influx,
        Some(other) => {
            return Err(given.wrong(format!("format: `{other}` is neither json nor influxdb")));
        }
    };
    let kafka = Kafka {
        totals: Totals::new(Since::Report, tags(given, format)),
        interval_ns: given.duration_ns("push_interval", DEFAULT_INTERVAL_NS)?,
        format,
        last_stamp_ns: 0,
    };
    Ok(Opened {
        shown,
        way: Way::Push(Box::new(kafka), Route::Kafka(Box::new(route))),
    })
}

/// The brokers with everything that is needed to reach them, and how they are shown.
fn route(given: &Given<'_>) -> Result<(KafkaRoute, String), ShipError> {
    let typed = given.text("brokers").or(given.address());
    let Some(typed) = typed else {
        return Err(given.wrong("it has no brokers; use kafka=brokers=HOST:9092,topic=NAME"));
    };
    let Some(topic) = given.text("topic") else {
        return Err(given.wrong("it has no topic; add topic=NAME"));
    };
    // What clients of the protocol may be told to do differently makes no difference here.
    given.text("version");
    given.switch("log_error", true)?;
    let mut tls = TlsSettings {
        insecure_skip_verify: given.switch("insecure_skip_tls_verify", false)?,
        ..TlsSettings::default()
    };
    tls.offer(&[]);
    let scheme = match given.switch("ssl", false)? {
        true => Scheme::Https,
        false => Scheme::Http,
    };
    let mut brokers = Vec::new();
    for broker in listed(typed) {
        brokers.push(origin(given, scheme, broker)?);
    }
    if brokers.is_empty() {
        return Err(given.wrong("its list of brokers is empty; use brokers={HOST:9092,HOST:9092}"));
    }
    let shown = format!(
        "kafka ({} at {})",
        topic,
        listed(typed).collect::<Vec<_>>().join(", ")
    );
    let network = Network::new(&NetConfig {
        tls,
        no_stamps: true,
        ..NetConfig::default()
    });
    let route = KafkaRoute {
        network: network.map_err(|e| given.wrong(e.detail()))?,
        brokers,
        topic: topic.to_owned(),
        login: login(given)?,
    };
    Ok((route, shown))
}

/// The parts of a list that may stand in braces.
fn listed(text: &str) -> impl Iterator<Item = &str> {
    let bare = text.trim().trim_start_matches('{').trim_end_matches('}');
    bare.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
}

fn origin(given: &Given<'_>, scheme: Scheme, broker: &str) -> Result<Origin, ShipError> {
    let wrong = || given.wrong(format!("`{broker}` is no broker; use HOST:PORT"));
    let has_port = broker.rfind(':') > broker.rfind(']') && !broker.ends_with(':');
    let (host, port) = match broker.rsplit_once(':').filter(|_| has_port) {
        Some((host, port)) => (host, port.parse().map_err(|_| wrong())?),
        None => (broker, DEFAULT_PORT),
    };
    let is_plain = !host.is_empty() && !host.contains(['/', ' ']);
    is_plain
        .then(|| Origin::new(scheme, host, port))
        .ok_or_else(wrong)
}

fn login(given: &Given<'_>) -> Result<Option<Login>, ShipError> {
    let typed = given.text("auth_mechanism").unwrap_or("none");
    let mechanism = match typed.to_ascii_lowercase().replace('_', "-").as_str() {
        "none" => return Ok(None),
        "plain" => Mechanism::Plain,
        "scram-sha-256" => Mechanism::Scram(Hash::Sha256),
        "scram-sha-512" => Mechanism::Scram(Hash::Sha512),
        _ => {
            return Err(given.wrong(format!(
                "auth_mechanism: `{typed}` is none of none, plain, scram-sha-256, scram-sha-512"
            )));
        }
    };
    let user = given.text("sasl_user").or(given.text("user"));
    let Some(user) = user else {
        return Err(given.wrong("auth_mechanism needs a user; add sasl_user=NAME"));
    };
    let password = given.text("sasl_password").or(given.text("password"));
    Ok(Some(Login {
        mechanism,
        user: user.to_owned(),
        password: password.unwrap_or_default().to_owned(),
    }))
}

fn tags(given: &Given<'_>, format: Format) -> Tags {
    if format == Format::Json {
        return Tags::All;
    }
    let typed = given
        .text("influxdb_tags_as_fields")
        .or(given.variable(TAGS_VARIABLE));
    let untyped = |field: &str| field.split(':').next().unwrap_or_default().to_owned();
    Tags::Except(match typed {
        Some(typed) => listed(typed).map(untyped).collect(),
        None => influx::TAGS_AS_FIELDS.map(str::to_owned).to_vec(),
    })
}

/// The encoder.
struct Kafka {
    totals: Totals,
    interval_ns: u64,
    format: Format,
    /// Two points of a series with the same time are one to InfluxDB: times must grow.
    last_stamp_ns: u64,
}

impl Protocol for Kafka {
    fn interval_ns(&self) -> u64 {
        self.interval_ns
    }

    fn absorb(&mut self, batch: &Batch) {
        self.totals.absorb(batch);
    }

    fn speak(&mut self, unix_ns: u64, _: bool) -> Vec<Parcel> {
        let stamp_ns = unix_ns.max(self.last_stamp_ns + 1);
        self.last_stamp_ns = stamp_ns;
        let time = jiff::Timestamp::from_nanosecond(i128::from(stamp_ns)).unwrap_or_default();
        let time = time.to_string();
        let mut lines = Lines::default();
        for total in self.totals.report() {
            lines.add(total.news, |out| match self.format {
                Format::Json => point(total, &time, out),
                Format::Influx => influx::point(total, stamp_ns, out),
            });
        }
        self.totals.reported();
        lines.parcels()
    }
}

fn point(total: &Total, time: &str, out: &mut Vec<u8>) {
    let mut text = format!(
        "{{\"metric\":{},\"type\":\"Point\",\"data\":{{\"time\":\"{time}\"",
        quoted(&total.metric.name)
    );
    let mut add = |name: &str, value: f64| {
        if value.is_finite() {
            text += &format!(",\"{name}\":{value}");
        }
    };
    match &total.data {
        Aggregate::Counter(c) => add("value", c.sum),
        Aggregate::Gauge(g) => add("value", g.last),
        Aggregate::Rate(r) => {
            add("value", r.share().unwrap_or_default());
            add("passes", r.passes as f64);
            add("total", r.total as f64);
        }
        Aggregate::Trend(h) => {
            add("value", h.mean());
            add("count", h.count() as f64);
            for (name, value) in statistics(h) {
                add(name, value);
            }
        }
    }
    text += ",\"tags\":";
    text += &object(&total.tags);
    text += "}}\n";
    out.extend_from_slice(text.as_bytes());
}

fn object(tags: &TagSet) -> String {
    let pairs = tags
        .iter()
        .map(|(key, value)| format!("{}:{}", quoted(key), quoted(value)));
    format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
}

/// A text in JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if u32::from(c) < 0x20 => quoted += &format!("\\u{:04x}", u32::from(c)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::given::Environment;
    use crate::totals::tests::sample_batch;

    #[test]
    fn messages_are_lines_of_either_format() {
        for (format, tags, golden) in [
            (Format::Json, Tags::All, "kafka-json"),
            (
                Format::Influx,
                Tags::Except(vec!["url".to_owned()]),
                "influx",
            ),
        ] {
            let mut kafka = Kafka {
                totals: Totals::new(Since::Report, tags),
                interval_ns: 1,
                format,
                last_stamp_ns: 0,
            };
            kafka.absorb(&sample_batch(5));
            let parcels = kafka.speak(1_700_000_000_000_000_000, false);
            assert_eq!((parcels.len(), parcels[0].samples), (1, 16));
            let text = String::from_utf8(parcels[0].bytes.clone()).unwrap();
            // The same points as the output to InfluxDB makes, with times in nanoseconds instead of milliseconds.
            crate::golden::check(
                golden,
                &match format {
                    Format::Json => text,
                    Format::Influx => text.replace(" 1700000000000000000\n", " 1700000000000\n"),
                },
            );
        }
    }

    #[test]
    fn every_message_stays_a_line() {
        assert_eq!(quoted("a\"b\\c\nd\u{1}"), r#""a\"b\\c\u000ad\u0001""#);
    }

    fn opened(argument: &str, variables: &[(&str, &str)]) -> Result<(KafkaRoute, String), String> {
        let pairs = variables
            .iter()
            .map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        let environment: Environment = pairs.collect();
        let given = Given::parse(&SCHEMA, argument, &environment).map_err(|e| e.to_string())?;
        open(&given).map_err(|e| e.to_string())?;
        route(&given).map_err(|e| e.to_string())
    }

    #[test]
    fn arguments_have_the_form_of_the_extension() {
        let (route, shown) = opened(
            "brokers={a,b:1,[::1]:2},topic=k6,format=influxdb,influxdb.tagsAsFields={url,name}",
            &[],
        )
        .unwrap();
        let brokers: Vec<String> = route.brokers.iter().map(ToString::to_string).collect();
        assert_eq!(brokers, ["http://a:9092", "http://b:1", "http://[::1]:2"]);
        assert_eq!(shown, "kafka (k6 at a, b:1, [::1]:2)");
        let variables = [
            ("K6_KAFKA_BROKERS", "h:1"),
            ("K6_KAFKA_TOPIC", "t"),
            ("K6_KAFKA_SSL", "true"),
            ("K6_KAFKA_AUTH_MECHANISM", "SCRAM-SHA-512"),
            ("K6_KAFKA_SASL_USER", "u"),
            ("K6_KAFKA_SASL_PASSWORD", "p"),
        ];
        let (route, _) = opened("", &variables).unwrap();
        assert_eq!(route.brokers[0].to_string(), "https://h:1");
        let login = route.login.unwrap();
        assert_eq!(
            (login.mechanism.name(), &*login.user),
            ("SCRAM-SHA-512", "u")
        );
        assert_eq!(opened("h,topic=t", &[]).unwrap().1, "kafka (t at h)");
    }

    #[test]
    fn what_is_missing_is_said() {
        let error = |argument: &str| match opened(argument, &[]) {
            Ok((_, shown)) => panic!("{shown} was opened"),
            Err(error) => error,
        };
        assert!(error("topic=t").contains("kafka=brokers=HOST:9092,topic=NAME"));
        assert!(error("brokers=h").ends_with("add topic=NAME"));
        assert!(error("brokers=h:x,topic=t").contains("`h:x` is no broker; use HOST:PORT"));
        assert!(error("brokers={},topic=t").contains("empty"));
        assert!(error("h,topic=t,format=avro").contains("neither json nor influxdb"));
        assert!(error("h,topic=t,auth_mechanism=kerberos").contains("scram-sha-256"));
        assert!(error("h,topic=t,auth_mechanism=plain").ends_with("add sasl_user=NAME"));
    }
}
