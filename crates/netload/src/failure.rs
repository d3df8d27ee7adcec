//! Why a command did not do its work: what is wrong, where, and what to do about it, with the exit code.

use netload_engine::{Level, Record};
use netload_plan::Problem;
use netload_script::Secrets;

use crate::exit::Exit;

/// A command's failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// How the process ends.
    pub(crate) exit: Exit,
    /// Everything that is wrong, at least one.
    pub(crate) findings: Vec<Finding>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// One sentence without full stop; further lines may follow it.
    pub(crate) message: String,
    /// The file, option or variable it is about.
    pub(crate) place: Option<String>,
    /// What to do.
    pub(crate) hint: Option<String>,
}

impl Failure {
    /// One finding without place and hint.
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self {
            exit,
            findings: vec![Finding {
                message: message.into(),
                place: None,
                hint: None,
            }],
        }
    }

    /// Wrong use of the command line, or something else outside the test.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Failure, message)
    }

    /// Problems of a configuration; `origin` is the file or the kind of source they are in.
    pub(crate) fn configuration(origin: Option<&str>, problems: Vec<Problem>) -> Self {
        let finding = |p: Problem| Finding {
            message: p.message,
            place: match (origin, p.path.is_empty()) {
                (Some(origin), false) => Some(format!("{origin}: {}", p.path)),
                (Some(origin), true) => Some(origin.to_owned()),
                (None, false) => Some(p.path),
                (None, true) => None,
            },
            hint: p.hint,
        };
        Self {
            exit: Exit::BadConfiguration,
            findings: problems.into_iter().map(finding).collect(),
        }
    }

    /// The same with a place, where there is none yet.
    #[must_use]
    pub(crate) fn at(mut self, place: impl Into<String>) -> Self {
        let place = place.into();
        for finding in &mut self.findings {
            finding.place.get_or_insert_with(|| place.clone());
        }
        self
    }

    /// The same with a hint, where there is none yet.
    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        let hint = hint.into();
        for finding in &mut self.findings {
            finding.hint.get_or_insert_with(|| hint.clone());
        }
        self
    }

    /// The same with what else is wrong, each thing once.
    #[must_use]
    pub(crate) fn and(mut self, other: Self) -> Self {
        for finding in other.findings {
            if !self.findings.contains(&finding) {
                self.findings.push(finding);
            }
        }
        self
    }

    /// The same without the secrets that a script obtained.
    #[must_use]
    pub(crate) fn redacted(mut self, secrets: &Secrets) -> Self {
        for finding in &mut self.findings {
            finding.message = secrets.redacted(&finding.message).into_owned();
        }
        self
    }

    /// The same as one log record.
    pub(crate) fn record(&self) -> Record {
        let messages: Vec<&str> = self.findings.iter().map(|f| f.message.as_str()).collect();
        let mut record = Record::new(Level::Error, messages.join("\n"));
        if let [Finding { place, hint, .. }] = self.findings.as_slice() {
            let facts = [("place", place), ("hint", hint)];
            for (name, text) in facts {
                if let Some(text) = text {
                    record = record.with(name, text.as_str());
                }
            }
        }
        record
    }

    /// The text for a reader, ending in a line end.
    pub(crate) fn text(&self, colored: bool) -> String {
        let (red, dim, off) = if colored {
            ("\x1b[1;31m", "\x1b[2m", "\x1b[0m")
        } else {
            ("", "", "")
        };
        let mut text = String::new();
        for Finding {
            message,
            place,
            hint,
        } in &self.findings
        {
            text += &format!("{red}error{off}: {message}\n");
            if let Some(place) = place {
                text += &format!("  {dim}-->{off} {place}\n");
            }
            if let Some(hint) = hint {
                text += &format!("  {dim}hint:{off} {hint}\n");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_says_what_where_and_what_to_do() {
        let problem =
            Problem::new("options.vuss", "there is no option `vuss`").hint("did you mean `vus`?");
        let failure = Failure::configuration(Some("a.js"), vec![problem]);
        let expected = "error: there is no option `vuss`\n  --> a.js: options.vuss\n  hint: did you mean `vus`?\n";
        assert_eq!(failure.text(false), expected);
        assert_eq!(failure.exit.code(), 104);
    }
}
