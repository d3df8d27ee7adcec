//! Graphite: Carbon's plain text over TCP, with tags.
//!
//! One line per value: `k6.http_req_duration.p95;method=GET 12.5 1700000000`. Carbon confirms nothing; delivered means
//! that its kernel took the bytes. Format: <https://graphite.readthedocs.io/en/latest/feeding-carbon.html> and
//! <https://graphite.readthedocs.io/en/latest/tags.html>.

use std::io::Write;

use netload_metrics::{Aggregate, TagSet};

use crate::ShipError;
use crate::batch::Batch;
use crate::carrier::Route;
use crate::courier::Protocol;
use crate::fleet::{Opened, Way};
use crate::given::{Given, Schema};
use crate::outbox::Parcel;
use crate::text::{Lines, statistics};
use crate::totals::{Since, Tags, Total, Totals};

pub(crate) static SCHEMA: Schema = Schema {
    output: "graphite",
    prefix: "K6_GRAPHITE_",
    keys: &[
        "addr",
        "namespace",
        "push_interval",
        "enable_tags",
        "tag_blocklist",
    ],
};

const DEFAULT_ADDRESS: &str = "localhost:2003";
const DEFAULT_NAMESPACE: &str = "k6.";
const DEFAULT_INTERVAL_NS: u64 = 10_000_000_000;
/// Tags that make a series of every sample or every address.
const BLOCKED_TAGS: [&str; 3] = ["vu", "iter", "url"];

pub(crate) fn open(given: &Given<'_>) -> Result<Opened, ShipError> {
    let address = given.address().or(given.text("addr"));
    let address = address.unwrap_or(DEFAULT_ADDRESS).to_owned();
    if address
        .rsplit_once(':')
        .is_none_or(|(_, port)| port.parse::<u16>().is_err())
    {
        return Err(given.wrong(format!("`{address}` is no address; use HOST:PORT")));
    }
    let blocked = given.list("tag_blocklist");
    let blocked = blocked.unwrap_or_else(|| BLOCKED_TAGS.map(str::to_owned).to_vec());
    let tags = match given.switch("enable_tags", true)? {
        true => Tags::Except(blocked),
        false => Tags::None,
    };
    let graphite = Graphite {
        totals: Totals::new(Since::Report, tags),
        namespace: given
            .text("namespace")
            .unwrap_or(DEFAULT_NAMESPACE)
            .to_owned(),
        interval_ns: given.duration_ns("push_interval", DEFAULT_INTERVAL_NS)?,
        last_s: 0,
    };
    Ok(Opened {
        shown: format!("graphite ({address})"),
        way: Way::Push(Box::new(graphite), Route::Tcp(address)),
    })
}

/// The encoder.
struct Graphite {
    totals: Totals,
    namespace: String,
    interval_ns: u64,
    /// Of two values for the same second the later one stays: seconds must grow.
    last_s: u64,
}

impl Protocol for Graphite {
    fn interval_ns(&self) -> u64 {
        self.interval_ns
    }

    fn absorb(&mut self, batch: &Batch) {
        self.totals.absorb(batch);
    }

    fn speak(&mut self, unix_ns: u64, _: bool) -> Vec<Parcel> {
        let second = (unix_ns / 1_000_000_000).max(self.last_s + 1);
        self.last_s = second;
        let mut lines = Lines::default();
        for total in self.totals.report() {
            lines.add(total.news, |out| self.series(total, second, out));
        }
        self.totals.reported();
        lines.parcels()
    }
}

impl Graphite {
    fn series(&self, total: &Total, second: u64, out: &mut Vec<u8>) {
        let name = format!("{}{}", self.namespace, total.metric.name);
        let tags = tags(&total.tags);
        // Writing into memory cannot fail.
        let mut line = |part: &str, value: f64| {
            let _ = writeln!(out, "{name}{part}{tags} {value} {second}");
        };
        match &total.data {
            Aggregate::Counter(c) => line("", c.sum),
            Aggregate::Gauge(g) => line("", g.last),
            Aggregate::Rate(r) => {
                line(".rate", r.share().unwrap_or_default());
                line(".passes", r.passes as f64);
                line(".total", r.total as f64);
            }
            Aggregate::Trend(h) => {
                line(".count", h.count() as f64);
                line(".avg", h.mean());
                for (name, value) in statistics(h) {
                    line(&format!(".{name}"), value);
                }
            }
        }
    }
}

fn tags(tags: &TagSet) -> String {
    let filled = tags.iter().filter(|(_, value)| !value.is_empty());
    filled
        .map(|(key, value)| format!(";{}={}", without(key, ";!^=~"), without(value, ";~")))
        .collect()
}

/// A path may hold neither blanks nor these characters.
fn without(text: &str, bad: &str) -> String {
    let is_bad = |c: char| c.is_whitespace() || c.is_control() || bad.contains(c);
    text.replace(is_bad, "_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::totals::tests::sample_batch;

    #[test]
    fn values_are_lines_with_tags() {
        let mut graphite = Graphite {
            totals: Totals::new(Since::Report, Tags::All),
            namespace: "k6.".to_owned(),
            interval_ns: 1,
            last_s: 0,
        };
        graphite.absorb(&sample_batch(5));
        let parcels = graphite.speak(1_700_000_000_900_000_000, false);
        assert_eq!((parcels.len(), parcels[0].samples), (1, 16));
        let text = String::from_utf8(parcels[0].bytes.clone()).unwrap();
        crate::golden::check("graphite", &text);
        graphite.absorb(&sample_batch(6));
        let end = graphite.speak(1_700_000_000_950_000_000, true).remove(0);
        assert!(
            String::from_utf8(end.bytes)
                .unwrap()
                .contains(" 1700000001\n")
        );
    }
}
