//! What the user typed: flags, variables and operands, still as text. Nothing is interpreted here.

use std::collections::BTreeMap;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::{Category, Opt, Owner};

/// Where a value was typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// As a flag.
    Flag,
    /// As an environment variable.
    Variable,
}

/// An option with the texts it was given in one place.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// Which option.
    pub(crate) option: &'static Opt,
    /// Where.
    pub(crate) source: Source,
    /// Its texts, in order; at least one.
    pub(crate) texts: Vec<String>,
    /// Where each text stood among all arguments; empty for a variable.
    pub(crate) positions: Vec<usize>,
}

/// A flag as it was found on the command line.
#[derive(Clone, Debug)]
pub(crate) struct Flag {
    /// Which option.
    pub(crate) option: &'static Opt,
    /// Its texts, in order; at least one.
    pub(crate) texts: Vec<String>,
    /// Where each stood among all arguments.
    pub(crate) positions: Vec<usize>,
}

/// Everything a command was given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Typed {
    /// Options, flags before variables.
    given: Vec<Given>,
    /// What stands beside the options.
    pub(crate) operands: Vec<String>,
    /// The whole environment; names or values that are no UTF-8 are left out.
    pub(crate) environment: BTreeMap<String, String>,
}

impl Given {
    /// How the user would find it again: the flag or the variable.
    pub(crate) fn place(&self) -> String {
        match self.source {
            Source::Flag => self.option.spelling(),
            Source::Variable => format!("environment variable {}", self.option.env),
        }
    }

    /// The exit code when its text cannot be read: k6 tells a bad flag from a bad variable.
    pub(crate) fn exit(&self) -> Exit {
        match self.source {
            Source::Flag => Exit::Failure,
            Source::Variable => Exit::BadConfiguration,
        }
    }

    /// A failure to read its text.
    pub(crate) fn failure(&self, message: impl Into<String>) -> Failure {
        Failure::new(self.exit(), message).at(self.place())
    }
}

impl Typed {
    /// Puts flags and environment together. An empty variable counts as not set.
    pub(crate) fn new(
        flags: Vec<Flag>,
        operands: Vec<String>,
        environment: BTreeMap<String, String>,
        categories: &[Category],
    ) -> Self {
        let flag = |flag: Flag| Given {
            option: flag.option,
            source: Source::Flag,
            texts: flag.texts,
            positions: flag.positions,
        };
        let variable = |option: &'static Opt| {
            let text = environment.get(option.env).filter(|t| !t.is_empty())?;
            Some(Given {
                option,
                source: Source::Variable,
                texts: vec![text.clone()],
                positions: Vec::new(),
            })
        };
        let known = categories.iter().flat_map(|c| c.options());
        let given = flags
            .into_iter()
            .map(flag)
            .chain(known.filter_map(variable))
            .collect();
        Self {
            given,
            operands,
            environment,
        }
    }

    /// The same with further variables, before those of the environment. Options of the program itself do not see them.
    pub(crate) fn with_variables(
        &self,
        mut more: BTreeMap<String, String>,
        categories: &[Category],
    ) -> Self {
        let mut typed = self.clone();
        for option in categories.iter().flat_map(|c| c.options()) {
            if option.owner == Owner::Tool {
                more.remove(option.env);
                continue;
            }
            let Some(text) = more.get(option.env) else {
                continue;
            };
            let same = |given: &Given| given.option.key == option.key;
            typed
                .given
                .retain(|given| !same(given) || given.source == Source::Flag);
            if !text.is_empty() {
                typed.given.push(Given {
                    option,
                    source: Source::Variable,
                    texts: vec![text.clone()],
                    positions: Vec::new(),
                });
            }
        }
        typed.environment.extend(more);
        typed
    }

    /// Where and how an option was given; a flag wins over a variable.
    pub(crate) fn given(&self, key: &str) -> Option<&Given> {
        self.given.iter().find(|g| g.option.key == key)
    }

    /// The last text of an option.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        self.given(key)
            .and_then(|g| g.texts.last())
            .map(String::as_str)
    }

    /// All texts of an option.
    pub(crate) fn texts(&self, key: &str) -> &[String] {
        self.given(key).map_or(&[], |g| &g.texts)
    }

    /// All texts of several options in the order in which they were typed, each with its option's key.
    pub(crate) fn in_order(&self, keys: &[&str]) -> Vec<(&'static str, &str)> {
        let given = self.given.iter().filter(|g| keys.contains(&g.option.key));
        let mut texts: Vec<(usize, &'static str, &str)> = given
            .flat_map(|g| {
                g.positions
                    .iter()
                    .zip(&g.texts)
                    .map(|(at, text)| (*at, g.option.key, text.as_str()))
            })
            .collect();
        texts.sort_unstable();
        texts
            .into_iter()
            .map(|(_, key, text)| (key, text))
            .collect()
    }

    /// The last text of an option, read by `read`, whose error is a sentence.
    pub(crate) fn read<T, E: ToString>(
        &self,
        key: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, Failure> {
        let Some(given) = self.given(key) else {
            return Ok(None);
        };
        let text = given.texts.last().map_or("", String::as_str);
        read(text)
            .map(Some)
            .map_err(|e| given.failure(e.to_string()))
    }

    /// A whole number greater than 0.
    pub(crate) fn count(&self, key: &str) -> Result<Option<u64>, Failure> {
        self.read(key, |text| match text.parse() {
            Ok(0) | Err(_) => Err(format!("`{text}` is not a whole number greater than 0")),
            Ok(n) => Ok(n),
        })
    }

    /// Whether a switch is on.
    pub(crate) fn switch(&self, key: &str) -> Result<bool, Failure> {
        Ok(self.read(key, boolean)?.unwrap_or(false))
    }

    /// Whether a switch is on, or none when nobody says.
    pub(crate) fn stated(&self, key: &str) -> Result<Option<bool>, Failure> {
        self.read(key, boolean)
    }

    /// The options of the plan given in one place.
    pub(crate) fn of_plan(&self, source: Source) -> impl Iterator<Item = &Given> {
        self.given
            .iter()
            .filter(move |g| g.source == source && g.option.owner != Owner::Tool)
    }
}

/// A truth value in the forms that k6 takes.
pub(crate) fn boolean(text: &str) -> Result<bool, String> {
    match text {
        "true" | "True" | "TRUE" | "t" | "T" | "1" => Ok(true),
        "false" | "False" | "FALSE" | "f" | "F" | "0" => Ok(false),
        _ => Err(format!("`{text}` is neither true nor false")),
    }
}
