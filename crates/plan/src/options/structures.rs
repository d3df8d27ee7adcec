//! Options with a structure of their own: stages, DNS, TLS, thresholds, tags, statistics.
//!
//! Owns their types as typed by the user and their forms in JSON and text.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use netload_metrics::Kind;
use netload_metrics::threshold::Aggregation;
use serde_json::{Map, Value, json};

use super::forms::{Count, Flag, Form, List, Raw, Span, Spelled, Text, Word, wrong_type};
use crate::address::{DnsPolicy, DnsSelect, DnsTtl};
use crate::duration::{Nanos, format_go, parse_go};
use crate::executor::Stage;
use crate::names;
use crate::problem::{Findings, Place};
use crate::system_tags::{SystemTag, SystemTags};
use crate::threshold::parse_aggregation;
use crate::tls::{ClientCertificate, TlsVersion, TlsVersions};

/// Most stages of one ramp.
pub const STAGES_LIMIT: usize = 100_000;

/// The members of an object, each under its known name; unknown ones are warned of.
fn members<'a>(
    value: &'a Value,
    known: &[&'static str],
    place: &Place,
    findings: &mut Findings,
) -> Option<BTreeMap<&'static str, &'a Value>> {
    let Value::Object(object) = value else {
        return wrong_type("an object", value, place, findings);
    };
    let mut members = BTreeMap::new();
    for (name, value) in object {
        match names::known(name, known) {
            Some(_) if value.is_null() => {}
            Some(name) => {
                members.insert(name, value);
            }
            None => {
                let warning = place.key(name).warning("unknown field");
                findings.warning(warning.hint(names::hint(name, known)));
            }
        }
    }
    Some(members)
}

/// Stages of a ramp; in text `5s:10,5m:20`.
pub struct Stages;

impl Form for Stages {
    type Value = Vec<Stage>;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<Vec<Stage>> {
        let Value::Array(items) = value else {
            return wrong_type("a list of stages", value, place, findings);
        };
        if items.len() > STAGES_LIMIT {
            let message = format!("more than {STAGES_LIMIT} stages");
            findings.problem(place.problem(message));
            return None;
        }
        let read = |(i, item)| read_stage(item, &place.item(i), findings);
        Some(items.iter().enumerate().filter_map(read).collect())
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<Vec<Stage>> {
        let parts = text.split(',').filter(|part| !part.trim().is_empty());
        let stages = parts.filter_map(|part| text_stage(part.trim(), place, findings));
        Some(stages.collect())
    }

    fn write(value: &Vec<Stage>) -> Value {
        let stage = |stage: &Stage| json!({ "duration": format_go(stage.duration_ns), "target": stage.target });
        Value::Array(value.iter().map(stage).collect())
    }

    fn extend(earlier: &mut Vec<Stage>, later: Vec<Stage>) {
        earlier.extend(later);
    }
}

fn read_stage(value: &Value, place: &Place, findings: &mut Findings) -> Option<Stage> {
    let members = members(value, &["duration", "target"], place, findings)?;
    let mut missing = |key: &str| {
        let problem = place.problem(format!("the stage has no `{key}`"));
        findings.problem(problem.hint("write it like { duration: '30s', target: 10 }"));
    };
    let (duration, target) = (members.get("duration"), members.get("target"));
    if duration.is_none() {
        missing("duration");
    }
    if target.is_none() {
        missing("target");
    }
    let duration = duration.and_then(|v| Span::read(v, &place.key("duration"), findings));
    let target = target.and_then(|v| Count::read(v, &place.key("target"), findings));
    Some(Stage {
        duration_ns: duration?,
        target: target?,
    })
}

fn text_stage(text: &str, place: &Place, findings: &mut Findings) -> Option<Stage> {
    let Some((duration, target)) = text.split_once(':') else {
        let problem = place.problem(format!("`{text}` is no stage"));
        findings.problem(problem.hint("write it like 30s:10"));
        return None;
    };
    let target = Count::text(target, place, findings);
    let duration = parse_go(duration).map_err(|error| {
        let problem = place.problem(error.to_string());
        findings.problem(problem.hint("write it like 30s:10"));
    });
    Some(Stage {
        duration_ns: duration.ok()?,
        target: target?,
    })
}

/// DNS options as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DnsOptions {
    /// How long answers are kept.
    pub ttl: Option<DnsTtl>,
    /// Which of several addresses is taken.
    pub select: Option<DnsSelect>,
    /// Which kinds of address are taken.
    pub policy: Option<DnsPolicy>,
}

/// DNS options; in text `ttl=5m,select=random,policy=preferIPv4`.
pub struct Dns;

impl Dns {
    const FIELDS: [&'static str; 3] = ["ttl", "select", "policy"];
}

impl Form for Dns {
    type Value = DnsOptions;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<DnsOptions> {
        let members = members(value, &Self::FIELDS, place, findings)?;
        let ttl = members.get("ttl").and_then(|value| match value {
            Value::Number(ms) => Word::<DnsTtl>::text(&ms.to_string(), &place.key("ttl"), findings),
            other => Word::<DnsTtl>::read(other, &place.key("ttl"), findings),
        });
        let select = members.get("select");
        let policy = members.get("policy");
        Some(DnsOptions {
            ttl,
            select: select.and_then(|v| Word::read(v, &place.key("select"), findings)),
            policy: policy.and_then(|v| Word::read(v, &place.key("policy"), findings)),
        })
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<DnsOptions> {
        let mut object = Map::new();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            match names::known(name.trim(), &Self::FIELDS) {
                Some(name) => {
                    let value = Value::String(value.trim().to_owned());
                    object.insert(name.to_owned(), value);
                }
                None => {
                    let problem = place.problem(format!("`{part}` is no DNS option"));
                    findings.problem(problem.hint("write it like ttl=5m,select=random"));
                }
            }
        }
        Self::read(&Value::Object(object), place, findings)
    }

    fn write(value: &DnsOptions) -> Value {
        json!({
            "ttl": value.ttl.map(|v| v.to_string()),
            "select": value.select.map(|v| v.to_string()),
            "policy": value.policy.map(|v| v.to_string()),
        })
    }

    fn extend(earlier: &mut DnsOptions, later: DnsOptions) {
        Self::overlay(earlier, later);
    }

    fn overlay(lower: &mut DnsOptions, upper: DnsOptions) {
        *lower = DnsOptions {
            ttl: upper.ttl.or(lower.ttl),
            select: upper.select.or(lower.select),
            policy: upper.policy.or(lower.policy),
        };
    }
}

/// TLS versions: one, or `{ min, max }`; in text one or `min-max`.
pub struct Versions;

impl Form for Versions {
    type Value = TlsVersions;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<TlsVersions> {
        if let Value::String(_) = value {
            let only = Word::<TlsVersion>::read(value, place, findings)?;
            return Some(TlsVersions {
                min: Some(only),
                max: Some(only),
            });
        }
        let members = members(value, &["min", "max"], place, findings)?;
        let (min, max) = (members.get("min"), members.get("max"));
        let versions = TlsVersions {
            min: min.and_then(|v| Word::read(v, &place.key("min"), findings)),
            max: max.and_then(|v| Word::read(v, &place.key("max"), findings)),
        };
        if let (Some(min), Some(max)) = (versions.min, versions.max)
            && min > max
        {
            let message = format!("the oldest version {min} is newer than the newest {max}");
            findings.problem(place.problem(message));
        }
        Some(versions)
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<TlsVersions> {
        match text.split_once('-') {
            Some((min, max)) => Self::read(&json!({ "min": min, "max": max }), place, findings),
            None => Self::read(&Value::String(text.to_owned()), place, findings),
        }
    }

    fn write(value: &TlsVersions) -> Value {
        json!({
            "min": value.min.map(TlsVersion::name),
            "max": value.max.map(TlsVersion::name),
        })
    }
}

/// Client certificates; in text JSON.
pub struct Certificates;

impl Form for Certificates {
    type Value = Vec<ClientCertificate>;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        let Value::Array(items) = value else {
            return wrong_type("a list of certificates", value, place, findings);
        };
        let read = |(i, item)| read_certificate(item, &place.item(i), findings);
        Some(items.iter().enumerate().filter_map(read).collect())
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        let value = Raw::text(text, place, findings)?;
        Self::read(&value, place, findings)
    }

    fn write(value: &Self::Value) -> Value {
        let write = |c: &ClientCertificate| {
            json!({
                "cert": c.cert,
                "key": c.key,
                "password": c.password,
                "domains": c.domains,
            })
        };
        Value::Array(value.iter().map(write).collect())
    }
}

fn read_certificate(
    value: &Value,
    place: &Place,
    findings: &mut Findings,
) -> Option<ClientCertificate> {
    let known = ["cert", "key", "password", "domains"];
    let members = members(value, &known, place, findings)?;
    let mut text = |key: &str| {
        let value = members.get(key)?;
        Text::read(value, &place.key(key), findings)
    };
    let (cert, key, password) = (text("cert"), text("key"), text("password"));
    for (name, value) in [("cert", &cert), ("key", &key)] {
        if value.is_none() && !members.contains_key(name) {
            findings.problem(place.problem(format!("the certificate has no `{name}`")));
        }
    }
    let domains = members.get("domains");
    let domains = domains.and_then(|v| List::<Text>::read(v, &place.key("domains"), findings));
    Some(ClientCertificate {
        cert: cert?,
        key: key?,
        password,
        domains: domains.unwrap_or_default(),
    })
}

/// A threshold expression as typed, with what it does when it fails.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThresholdOptions {
    /// The expression.
    pub threshold: String,
    /// Whether the test stops when it does not hold; `None` when typed as a plain text.
    pub abort_on_fail: Option<bool>,
    /// Aborts are put off until the test has run for so long, in nanoseconds.
    pub delay_abort_eval_ns: Option<Nanos>,
}

/// Thresholds by metric; in text JSON.
pub struct Thresholds;

impl Form for Thresholds {
    type Value = BTreeMap<String, Vec<ThresholdOptions>>;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        let Value::Object(object) = value else {
            return wrong_type("an object of lists", value, place, findings);
        };
        let mut thresholds = BTreeMap::new();
        for (metric, value) in object {
            let place = place.key(metric);
            let items = match value {
                Value::Array(items) => items.as_slice(),
                Value::Null => &[],
                _ => {
                    let message = "must be a list of expressions";
                    let problem = place.problem(message);
                    findings.problem(problem.hint(format!("write [{value}]")));
                    continue;
                }
            };
            let read = |(i, item)| read_threshold(item, &place.item(i), findings);
            let items = items.iter().enumerate().filter_map(read).collect();
            thresholds.insert(metric.clone(), items);
        }
        Some(thresholds)
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        let value = Raw::text(text, place, findings)?;
        Self::read(&value, place, findings)
    }

    fn write(value: &Self::Value) -> Value {
        let write = |t: &ThresholdOptions| match (t.abort_on_fail, t.delay_abort_eval_ns) {
            (None, None) => Value::String(t.threshold.clone()),
            (abort, delay) => json!({
                "threshold": t.threshold,
                "abortOnFail": abort.unwrap_or(false),
                "delayAbortEval": delay.map(format_go),
            }),
        };
        let members = value.iter();
        Value::Object(
            members
                .map(|(metric, list)| (metric.clone(), list.iter().map(write).collect()))
                .collect(),
        )
    }
}

fn read_threshold(
    value: &Value,
    place: &Place,
    findings: &mut Findings,
) -> Option<ThresholdOptions> {
    if let Value::String(threshold) = value {
        return Some(ThresholdOptions {
            threshold: threshold.clone(),
            ..ThresholdOptions::default()
        });
    }
    let known = ["threshold", "abortOnFail", "delayAbortEval"];
    let members = members(value, &known, place, findings)?;
    let Some(threshold) = members.get("threshold") else {
        findings.problem(place.problem("the entry has no `threshold`"));
        return None;
    };
    let threshold = Text::read(threshold, &place.key("threshold"), findings);
    let abort = members.get("abortOnFail");
    let delay = members.get("delayAbortEval");
    Some(ThresholdOptions {
        abort_on_fail: abort.and_then(|v| Flag::read(v, &place.key("abortOnFail"), findings)),
        delay_abort_eval_ns: delay
            .and_then(|v| Span::read(v, &place.key("delayAbortEval"), findings)),
        threshold: threshold?,
    })
}

/// System tags by name. Unknown names are warned of, as k6 passes over them.
pub struct Tags;

impl Form for Tags {
    type Value = SystemTags;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<SystemTags> {
        let names = List::<Text>::read(value, place, findings)?;
        Some(system_tags(&names, place, findings))
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<SystemTags> {
        let names = List::<Text>::text(text, place, findings)?;
        Some(system_tags(&names, place, findings))
    }

    fn write(value: &SystemTags) -> Value {
        let mut names: Vec<&str> = value.iter().map(SystemTag::name).collect();
        names.sort_unstable();
        json!(names)
    }

    fn extend(earlier: &mut SystemTags, later: SystemTags) {
        *earlier = earlier.iter().chain(later.iter()).collect();
    }
}

fn system_tags(typed: &[String], place: &Place, findings: &mut Findings) -> SystemTags {
    let mut tags = SystemTags::NONE;
    for name in typed {
        match SystemTag::named(name) {
            Some(tag) => tags = tags.with(tag),
            None => {
                let known: Vec<&str> = SystemTag::all().map(SystemTag::name).collect();
                let warning = place.warning(format!("`{name}` is no system tag"));
                findings.warning(warning.hint(names::hint(name, &known)));
            }
        }
    }
    tags
}

/// A statistic of the summary: an aggregation of trends, or the number of their values.
#[derive(Clone, Debug, PartialEq)]
pub struct TrendStat {
    source: String,
    aggregation: Aggregation,
}

impl TrendStat {
    /// Its name as typed, which is its column in the summary.
    pub fn name(&self) -> &str {
        &self.source
    }

    /// What it is; `Count` is the number of values.
    pub fn aggregation(&self) -> Aggregation {
        self.aggregation
    }
}

impl FromStr for TrendStat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match parse_aggregation(text) {
            Ok(aggregation)
                if aggregation.fits(Kind::Trend) || aggregation == Aggregation::Count =>
            {
                Ok(Self {
                    source: text.to_owned(),
                    aggregation,
                })
            }
            _ => Err(format!("`{text}` is no statistic of a trend")),
        }
    }
}

impl fmt::Display for TrendStat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.source)
    }
}

impl Spelled for TrendStat {
    fn hint(_: &str) -> Option<String> {
        Some("known are avg, min, med, max, count and p(N)".to_owned())
    }
}

/// Unit of times in the summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeUnit {
    /// The one that suits each value.
    #[default]
    Fitting,
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
    /// Microseconds.
    Microseconds,
}

impl FromStr for TimeUnit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "" => Ok(Self::Fitting),
            "s" => Ok(Self::Seconds),
            "ms" => Ok(Self::Milliseconds),
            "us" => Ok(Self::Microseconds),
            other => Err(format!("`{other}` is none of s, ms, us")),
        }
    }
}

impl fmt::Display for TimeUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fitting => "",
            Self::Seconds => "s",
            Self::Milliseconds => "ms",
            Self::Microseconds => "us",
        })
    }
}

impl Spelled for TimeUnit {}

/// How much of requests and responses goes to the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HttpDebug {
    /// Nothing.
    #[default]
    Off,
    /// Lines and headers.
    Headers,
    /// Bodies, too.
    Full,
}

impl FromStr for HttpDebug {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "" => Ok(Self::Off),
            "headers" => Ok(Self::Headers),
            "full" => Ok(Self::Full),
            other => Err(format!("`{other}` is none of headers, full")),
        }
    }
}

impl fmt::Display for HttpDebug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Off => "",
            Self::Headers => "headers",
            Self::Full => "full",
        })
    }
}

impl Spelled for HttpDebug {}
