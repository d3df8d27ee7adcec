//! Layers of options put on top of each other, with the origin of every value.
//!
//! Owns the precedence, the rule that a layer which says how to execute (duration, iterations,
//! stages, scenarios) replaces what lower layers said about it, and the flag by which tags do not. Leaves out reading the layers.

use std::collections::BTreeMap;

use super::Options;
use crate::features::Features;
use crate::problem::Warning;

/// Where a value came from, lowest layer first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// Built in.
    Default,
    /// The config file.
    ConfigFile,
    /// The script's `options`.
    Script,
    /// An environment variable.
    Environment,
    /// A flag.
    CommandLine,
}

impl Origin {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::ConfigFile => "config file",
            Self::Script => "script",
            Self::Environment => "environment",
            Self::CommandLine => "command line",
        }
    }
}

/// Options merged from layers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layered {
    options: Options,
    origins: BTreeMap<&'static str, Origin>,
    /// The tags of all layers, those of higher ones winning.
    all_tags: BTreeMap<String, String>,
    warnings: Vec<Warning>,
}

/// The options that say how to execute. Each stands for a whole plan of execution.
const EXECUTION: [&str; 4] = ["duration", "iterations", "stages", "scenarios"];

impl Layered {
    /// No layer yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts a layer on top. Layers are added from the lowest to the highest.
    pub fn add(&mut self, origin: Origin, layer: Options) {
        let executes = layer.duration.is_some()
            || layer.iterations.is_some()
            || layer.stages.is_some()
            || layer.scenarios.is_some();
        if executes {
            if self.options.scenarios.is_some() {
                self.warnings.push(Warning::new(
                    "scenarios",
                    format!(
                        "the scenarios are replaced by options of the {}",
                        origin.name()
                    ),
                ));
            }
            self.options.duration = None;
            self.options.iterations = None;
            self.options.stages = None;
            self.options.scenarios = None;
            for key in EXECUTION {
                self.origins.remove(key);
            }
        }
        self.all_tags.extend(
            layer
                .tags
                .iter()
                .flatten()
                .map(|(name, value)| (name.clone(), value.clone())),
        );
        let origins = &mut self.origins;
        self.options.overlay(layer, |key| {
            origins.insert(key, origin);
        });
        if !self.all_tags.is_empty() && Features::of(&self.options).0.merge_run_tags() {
            self.options.tags = Some(self.all_tags.clone());
        }
    }

    /// The same with a layer on top, for building in one expression.
    pub fn with(mut self, origin: Origin, layer: Options) -> Self {
        self.add(origin, layer);
        self
    }

    /// The merged values, still without defaults.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The merged values, to be changed by what stands above all layers.
    pub(super) fn options_mut(&mut self) -> &mut Options {
        &mut self.options
    }

    /// Where the value of a key came from; `Default` when no layer set it.
    pub fn origin(&self, key: &str) -> Origin {
        self.origins.get(key).copied().unwrap_or(Origin::Default)
    }

    /// The keys that some layer set, with their origins, by name.
    pub fn origins(&self) -> impl Iterator<Item = (&'static str, Origin)> + '_ {
        self.origins.iter().map(|(key, origin)| (*key, *origin))
    }

    /// What is worth a warning about the merging itself.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}
