//! The outputs over a network that `--out NAME=ARGUMENT` can name: one line each in an explicit list.

use crate::error::ShipError;
use crate::fleet::Opened;
use crate::given::{Given, Schema};
#[cfg(feature = "kafka")]
use crate::kafka;
use crate::statsd::Dialect;
use crate::{graphite, influx, otlp, prometheus, scrape, statsd};

pub use crate::given::Environment;

type Open = fn(&Given<'_>) -> Result<Opened, ShipError>;

const OUTPUTS: &[(&str, &Schema, Open)] = &[
    ("datadog", &statsd::DATADOG, |given| {
        statsd::open(given, Dialect::DogStatsD)
    }),
    ("dogstatsd", &statsd::DATADOG, |given| {
        statsd::open(given, Dialect::DogStatsD)
    }),
    ("experimental-opentelemetry", &otlp::SCHEMA, otlp::open),
    (
        "experimental-prometheus-rw",
        &prometheus::REMOTE_WRITE,
        prometheus::open,
    ),
    ("graphite", &graphite::SCHEMA, graphite::open),
    ("influxdb", &influx::SCHEMA, influx::open),
    #[cfg(feature = "kafka")]
    ("kafka", &kafka::SCHEMA, kafka::open),
    ("opentelemetry", &otlp::SCHEMA, otlp::open),
    ("prometheus", &scrape::SCHEMA, scrape::open),
    ("prometheus-rw", &prometheus::REMOTE_WRITE, prometheus::open),
    ("statsd", &statsd::STATSD, |given| {
        statsd::open(given, Dialect::StatsD)
    }),
    #[cfg(feature = "kafka")]
    ("xk6-kafka", &kafka::SCHEMA, kafka::open),
];

/// Outputs that a feature brings, where it is off: name, what is missing, the feature.
const NOT_BUILT: &[(&str, &str, &str)] = &[
    #[cfg(not(feature = "kafka"))]
    ("kafka", "Kafka", "kafka"),
    #[cfg(not(feature = "kafka"))]
    ("xk6-kafka", "Kafka", "kafka"),
];

/// The names, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    OUTPUTS.iter().map(|(name, ..)| *name)
}

/// Whether what was typed behind `--out` names one of these outputs.
pub fn is_known(spec: &str) -> bool {
    let name = spec.split('=').next().unwrap_or_default();
    names().any(|known| known == name)
}

/// The output that `--out` names, not started; none for names of others.
///
/// # Errors
/// Wrong arguments or variables, addresses that cannot be listened on, and outputs that were not built in.
pub fn open(spec: &str, environment: &Environment) -> Result<Option<Opened>, ShipError> {
    let (name, argument) = spec.split_once('=').unwrap_or((spec, ""));
    if let Some((_, what, feature)) = NOT_BUILT.iter().find(|(known, ..)| *known == name) {
        return Err(ShipError::NotBuilt {
            output: name.to_owned(),
            what,
            feature,
        });
    }
    let Some((_, schema, open)) = OUTPUTS.iter().find(|(known, ..)| *known == name) else {
        return Ok(None);
    };
    let given = Given::parse(schema, argument, environment)?;
    open(&given).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_choose_the_output() {
        let environment = Environment::new();
        let shown = |spec: &str| open(spec, &environment).unwrap().map(|opened| opened.shown);
        assert_eq!(shown("json=x"), None);
        assert_eq!(
            shown("influxdb=http://u:p@h:1/db?x=y").as_deref(),
            Some("influxdb (http://****:****@h:1/db)")
        );
        assert_eq!(shown("statsd").as_deref(), Some("statsd (localhost:8125)"));
        assert!(names().is_sorted());
        for name in names().filter(|name| *name != "prometheus" && !name.ends_with("kafka")) {
            assert!(shown(name).is_some(), "{name}");
        }
    }

    #[cfg(not(feature = "kafka"))]
    #[test]
    fn outputs_that_were_not_built_in_say_how_to_get_them() {
        let error = open("kafka=brokers=h,topic=t", &Environment::new())
            .err()
            .unwrap();
        assert_eq!(
            error.to_string(),
            "output `kafka`: this netload was built without Kafka; build it with `--features kafka`"
        );
    }
}
