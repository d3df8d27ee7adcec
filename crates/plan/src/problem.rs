//! What is wrong with a user's configuration: where, what, and what to do about it.
//!
//! Owns the vocabulary for findings and the collector that readers push them into, so that every
//! problem is reported at once. Leaves out how they are printed and which exit code follows.

use std::fmt;

/// A reason not to start: one place, one sentence, and a hint when there is one to give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Path of the offending value, such as `options.scenarios.a.vuss`.
    pub path: String,
    /// One sentence without a final full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// Something that does not stop the test but should be seen; same shape as a [`Problem`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Path of the value concerned; empty when it concerns the whole configuration.
    pub path: String,
    /// One sentence without a final full stop.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem without a hint.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
            hint: None,
        }
    }

    /// The same problem with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl Warning {
    /// A warning without a hint.
    pub fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            message: message.into(),
            hint: None,
        }
    }

    /// The same warning with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sentence(f, &self.path, &self.message)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sentence(f, &self.path, &self.message)
    }
}

impl std::error::Error for Problem {}

fn sentence(f: &mut fmt::Formatter<'_>, path: &str, message: &str) -> fmt::Result {
    if path.is_empty() {
        f.write_str(message)
    } else {
        write!(f, "{path}: {message}")
    }
}

/// Collects findings while a configuration is read, so that reading goes on after the first one.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Reasons not to start, in the order found.
    pub problems: Vec<Problem>,
    /// Things to be seen, in the order found.
    pub warnings: Vec<Warning>,
}

impl Findings {
    /// Records a problem.
    pub fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    /// Records a warning.
    pub fn warning(&mut self, warning: Warning) {
        self.warnings.push(warning);
    }
}

/// The path of a value inside a configuration, grown while descending into it.
#[derive(Clone, Debug)]
pub struct Place(String);

impl Place {
    /// The root of a configuration, such as `options`; may be empty.
    pub fn root(name: &str) -> Self {
        Self(name.to_owned())
    }

    /// The member `key` of the object at this place.
    pub fn key(&self, key: &str) -> Self {
        let plain = !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'));
        match (plain, self.0.is_empty()) {
            (true, true) => Self(key.to_owned()),
            (true, false) => Self(format!("{}.{key}", self.0)),
            (false, _) => Self(format!("{}[{key:?}]", self.0)),
        }
    }

    /// Element `index` (from 0) of the list at this place.
    pub fn item(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }

    /// A problem at this place.
    pub fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::new(self.0.clone(), message)
    }

    /// A warning at this place.
    pub fn warning(&self, message: impl Into<String>) -> Warning {
        Warning::new(self.0.clone(), message)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
