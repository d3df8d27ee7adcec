//! The metrics of a run: names, kinds and units, declared before the load starts.
//!
//! Ids are small integers; recorders and aggregators index by them. A metric once declared never changes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How samples of a metric add up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A sum.
    Counter,
    /// The last value, with the smallest and largest.
    Gauge,
    /// The share of non-zero values.
    Rate,
    /// A distribution.
    Trend,
}

impl Kind {
    /// `counter`, `gauge`, `rate` or `trend`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Rate => "rate",
            Self::Trend => "trend",
        }
    }
}

/// What the values of a metric mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Contains {
    /// Plain numbers.
    Default,
    /// Milliseconds.
    Time,
    /// Bytes.
    Data,
}

impl Contains {
    /// `default`, `time` or `data`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Time => "time",
            Self::Data => "data",
        }
    }
}

/// The number of a metric in its [`Registry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MetricId(pub u16);

/// One declared metric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its number.
    pub id: MetricId,
    /// Its name, unique in the registry.
    pub name: Arc<str>,
    /// How its samples add up.
    pub kind: Kind,
    /// What its values mean.
    pub contains: Contains,
}

/// Why a metric could not be declared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeclareError {
    /// The name breaks the rule for metric names.
    #[error(
        "invalid metric name '{0}': it must start with a letter or underscore, followed by 1 to 128 letters, digits or underscores"
    )]
    Name(String),
    /// The name is taken by a metric of another kind or unit.
    #[error("metric '{name}' already exists with type {existing}, it cannot become {wanted}")]
    Conflict {
        /// The name both want.
        name: String,
        /// Kind and unit of the first declaration.
        existing: String,
        /// Kind and unit of the refused one.
        wanted: String,
    },
    /// More than [`Registry::LIMIT`] metrics.
    #[error("more than {} metrics were declared", Registry::LIMIT)]
    TooMany,
}

#[derive(Default, Debug)]
struct Inner {
    metrics: Vec<Metric>,
    by_name: HashMap<Arc<str>, MetricId>,
}

/// All metrics of a run, shared by everything in the instance. Locked only when a script is initialised.
#[derive(Debug)]
pub struct Registry {
    inner: Mutex<Inner>,
    /// The metrics that exist in every run.
    pub builtin: Builtin,
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl Registry {
    /// The most metrics a run can declare.
    pub const LIMIT: usize = 4_096;

    /// A registry that holds the built-in metrics.
    pub fn new() -> Self {
        let mut inner = Inner::default();
        let builtin = Builtin::declare(&mut inner);
        Self {
            inner: Mutex::new(inner),
            builtin,
        }
    }

    /// Declares a metric, or returns the existing one when kind and unit agree.
    ///
    /// # Errors
    /// An invalid name, a different earlier declaration, or too many metrics.
    pub fn declare(
        &self,
        name: &str,
        kind: Kind,
        contains: Contains,
    ) -> Result<MetricId, DeclareError> {
        if !valid_name(name) {
            return Err(DeclareError::Name(name.to_owned()));
        }
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(id) = inner.by_name.get(name) {
            let existing = &inner.metrics[usize::from(id.0)];
            if existing.kind == kind && existing.contains == contains {
                return Ok(*id);
            }
            let text = |k: Kind, c: Contains| format!("{} of {} values", k.name(), c.name());
            return Err(DeclareError::Conflict {
                name: name.to_owned(),
                existing: text(existing.kind, existing.contains),
                wanted: text(kind, contains),
            });
        }
        if inner.metrics.len() >= Self::LIMIT {
            return Err(DeclareError::TooMany);
        }
        Ok(inner.push(name, kind, contains))
    }

    /// The metric with this number.
    ///
    /// # Panics
    /// If the id comes from another registry.
    pub fn metric(&self, id: MetricId) -> Metric {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.metrics[usize::from(id.0)].clone()
    }

    /// The metric with this name.
    pub fn find(&self, name: &str) -> Option<Metric> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner
            .by_name
            .get(name)
            .map(|id| inner.metrics[usize::from(id.0)].clone())
    }

    /// All metrics in the order of their numbers.
    pub fn all(&self) -> Vec<Metric> {
        let inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        inner.metrics.clone()
    }
}

impl Inner {
    fn push(&mut self, name: &str, kind: Kind, contains: Contains) -> MetricId {
        // The callers keep the count below `Registry::LIMIT`, which fits.
        let id = MetricId(self.metrics.len() as u16);
        let name: Arc<str> = name.into();
        self.by_name.insert(name.clone(), id);
        self.metrics.push(Metric {
            id,
            name,
            kind,
            contains,
        });
        id
    }
}

fn valid_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    let first = bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    first
        && (2..=129).contains(&name.len())
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

macro_rules! builtin {
    ($($(#[$doc:meta])* $field:ident: $kind:ident, $contains:ident;)*) => {
        /// The metrics that exist in every run, k6's and our own.
        #[derive(Clone, Copy, Debug)]
        pub struct Builtin { $($(#[$doc])* pub $field: MetricId,)* }

        impl Builtin {
            fn declare(inner: &mut Inner) -> Self {
                Self { $($field: inner.push(stringify!($field), Kind::$kind, Contains::$contains),)* }
            }

            /// The names of all built-in metrics.
            pub const NAMES: &[&str] = &[$(stringify!($field),)*];
        }
    };
}

builtin! {
    /// VUs that are active, once a second.
    vus: Gauge, Default;
    /// VUs that are initialised, once a second.
    vus_max: Gauge, Default;
    /// Iterations that ended, also with an exception.
    iterations: Counter, Default;
    /// How long such an iteration took.
    iteration_duration: Trend, Time;
    /// Iterations that the plan wanted and that could not be started.
    dropped_iterations: Counter, Default;
    /// Results of `check`.
    checks: Rate, Default;
    /// How long a `group` took.
    group_duration: Trend, Time;
    /// Exchanges: requests with their response, each redirect hop counted.
    http_reqs: Counter, Default;
    /// Sending + waiting + receiving of an exchange, measured at the kernel.
    http_req_duration: Trend, Time;
    /// From wanting a connection until having one.
    http_req_blocked: Trend, Time;
    /// TCP connect; 0 on a reused connection.
    http_req_connecting: Trend, Time;
    /// TLS handshake; 0 on a reused connection.
    http_req_tls_handshaking: Trend, Time;
    /// Writing the request.
    http_req_sending: Trend, Time;
    /// From the request written to the kernel's stamp of the first response byte.
    http_req_waiting: Trend, Time;
    /// From the first to the last response byte, by the kernel's stamps.
    http_req_receiving: Trend, Time;
    /// Share of exchanges whose status was not expected.
    http_req_failed: Rate, Default;
    /// From the planned start to the last response byte without the tool's share: wait + blocked + duration (open model).
    http_req_response: Trend, Time;
    /// The part of an exchange that the tool itself added: lateness of the start, sending, receive delay, parsing.
    http_req_tare: Trend, Time;
    /// What a tool without kernel stamps would have reported: net duration + tare.
    http_req_gross: Trend, Time;
    /// What the tool named with `--compat` would have called the response time.
    http_req_compat: Trend, Time;
    /// Actual start of iterations minus the later of planned start and a VU being free (open model).
    iteration_lateness: Trend, Time;
    /// Bytes written to sockets.
    data_sent: Counter, Data;
    /// Bytes read from sockets.
    data_received: Counter, Data;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_rule() {
        for good in ["ab", "_a", "my_metric2", &"a".repeat(129)] {
            assert!(valid_name(good), "{good}");
        }
        for bad in ["", "a", "1a", "a-b", "é_x", "a b", &"a".repeat(130)] {
            assert!(!valid_name(bad), "{bad}");
        }
    }

    #[test]
    fn a_second_declaration_must_agree() {
        let registry = Registry::new();
        let first = registry.declare("orders", Kind::Counter, Contains::Default);
        assert_eq!(
            first,
            registry.declare("orders", Kind::Counter, Contains::Default)
        );
        let error = registry
            .declare("orders", Kind::Trend, Contains::Time)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "metric 'orders' already exists with type counter of default values, it cannot become trend of time values"
        );
        assert_eq!(registry.find("orders").unwrap().id, first.unwrap());
    }

    #[test]
    fn built_in_metrics_are_found_by_name() {
        let registry = Registry::new();
        for name in Builtin::NAMES {
            assert_eq!(&*registry.find(name).unwrap().name, *name);
        }
        assert_eq!(registry.metric(registry.builtin.checks).kind, Kind::Rate);
    }
}
