//! Where scripts get passwords and tokens from, and the list of what no log line may show.
//!
//! Owns the sources of `--secret-source`, the values that scripts obtained, and their replacement in texts. Invariant: a
//! value is on the list of what is hidden before any script has it.

mod hidden;
mod parse;
mod server;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::sync::RwLock;

use netload_engine::Record;

use hidden::Hidden;
use server::Server;

/// What stands in a text in the place of a secret.
pub const REDACTED: &str = "***SECRET_REDACTED***";

/// The sources of secrets, and what was obtained from them.
#[derive(Debug, Default)]
pub struct Secrets {
    /// By name.
    sources: BTreeMap<String, Source>,
    /// The name of the source that is meant when none is named.
    default: Option<String>,
    hidden: RwLock<Hidden>,
}

/// Where the values of one source are.
#[derive(Debug)]
enum Source {
    /// Here: `mock`, and `file`, which is read when it is configured.
    Held(HashMap<String, String>),
    /// At a server, asked by HTTP when a script wants one.
    Server(Server),
}

impl Secrets {
    /// Reads configurations as they are typed: `file=secrets.txt`, `mock=name=m,default,key=value`,
    /// `url=urlTemplate=https://host/{key}`. `environment` holds the variables `K6_SECRET_SOURCE_URL_...`.
    ///
    /// # Errors
    /// One sentence for each that cannot be understood.
    pub fn read(
        configurations: &[String],
        environment: &BTreeMap<String, String>,
    ) -> Result<Self, Vec<String>> {
        parse::sources(configurations, environment)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// The value of a key: at once, or when a server has answered.
    pub(crate) fn obtain(&self, source: Option<&str>, key: &str) -> Result<Obtained, String> {
        let source = self.source(source)?;
        match source {
            Source::Held(values) => match values.get(key) {
                Some(value) => {
                    self.hide(value);
                    Ok(Obtained::Value(value.clone()))
                }
                None => Err(format!("there is no secret '{key}' in this source")),
            },
            Source::Server(server) => Ok(Obtained::Later(server.ask(key))),
        }
    }

    fn source(&self, name: Option<&str>) -> Result<&Source, String> {
        if self.sources.is_empty() {
            return Err("there is no source of secrets; name one with --secret-source".to_owned());
        }
        let Some(name) = name.or(self.default.as_deref()) else {
            return Err(
                "there are several sources of secrets and none is the default; write `default` in one \
                 --secret-source or use secrets.source('NAME')"
                    .to_owned(),
            );
        };
        self.sources.get(name).ok_or_else(|| {
            let names: Vec<&str> = self.sources.keys().map(String::as_str).collect();
            let hint = netload_plan::names::hint(name, &names);
            format!("there is no source of secrets named '{name}'; {hint}")
        })
    }

    /// From now on, no log line shows this value.
    pub(crate) fn hide(&self, value: &str) {
        let known = |hidden: &RwLock<Hidden>| match hidden.read() {
            Ok(hidden) => hidden.has(value),
            Err(poisoned) => poisoned.into_inner().has(value),
        };
        if !known(&self.hidden) {
            let mut hidden = self
                .hidden
                .write()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            hidden.add(value);
        }
    }

    /// The text with every obtained secret replaced.
    pub fn redacted<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match self.hidden.read() {
            Ok(hidden) => hidden.replaced(text),
            Err(poisoned) => poisoned.into_inner().replaced(text),
        }
    }

    /// Replaces every obtained secret in a log record.
    pub fn redact(&self, record: &mut Record) {
        let texts = record.fields.iter_mut().map(|(_, text)| text);
        for text in texts.chain(std::iter::once(&mut record.message)) {
            if let Cow::Owned(redacted) = self.redacted(text) {
                *text = redacted;
            }
        }
    }
}

/// A value, or the promise of one.
pub(crate) enum Obtained<F = Answer> {
    /// It is here.
    Value(String),
    /// A server was asked.
    Later(F),
}

/// What a server will say: the value, or one sentence why there is none.
pub(crate) type Answer = std::pin::Pin<Box<dyn Future<Output = Result<String, String>>>>;
