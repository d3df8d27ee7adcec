//! What a series is about: a metric, and the part of the run whose samples it has. The one table of what is kept.

use netload_metrics::{Kind, MetricId, Registry, TagSet};
use serde::{Deserialize, Serialize};

/// Most series of parts other than [`Part::Whole`] and [`Part::Tagged`]; later names are counted together as [`OTHER`].
pub const SERIES_LIMIT: usize = 4_000;
/// The name of what is counted together because there were too many names.
pub const OTHER: &str = netload_metrics::tags::OVERFLOW;

/// A series of a run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// The metric's name.
    pub metric: String,
    /// Which samples of it.
    pub part: Part,
}

impl Key {
    /// The series of all samples of a metric.
    pub fn whole(metric: &str) -> Self {
        Self {
            metric: metric.to_owned(),
            part: Part::Whole,
        }
    }

    /// The series of a part of a metric.
    pub fn of(metric: &str, part: Part) -> Self {
        Self {
            metric: metric.to_owned(),
            part,
        }
    }
}

/// Which samples of a metric.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// All.
    Whole,
    /// Those of a sub-metric with thresholds; the text is its tags with the braces.
    Tagged(String),
    /// Those of requests with this name.
    Name(String),
    /// Those made inside a group, by its path.
    Group(String),
    /// Those of a scenario.
    Scenario(String),
    /// Responses with this status.
    Status(String),
    /// Requests that failed with this error.
    Error {
        /// k6's number for it; empty when unknown.
        code: String,
        /// What happened.
        text: String,
    },
    /// Results of one check.
    Check {
        /// The path of the group it stands in; empty outside groups.
        group: String,
        /// Its name.
        name: String,
    },
    /// Requests to this host, with the port when the URL has one.
    Host(String),
    /// Requests to this address; only when the system tag `ip` is on.
    Ip(String),
    /// Requests in this version of the protocol, such as `HTTP/1.1`.
    Protocol(String),
}

impl Part {
    /// Whether it is kept by the second; everything else is kept in longer spans.
    pub fn is_by_second(&self) -> bool {
        matches!(self, Self::Whole | Self::Tagged(_))
    }

    /// The same kind of part, for what is counted together.
    pub(crate) fn folded(&self) -> Self {
        let other = || OTHER.to_owned();
        match self {
            Self::Whole => Self::Whole,
            Self::Tagged(tags) => Self::Tagged(tags.clone()),
            Self::Name(_) => Self::Name(other()),
            Self::Group(_) => Self::Group(other()),
            Self::Scenario(_) => Self::Scenario(other()),
            Self::Status(_) => Self::Status(other()),
            Self::Error { .. } => Self::Error {
                code: String::new(),
                text: other(),
            },
            Self::Check { .. } => Self::Check {
                group: String::new(),
                name: other(),
            },
            Self::Host(_) => Self::Host(other()),
            Self::Ip(_) => Self::Ip(other()),
            Self::Protocol(_) => Self::Protocol(other()),
        }
    }
}

/// Metrics that are kept by which part; [`Part::Whole`] is every metric, [`Part::Tagged`] whatever has thresholds.
const BY_NAME: [&str; 4] = [
    "http_reqs",
    "http_req_failed",
    "http_req_duration",
    "http_req_waiting",
];
const BY_SCOPE: [&str; 8] = [
    "http_reqs",
    "http_req_failed",
    "http_req_duration",
    "iterations",
    "iteration_duration",
    "checks",
    "group_duration",
    "dropped_iterations",
];
const COUNTED: &str = "http_reqs";

/// Trends whose distribution is kept as finely as it was measured, when it is that of the whole run.
const FINE: [&str; 3] = [
    "http_req_duration",
    "http_req_response",
    "iteration_duration",
];
/// Their scale: 256 buckets in an octave, 0.27 % wide.
const FINE_SCALE: i8 = 8;
/// The scale of all others: 32 buckets in an octave, 2.2 % wide.
const COARSE_SCALE: i8 = 5;

/// How finely a series is kept, as a power of two of the buckets in an octave.
pub(crate) fn scale_of(key: &Key) -> i8 {
    if key.part == Part::Whole && FINE.contains(&key.metric.as_str()) {
        FINE_SCALE
    } else {
        COARSE_SCALE
    }
}

/// A sub-metric with thresholds, as the parts need it.
#[derive(Clone, Debug)]
pub(crate) struct Tagged {
    pub(crate) metric: String,
    pub(crate) tags: TagSet,
    pub(crate) braces: String,
}

/// The series that samples of a metric with these tags count for.
pub(crate) fn keys(
    registry: &Registry,
    metric: MetricId,
    tags: &TagSet,
    tagged: &[Tagged],
) -> (Kind, Vec<Key>) {
    let metric = registry.metric(metric);
    let name = &*metric.name;
    let mut keys = vec![Key::whole(name)];
    let wanted = tagged.iter().filter(|t| t.metric == name);
    keys.extend(
        wanted
            .filter(|t| tags.contains_all(&t.tags))
            .map(|t| Key::of(name, Part::Tagged(t.braces.clone()))),
    );
    let text = |key: &str| {
        let value = tags.value(key).filter(|value| !value.is_empty());
        value.map(str::to_owned)
    };
    let mut put = |part: Option<Part>| keys.extend(part.map(|part| Key::of(name, part)));
    if BY_NAME.contains(&name) {
        put(text("name").or_else(|| text("url")).map(Part::Name));
    }
    if BY_SCOPE.contains(&name) {
        put(text("group").map(Part::Group));
        put(text("scenario").map(Part::Scenario));
    }
    if name == COUNTED {
        put(Some(outcome(tags)));
        let url = tags.value("url").or_else(|| tags.value("name"));
        put(url.and_then(host).map(Part::Host));
        put(text("ip").map(Part::Ip));
        put(text("proto").map(Part::Protocol));
    }
    (metric.kind, keys)
}

/// The status of a response, or the error instead of one.
fn outcome(tags: &TagSet) -> Part {
    let text = |key: &str| tags.value(key).unwrap_or_default().to_owned();
    let status = text("status");
    if !status.is_empty() && status != "0" {
        return Part::Status(status);
    }
    let (code, error) = (text("error_code"), text("error"));
    let text = match (error.is_empty(), code.is_empty()) {
        (false, _) => error,
        (true, false) => format!("error code {code}"),
        (true, true) => "no response".to_owned(),
    };
    Part::Error { code, text }
}

/// The host of a URL, with its port when there is one.
fn host(url: &str) -> Option<String> {
    if url == OTHER {
        return Some(OTHER.to_owned());
    }
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit_once('@').map_or(authority, |(_, h)| h);
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(tags: &[(&str, &str)], metric: &str) -> Vec<Part> {
        let registry = Registry::new();
        let id = registry.find(metric).unwrap().id;
        let tagged = [Tagged {
            metric: "http_reqs".to_owned(),
            tags: TagSet::new([("status", "200")]),
            braces: "{status:200}".to_owned(),
        }];
        let tags = TagSet::new(tags.iter().copied());
        let (_, keys) = keys(&registry, id, &tags, &tagged);
        keys.into_iter().map(|key| key.part).collect()
    }

    #[test]
    fn a_request_counts_for_its_name_status_and_host() {
        let tags = [
            ("name", "item"),
            ("url", "http://me:secret@Shop.example:8080/item/1?q"),
            ("status", "200"),
            ("scenario", "default"),
            ("group", "::a"),
            ("proto", "HTTP/1.1"),
        ];
        let expected = [
            Part::Whole,
            Part::Tagged("{status:200}".to_owned()),
            Part::Name("item".to_owned()),
            Part::Group("::a".to_owned()),
            Part::Scenario("default".to_owned()),
            Part::Status("200".to_owned()),
            Part::Host("shop.example:8080".to_owned()),
            Part::Protocol("HTTP/1.1".to_owned()),
        ];
        assert_eq!(parts(&tags, "http_reqs"), expected);
        assert_eq!(parts(&tags, "http_req_tare"), [Part::Whole]);
    }

    #[test]
    fn a_request_without_a_response_counts_for_its_error() {
        let tags = [
            ("status", "0"),
            ("error_code", "1212"),
            ("error", "connection refused"),
        ];
        let error = Part::Error {
            code: "1212".to_owned(),
            text: "connection refused".to_owned(),
        };
        assert!(parts(&tags, "http_reqs").contains(&error));
    }

    #[test]
    fn keys_are_short_texts() {
        let text = serde_json::to_string(&Key::of("http_reqs", Part::Name("a".to_owned())));
        assert_eq!(
            text.unwrap(),
            r#"{"metric":"http_reqs","part":{"name":"a"}}"#
        );
        let whole: Key = serde_json::from_str(r#"{"metric":"vus","part":"whole"}"#).unwrap();
        assert_eq!(whole, Key::whole("vus"));
    }
}
