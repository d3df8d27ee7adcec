//! k6's feature flags: which there are, and which are on.
//!
//! Leaves doing what they say to the layers of options and to the script's runtime.

use std::collections::BTreeMap;

use crate::names;
use crate::options::Options;
use crate::problem::Warning;

/// A flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// What is typed.
    pub name: &'static str,
    /// One line without full stop.
    pub about: &'static str,
}

const FREEZE_ENV: &str = "freeze-env";
const MERGE_RUN_TAGS: &str = "merge-run-tags";

/// All there are, by name.
pub const FEATURES: [Feature; 3] = [
    Feature {
        name: FREEZE_ENV,
        about: "Scripts cannot change __ENV",
    },
    Feature {
        name: MERGE_RUN_TAGS,
        about: "Tags of config file, script, environment and flags are put together",
    },
    Feature {
        name: "native-histograms",
        about: "Trends are histograms: so they are here, with it or without",
    },
];

/// Which are on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Features(Vec<&'static str>);

impl Features {
    /// Those of the options, and a warning for each that is unknown.
    pub fn of(options: &Options) -> (Self, Vec<Warning>) {
        let known = FEATURES.map(|feature| feature.name);
        let (mut on, mut warnings) = (Vec::new(), Vec::new());
        for typed in options.features.iter().flatten() {
            match known.iter().find(|name| **name == typed.trim()) {
                Some(name) => on.push(*name),
                None => warnings.push(
                    Warning::new("features", format!("there is no feature flag `{typed}`"))
                        .hint(names::hint(typed, &known)),
                ),
            }
        }
        (Self(on), warnings)
    }

    /// Whether scripts must not change `__ENV`.
    pub fn freeze_env(&self) -> bool {
        self.0.contains(&FREEZE_ENV)
    }

    /// Whether the tags of all layers of options hold, and not only those of the highest.
    pub fn merge_run_tags(&self) -> bool {
        self.0.contains(&MERGE_RUN_TAGS)
    }

    /// The tags by which k6 marks what was measured with them.
    pub fn tags(&self) -> BTreeMap<String, String> {
        let tag = |name: &&str| format!("k6_feature_{}", name.replace('-', "_"));
        let marked = self.0.iter().map(|name| (tag(name), "true".to_owned()));
        marked.collect()
    }
}
