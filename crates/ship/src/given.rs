//! What the user said about an output: the argument behind its name, and environment variables.
//!
//! `NAME=ADDRESS,key=value,key=value`; every key `push_interval` is also the variable `PREFIX_PUSH_INTERVAL`, and
//! `pushInterval` and `push.interval` are understood as well. What is typed wins. Invariant: a key that nobody knows is refused by name.

use std::collections::BTreeMap;

use netload_plan::{duration, names};

use crate::ShipError;

/// The environment of the process, by name.
pub type Environment = BTreeMap<String, String>;

/// What an output understands.
#[derive(Debug)]
pub(crate) struct Schema {
    pub(crate) output: &'static str,
    /// Of its environment variables, such as `K6_INFLUXDB_`.
    pub(crate) prefix: &'static str,
    pub(crate) keys: &'static [&'static str],
}

/// The argument and the environment of one output.
#[derive(Debug)]
pub(crate) struct Given<'a> {
    schema: &'static Schema,
    address: Option<String>,
    pairs: Vec<(&'static str, String)>,
    environment: &'a Environment,
}

impl<'a> Given<'a> {
    /// Takes an argument apart: the address first, then pairs. A comma inside a value belongs to it unless a known key
    /// follows.
    pub(crate) fn parse(
        schema: &'static Schema,
        argument: &str,
        environment: &'a Environment,
    ) -> Result<Self, ShipError> {
        let mut given = Self {
            schema,
            address: None,
            pairs: Vec::new(),
            environment,
        };
        for piece in argument.split(',').filter(|piece| !piece.is_empty()) {
            let pair = piece.split_once('=');
            let pair = pair.filter(|(key, _)| is_word(key) || given.key(key).is_ok());
            match pair {
                Some((key, value)) => {
                    let key = given.key(key)?;
                    given.pairs.push((key, value.trim().to_owned()));
                }
                None => match (given.pairs.last_mut(), &mut given.address) {
                    (Some((_, value)), _) => *value += &format!(",{piece}"),
                    (None, Some(address)) => *address += &format!(",{piece}"),
                    (None, address @ None) => *address = Some(piece.trim().to_owned()),
                },
            }
        }
        Ok(given)
    }

    fn key(&self, typed: &str) -> Result<&'static str, ShipError> {
        let plain = |text: &str| text.replace(['_', '-', '.'], "").to_ascii_lowercase();
        let mut keys = self.schema.keys.iter();
        if let Some(known) = keys.find(|key| plain(key) == plain(typed.trim())) {
            return Ok(known);
        }
        let nearest = names::nearest(typed, self.schema.keys);
        let hint = nearest.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        Err(self.wrong(format!(
            "there is no setting `{typed}`; there are {}{hint}",
            self.schema.keys.join(", ")
        )))
    }

    /// An error about this output.
    pub(crate) fn wrong(&self, problem: impl Into<String>) -> ShipError {
        ShipError::Argument {
            output: self.schema.output,
            problem: problem.into(),
        }
    }

    /// An error about the start of this output.
    pub(crate) fn cannot(&self, reason: impl ToString) -> ShipError {
        ShipError::Start {
            output: self.schema.output,
            reason: reason.to_string(),
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.schema.output
    }

    /// What stands before the pairs.
    pub(crate) fn address(&self) -> Option<&str> {
        self.address.as_deref()
    }

    /// A variable by its whole name; empty counts as not set.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        let value = self.environment.get(name)?;
        Some(value.as_str()).filter(|text| !text.is_empty())
    }

    /// All variables that begin with the prefix of the output and `middle`, without both.
    pub(crate) fn variables(&self, middle: &str) -> impl Iterator<Item = (&str, &str)> {
        let prefix = format!("{}{middle}", self.schema.prefix);
        self.environment
            .iter()
            .filter_map(move |(name, value)| Some((name.strip_prefix(&prefix)?, value.as_str())))
    }

    pub(crate) fn text(&self, key: &'static str) -> Option<&str> {
        debug_assert!(self.schema.keys.contains(&key));
        let typed = self.pairs.iter().rfind(|(known, _)| *known == key);
        match typed {
            Some((_, value)) => Some(value),
            None => {
                let name = format!("{}{}", self.schema.prefix, key.to_ascii_uppercase());
                self.variable(&name)
            }
        }
    }

    pub(crate) fn duration_ns(&self, key: &'static str, otherwise: u64) -> Result<u64, ShipError> {
        let Some(text) = self.text(key) else {
            return Ok(otherwise);
        };
        let parsed = duration::parse_k6(text).map_err(|e| self.wrong(format!("{key}: {e}")))?;
        Ok(parsed.max(MIN_INTERVAL_NS))
    }

    pub(crate) fn switch(&self, key: &'static str, otherwise: bool) -> Result<bool, ShipError> {
        match self.text(key).map(str::to_ascii_lowercase).as_deref() {
            None => Ok(otherwise),
            Some("true" | "1" | "t") => Ok(true),
            Some("false" | "0" | "f") => Ok(false),
            Some(other) => Err(self.wrong(format!("{key}: `{other}` is neither true nor false"))),
        }
    }

    /// A list with commas.
    pub(crate) fn list(&self, key: &'static str) -> Option<Vec<String>> {
        let pieces = self.text(key)?.split(',').map(str::trim);
        Some(
            pieces
                .filter(|p| !p.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    }

    /// A file's content, for keys and certificates.
    pub(crate) fn file(&self, key: &'static str) -> Result<Option<String>, ShipError> {
        let Some(path) = self.text(key) else {
            return Ok(None);
        };
        let read = std::fs::read_to_string(path);
        read.map(Some)
            .map_err(|e| self.wrong(format!("{key}: cannot read {path}: {e}")))
    }
}

/// Batches come once a second; nothing speaks more often.
const MIN_INTERVAL_NS: u64 = 1_000_000_000;

fn is_word(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty()
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    static SCHEMA: Schema = Schema {
        output: "x",
        prefix: "K6_X_",
        keys: &["push_interval", "trend_stats", "insecure"],
    };

    fn given<'a>(argument: &str, environment: &'a Environment) -> Given<'a> {
        Given::parse(&SCHEMA, argument, environment).unwrap()
    }

    #[test]
    fn arguments_are_an_address_and_pairs() {
        let environment = Environment::from([
            ("K6_X_PUSH_INTERVAL".to_owned(), "3s".to_owned()),
            ("K6_X_INSECURE".to_owned(), "true".to_owned()),
        ]);
        let given = given(
            "http://h/db?a=b,trendStats=p(99),avg,insecure=false",
            &environment,
        );
        assert_eq!(given.address(), Some("http://h/db?a=b"));
        assert_eq!(given.list("trend_stats").unwrap(), ["p(99)", "avg"]);
        assert_eq!(
            given.duration_ns("push_interval", 1).unwrap(),
            3_000_000_000
        );
        assert!(!given.switch("insecure", true).unwrap());
    }

    #[test]
    fn what_nobody_knows_is_refused() {
        let environment = Environment::new();
        let error = Given::parse(&SCHEMA, "a:1,push_intervall=1s", &environment).unwrap_err();
        assert_eq!(
            error.to_string(),
            "output `x`: there is no setting `push_intervall`; there are push_interval, trend_stats, insecure; did \
             you mean `push_interval`?"
        );
        let soon = given("push_interval=soon", &environment);
        assert!(soon.duration_ns("push_interval", 1).is_err());
        let maybe = given("insecure=maybe", &environment);
        assert!(maybe.switch("insecure", false).is_err());
    }
}
