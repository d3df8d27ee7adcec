//! The forms that values have in JSON and in text: flags, counts, durations, words, lists, maps.
//!
//! Owns one small type per form, each reading, writing and merging its values. Leaves out forms
//! with a structure of their own ([`super::structures`]). Nothing here stops at the first problem.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::marker::PhantomData;
use std::str::FromStr;

use serde_json::{Map, Value};

use crate::address::{DnsPolicy, DnsSelect, DnsTtl, HostAddress, HostPattern, IpNet, LocalIps};
use crate::duration::{self, Nanos, format_go, kind_of};
use crate::names;
use crate::problem::{Findings, Place};
use crate::segment::{Segment, SegmentSequence};
use crate::tls::{CIPHER_SUITES, CipherSuite, TlsVersion};

/// Largest count accepted: what k6 can hold.
const COUNT_LIMIT: u64 = i64::MAX as u64;

/// How values of one kind are read and written.
pub trait Form {
    /// The values.
    type Value: Clone;

    /// Reads a JSON value, which is not null; pushes what is wrong with it.
    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<Self::Value>;

    /// Reads the text form of the command line and the environment; pushes what is wrong with it.
    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<Self::Value>;

    /// Writes a value as scripts have it.
    fn write(value: &Self::Value) -> Value;

    /// Adds a second text to a first one, as for a repeated flag.
    fn extend(earlier: &mut Self::Value, later: Self::Value) {
        *earlier = later;
    }

    /// Puts the value of a higher layer over that of a lower one.
    fn overlay(lower: &mut Self::Value, upper: Self::Value) {
        *lower = upper;
    }
}

/// Says that a value has the wrong type.
pub(super) fn wrong_type<T>(
    wanted: &str,
    value: &Value,
    place: &Place,
    findings: &mut Findings,
) -> Option<T> {
    let message = format!("must be {wanted}, not {}", kind_of(value));
    findings.problem(place.problem(message));
    None
}

/// True or false.
pub struct Flag;

impl Form for Flag {
    type Value = bool;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<bool> {
        match value {
            Value::Bool(flag) => Some(*flag),
            other => wrong_type("true or false", other, place, findings),
        }
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<bool> {
        match text {
            "1" | "t" | "T" | "true" | "True" | "TRUE" => Some(true),
            "0" | "f" | "F" | "false" | "False" | "FALSE" => Some(false),
            other => {
                let message = format!("`{other}` is neither true nor false");
                findings.problem(place.problem(message));
                None
            }
        }
    }

    fn write(value: &bool) -> Value {
        Value::Bool(*value)
    }
}

/// A whole number from 0 up.
pub struct Count;

impl Form for Count {
    type Value = u64;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<u64> {
        match value {
            Value::Number(number) => {
                let exact = number.as_u64().filter(|n| *n <= COUNT_LIMIT);
                // 1e3 and 10.0 are whole numbers, too.
                let whole = |n: &f64| n.fract() == 0.0 && (0.0..9e15).contains(n);
                let rounded = || number.as_f64().filter(whole).map(|n| n as u64);
                exact
                    .or_else(rounded)
                    .or_else(|| Self::text(&number.to_string(), place, findings))
            }
            Value::String(text) => Self::text(text, place, findings),
            other => wrong_type("a whole number", other, place, findings),
        }
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<u64> {
        let number = text.parse().ok().filter(|n| *n <= COUNT_LIMIT);
        if number.is_none() {
            let negative = text
                .strip_prefix('-')
                .is_some_and(|t| t.parse::<f64>().is_ok());
            let message = match negative {
                true => format!("must not be negative, but is {text}"),
                false => format!("`{text}` is no whole number"),
            };
            findings.problem(place.problem(message));
        }
        number
    }

    fn write(value: &u64) -> Value {
        Value::from(*value)
    }
}

/// A length of time.
pub struct Span;

impl Span {
    fn found(
        result: Result<Nanos, duration::DurationError>,
        place: &Place,
        findings: &mut Findings,
    ) -> Option<Nanos> {
        result
            .map_err(|error| {
                let problem = place.problem(error.to_string());
                findings.problem(problem.hint(error.hint()));
            })
            .ok()
    }
}

impl Form for Span {
    type Value = Nanos;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<Nanos> {
        Self::found(duration::from_json(value), place, findings)
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<Nanos> {
        Self::found(duration::parse_k6(text), place, findings)
    }

    fn write(value: &Nanos) -> Value {
        Value::String(format_go(*value))
    }
}

/// Any text.
pub struct Text;

impl Form for Text {
    type Value = String;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<String> {
        match value {
            Value::String(text) => Some(text.clone()),
            other => wrong_type("a text", other, place, findings),
        }
    }

    fn text(text: &str, _: &Place, _: &mut Findings) -> Option<String> {
        Some(text.to_owned())
    }

    fn write(value: &String) -> Value {
        Value::String(value.clone())
    }
}

/// Any JSON, kept as it is.
pub struct Raw;

impl Form for Raw {
    type Value = Value;

    fn read(value: &Value, _: &Place, _: &mut Findings) -> Option<Value> {
        Some(value.clone())
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<Value> {
        serde_json::from_str(text)
            .map_err(|error| findings.problem(place.problem(format!("no valid JSON: {error}"))))
            .ok()
    }

    fn write(value: &Value) -> Value {
        value.clone()
    }
}

/// A text with a grammar of its own.
pub struct Word<T>(PhantomData<T>);

/// What can be written as a [`Word`]; says how when it was not.
pub trait Spelled: FromStr<Err: Display> + Display + Clone {
    /// What is wrong with `text`.
    fn complaint(_text: &str, error: &Self::Err) -> String {
        error.to_string()
    }

    /// What to write instead of `text`.
    fn hint(_text: &str) -> Option<String> {
        None
    }
}

impl<T: Spelled> Form for Word<T> {
    type Value = T;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<T> {
        match value {
            Value::String(text) => Self::text(text, place, findings),
            other => wrong_type("a text", other, place, findings),
        }
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<T> {
        let found: Result<T, _> = text.parse();
        found
            .map_err(|error| {
                let mut problem = place.problem(T::complaint(text, &error));
                problem.hint = T::hint(text);
                findings.problem(problem);
            })
            .ok()
    }

    fn write(value: &T) -> Value {
        Value::String(value.to_string())
    }
}

impl Spelled for Segment {
    fn hint(_: &str) -> Option<String> {
        Some("write it like 1/4:1/2, 0:1/3, 25% or 0.2:0.4".to_owned())
    }
}

impl Spelled for SegmentSequence {
    fn hint(_: &str) -> Option<String> {
        Some("write it like 0,1/4,1/2,1".to_owned())
    }
}

impl Spelled for LocalIps {
    fn hint(_: &str) -> Option<String> {
        Some("write it like 10.0.0.1,10.0.0.5-10.0.0.9,10.1.0.0/24".to_owned())
    }
}

impl Spelled for IpNet {
    fn complaint(text: &str, _: &Self::Err) -> String {
        format!("`{text}` is no network")
    }

    fn hint(_: &str) -> Option<String> {
        Some("write it like 10.0.0.0/8".to_owned())
    }
}

impl Spelled for HostPattern {
    fn hint(_: &str) -> Option<String> {
        Some("write it like example.com or *.example.com".to_owned())
    }
}

impl Spelled for TlsVersion {
    fn hint(text: &str) -> Option<String> {
        Some(names::hint(text, &Self::ALL.map(Self::name)))
    }
}

impl Spelled for CipherSuite {
    fn hint(text: &str) -> Option<String> {
        Some(names::hint(text, &CIPHER_SUITES))
    }
}

impl Spelled for HostAddress {}
impl Spelled for DnsTtl {}
impl Spelled for DnsSelect {}
impl Spelled for DnsPolicy {}

/// A list; in text separated by commas.
pub struct List<F>(PhantomData<F>);

impl<F: Form> Form for List<F> {
    type Value = Vec<F::Value>;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        let Value::Array(items) = value else {
            return wrong_type("a list", value, place, findings);
        };
        let read = |(i, item)| F::read(item, &place.item(i), findings);
        Some(items.iter().enumerate().filter_map(read).collect())
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        if text.trim().is_empty() {
            return Some(Vec::new());
        }
        let parts = text.split(',').map(str::trim);
        Some(
            parts
                .filter_map(|part| F::text(part, place, findings))
                .collect(),
        )
    }

    fn write(value: &Self::Value) -> Value {
        Value::Array(value.iter().map(F::write).collect())
    }

    fn extend(earlier: &mut Self::Value, later: Self::Value) {
        earlier.extend(later);
    }
}

/// Outputs: a list whose items may contain commas; one text may stand for a list of one.
pub struct Outputs;

impl Form for Outputs {
    type Value = Vec<String>;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<Vec<String>> {
        match value {
            Value::String(text) => Some(vec![text.clone()]),
            other => List::<Text>::read(other, place, findings),
        }
    }

    fn text(text: &str, _: &Place, _: &mut Findings) -> Option<Vec<String>> {
        Some(vec![text.to_owned()])
    }

    fn write(value: &Vec<String>) -> Value {
        List::<Text>::write(value)
    }

    fn extend(earlier: &mut Vec<String>, later: Vec<String>) {
        earlier.extend(later);
    }
}

/// Names with texts; in text `a:b,c:d` or `a=b,c=d`.
pub struct Texts;

impl Form for Texts {
    type Value = BTreeMap<String, String>;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        let Value::Object(members) = value else {
            return wrong_type("an object of texts", value, place, findings);
        };
        let mut texts = BTreeMap::new();
        for (name, value) in members {
            match value {
                Value::Null => {}
                Value::String(text) => {
                    texts.insert(name.clone(), text.clone());
                }
                other => {
                    let message = format!("must be a text, not {}", kind_of(other));
                    let problem = place.key(name).problem(message);
                    findings.problem(problem.hint(format!("write \"{other}\" in quotes")));
                }
            }
        }
        Some(texts)
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        let mut texts = BTreeMap::new();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            match part.split_once(['=', ':']) {
                Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                    texts.insert(name.trim().to_owned(), value.trim().to_owned());
                }
                _ => {
                    let problem = place.problem(format!("`{part}` is no name with a value"));
                    findings.problem(problem.hint("write it like name=value"));
                }
            }
        }
        Some(texts)
    }

    fn write(value: &Self::Value) -> Value {
        let members = value.iter();
        Value::Object(
            members
                .map(|(name, text)| (name.clone(), Value::String(text.clone())))
                .collect(),
        )
    }

    fn extend(earlier: &mut Self::Value, later: Self::Value) {
        earlier.extend(later);
    }
}

/// Host names with the addresses they are replaced by; in text JSON or `name=address,...`.
pub struct Hosts;

impl Form for Hosts {
    type Value = BTreeMap<HostPattern, HostAddress>;

    fn read(value: &Value, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        let Value::Object(members) = value else {
            return wrong_type("an object of addresses", value, place, findings);
        };
        let mut hosts = BTreeMap::new();
        for (name, value) in members {
            let place = place.key(name);
            let name = Word::<HostPattern>::text(name, &place, findings);
            let address = Word::<HostAddress>::read(value, &place, findings);
            hosts.extend(name.zip(address));
        }
        Some(hosts)
    }

    fn text(text: &str, place: &Place, findings: &mut Findings) -> Option<Self::Value> {
        if text.trim_start().starts_with('{') {
            let value = Raw::text(text, place, findings)?;
            return Self::read(&value, place, findings);
        }
        let mut members = Map::new();
        for part in text.split(',').filter(|part| !part.trim().is_empty()) {
            // A name may have a port, an address may be IPv6: only `=` is unambiguous.
            let Some((name, address)) = part.split_once('=') else {
                let problem = place.problem(format!("`{part}` is no name with an address"));
                findings.problem(problem.hint("write it like example.com=10.0.0.1"));
                continue;
            };
            let address = Value::String(address.trim().to_owned());
            members.insert(name.trim().to_owned(), address);
        }
        Self::read(&Value::Object(members), place, findings)
    }

    fn write(value: &Self::Value) -> Value {
        let members = value.iter();
        Value::Object(
            members
                .map(|(name, address)| (name.to_string(), Value::String(address.to_string())))
                .collect(),
        )
    }

    fn extend(earlier: &mut Self::Value, later: Self::Value) {
        earlier.extend(later);
    }
}
