//! StatsD and DogStatsD: counters, gauges and timings as datagrams.
//!
//! A counter sends its sum, a gauge its last value, a rate two counters (`.passes` and `.fails`), a trend at most about
//! [`VALUES_LIMIT`] values with the sample rates that make receivers count all of them. Names and variables are those of
//! the extensions `xk6-output-statsd` and of k6 before 0.55. Formats: <https://github.com/statsd/statsd/blob/master/docs/metric_types.md>
//! and <https://docs.datadoghq.com/developers/dogstatsd/datagram_shell/>.

use std::io::Write;

use netload_metrics::{Aggregate, Contains, TagSet};

use crate::ShipError;
use crate::batch::Batch;
use crate::carrier::Route;
use crate::courier::Protocol;
use crate::fleet::{Opened, Way};
use crate::given::{Given, Schema};
use crate::outbox::Parcel;
use crate::text::{Lines, thinned};
use crate::totals::{Since, Tags, Total, Totals};

pub(crate) static STATSD: Schema = Schema {
    output: "statsd",
    prefix: "K6_STATSD_",
    keys: &[
        "addr",
        "namespace",
        "push_interval",
        "buffer_size",
        "enable_tags",
        "tag_blocklist",
        "tag_blacklist",
    ],
};

pub(crate) static DATADOG: Schema = Schema {
    output: "datadog",
    prefix: "K6_DATADOG_",
    keys: STATSD.keys,
};

const DEFAULT_ADDRESS: &str = "localhost:8125";
const DEFAULT_NAMESPACE: &str = "k6.";
const DEFAULT_INTERVAL_NS: u64 = 1_000_000_000;
/// Tags that make a series of every sample or every address.
const BLOCKED_TAGS: [&str; 3] = ["vu", "iter", "url"];
/// Values sent for a trend and an interval, about.
const VALUES_LIMIT: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    StatsD,
    DogStatsD,
}

pub(crate) fn open(given: &Given<'_>, dialect: Dialect) -> Result<Opened, ShipError> {
    let address = given.address().or(given.text("addr"));
    let address = address.unwrap_or(DEFAULT_ADDRESS).to_owned();
    if address
        .rsplit_once(':')
        .is_none_or(|(_, port)| port.parse::<u16>().is_err())
    {
        return Err(given.wrong(format!("`{address}` is no address; use HOST:PORT")));
    }
    let blocked = given.list("tag_blocklist").or(given.list("tag_blacklist"));
    let blocked = blocked.unwrap_or_else(|| BLOCKED_TAGS.map(str::to_owned).to_vec());
    let tags = match given.switch("enable_tags", dialect == Dialect::DogStatsD)? {
        true => Tags::Except(blocked),
        false => Tags::None,
    };
    let statsd = StatsD {
        totals: Totals::new(Since::Report, tags),
        namespace: given
            .text("namespace")
            .unwrap_or(DEFAULT_NAMESPACE)
            .to_owned(),
        interval_ns: given.duration_ns("push_interval", DEFAULT_INTERVAL_NS)?,
        dialect,
    };
    Ok(Opened {
        shown: format!("{} ({address})", given.name()),
        way: Way::Push(Box::new(statsd), Route::Udp(address)),
    })
}

/// The encoder.
struct StatsD {
    totals: Totals,
    namespace: String,
    interval_ns: u64,
    dialect: Dialect,
}

impl Protocol for StatsD {
    fn interval_ns(&self) -> u64 {
        self.interval_ns
    }

    fn absorb(&mut self, batch: &Batch) {
        self.totals.absorb(batch);
    }

    fn speak(&mut self, _: u64, _: bool) -> Vec<Parcel> {
        let mut lines = Lines::default();
        for total in self.totals.report() {
            lines.add(total.news, |out| self.series(total, out));
        }
        self.totals.reported();
        lines.parcels()
    }
}

impl StatsD {
    fn series(&self, total: &Total, out: &mut Vec<u8>) {
        let name = format!("{}{}", self.namespace, total.metric.name);
        let tags = tags(&total.tags);
        // Writing into memory cannot fail.
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(out, "{name}:{value}{tags}");
        };
        match &total.data {
            Aggregate::Counter(c) => line(&name, &format!("{}|c", c.sum)),
            Aggregate::Gauge(g) => {
                if g.last < 0.0 && self.dialect == Dialect::StatsD {
                    // A sign means a change to StatsD; from zero it is a value.
                    line(&name, "0|g");
                }
                line(&name, &format!("{}|g", g.last));
            }
            Aggregate::Rate(r) => {
                line(&format!("{name}.passes"), &format!("{}|c", r.passes));
                line(
                    &format!("{name}.fails"),
                    &format!("{}|c", r.total - r.passes),
                );
            }
            Aggregate::Trend(h) => {
                let kind = match (self.dialect, total.metric.contains) {
                    (Dialect::DogStatsD, Contains::Default | Contains::Data) => "h",
                    _ => "ms",
                };
                for (value, weight) in thinned(h, VALUES_LIMIT) {
                    let rate = match weight {
                        1 => String::new(),
                        weight => format!("|@{}", 1.0 / weight as f64),
                    };
                    line(&name, &format!("{value}|{kind}{rate}"));
                }
            }
        }
    }
}

/// Tags behind a value, as DogStatsD and most receivers of StatsD read them.
fn tags(tags: &TagSet) -> String {
    let mut text = String::new();
    for (key, value) in tags.iter().filter(|(_, value)| !value.is_empty()) {
        text += if text.is_empty() { "|#" } else { "," };
        text += &format!("{}:{}", plain(key), plain(value));
    }
    text
}

/// Without what would end a tag or a line.
fn plain(text: &str) -> String {
    text.replace(['|', ',', '\n', '\r', '#'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::totals::tests::sample_batch;

    #[test]
    fn both_dialects_are_lines() {
        for (dialect, tags, golden) in [
            (Dialect::StatsD, Tags::None, "statsd"),
            (
                Dialect::DogStatsD,
                Tags::Except(vec!["url".to_owned()]),
                "dogstatsd",
            ),
        ] {
            let mut statsd = StatsD {
                totals: Totals::new(Since::Report, tags),
                namespace: "k6.".to_owned(),
                interval_ns: 1,
                dialect,
            };
            statsd.absorb(&sample_batch(5));
            let parcels = statsd.speak(9, true);
            assert_eq!((parcels.len(), parcels[0].samples), (1, 16));
            let text = String::from_utf8(parcels[0].bytes.clone()).unwrap();
            crate::golden::check(golden, &text);
        }
    }
}
