//! The options table: every option once, with everything that is ever said about it.
//!
//! From it come the command line, both help texts, the environment variables, completions, man pages and the reference
//! page. Leaves out what an option does. Invariant: an option's key is unique within any one command.

mod connection;
mod control;
mod generator;
mod hit_load;
mod hit_request;
mod lifecycle;
mod load;
mod measure;
mod network;
mod requests;
mod results;
mod script;
mod small;
mod store;
mod terminal;
mod ui;

/// One option.
#[derive(Debug)]
pub(crate) struct Opt {
    /// Its identity: k6's name in JSON where k6 has one.
    pub(crate) key: &'static str,
    /// The long flag without dashes; empty when it cannot be set on the command line.
    pub(crate) long: &'static str,
    /// Further long flags that mean the same and are not advertised.
    pub(crate) aliases: &'static [&'static str],
    /// The one-letter flag.
    pub(crate) short: Option<char>,
    /// The environment variable; empty when there is none.
    pub(crate) env: &'static str,
    /// What follows the flag.
    pub(crate) value: Value,
    /// The value when nobody sets it, as text for the reader; empty when there is none.
    pub(crate) default: &'static str,
    /// Who takes the value.
    pub(crate) owner: Owner,
    /// One line without full stop.
    pub(crate) help: &'static str,
    /// Further sentences: forms, units, what is easily misunderstood. May be empty.
    pub(crate) details: &'static str,
}

/// What follows a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Nothing, or `=true` and `=false`.
    Switch,
    /// One value of this kind; the last one wins.
    One(&'static str),
    /// A value of this kind each time; all count.
    Many(&'static str),
    /// Nothing or `=VALUE`; the second is what the bare flag means.
    Maybe(&'static str, &'static str),
}

/// Who takes an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    /// The plan: it may also stand in a script's `options` and in a configuration file.
    Test,
    /// The plan, but a script cannot set it.
    Instance,
    /// The binary itself.
    Tool,
}

impl Opt {
    /// What an option is unless its definition says otherwise.
    const BASE: Self = Self {
        key: "",
        long: "",
        aliases: &[],
        short: None,
        env: "",
        value: Value::Switch,
        default: "",
        owner: Owner::Test,
        help: "",
        details: "",
    };

    /// The flag as a user would type it, or the key when there is none.
    pub(crate) fn spelling(&self) -> String {
        if self.long.is_empty() {
            self.key.to_owned()
        } else {
            format!("--{}", self.long)
        }
    }
}

/// Options that belong together: one heading of the help text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Category {
    /// How much load, and for how long.
    Load,
    /// Setup, teardown and the summary function.
    Lifecycle,
    /// How requests are made.
    Requests,
    /// Names, addresses and TLS.
    Network,
    /// What is measured, judged and printed.
    Results,
    /// Netload itself.
    Generator,
    /// How the script is loaded.
    Script,
    /// How a running test is steered.
    Control,
    /// What the terminal shows.
    Terminal,
    /// The request of `hit`.
    HitRequest,
    /// The load of `hit`.
    HitLoad,
    /// The connections of `hit`.
    HitConnection,
    /// What `hit` prints and judges.
    HitResults,
    /// Of `inspect`.
    Inspect,
    /// Of `archive`.
    Archive,
    /// Of `new`.
    New,
    /// Of `target`.
    Target,
    /// Of `zero`.
    Zero,
    /// Of the commands that talk to a running test.
    Client,
    /// Of `scale`.
    Scale,
    /// What is kept of a run.
    Keeping,
    /// Of `history`.
    History,
    /// Of `compare`.
    Compare,
    /// The web UI of a run.
    Ui,
    /// Of `serve`.
    Serve,
    /// Of `report`.
    Report,
    /// Of `version`.
    Version,
}

impl Category {
    /// The heading above its options.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Self::Load | Self::HitLoad => "Load",
            Self::Lifecycle => "Setup and teardown",
            Self::Requests => "Requests",
            Self::Network => "Network and TLS",
            Self::Results | Self::HitResults => "Results",
            Self::Generator => "Generator",
            Self::Script => "Script",
            Self::Keeping => "History",
            Self::Control => "Control",
            Self::Terminal => "Terminal",
            Self::Ui => "Web UI",
            Self::HitRequest => "Request",
            Self::HitConnection => "Connection",
            Self::Inspect
            | Self::Archive
            | Self::New
            | Self::Target
            | Self::Zero
            | Self::Client
            | Self::Scale
            | Self::History
            | Self::Compare
            | Self::Serve
            | Self::Report
            | Self::Version => "Options",
        }
    }

    /// Its options, in the order of the help text.
    pub(crate) fn options(self) -> &'static [Opt] {
        match self {
            Self::Load => load::OPTIONS,
            Self::Lifecycle => lifecycle::OPTIONS,
            Self::Requests => requests::OPTIONS,
            Self::Network => network::OPTIONS,
            Self::Results => results::OPTIONS,
            Self::Generator => generator::OPTIONS,
            Self::Script => script::OPTIONS,
            Self::Control => control::OPTIONS,
            Self::Terminal => terminal::OPTIONS,
            Self::HitRequest => hit_request::OPTIONS,
            Self::HitLoad => hit_load::LOAD,
            Self::HitConnection => connection::OPTIONS,
            Self::HitResults => hit_load::RESULTS,
            Self::Inspect => small::INSPECT,
            Self::Archive => small::ARCHIVE,
            Self::New => small::NEW,
            Self::Target => small::TARGET,
            Self::Zero => generator::ZERO,
            Self::Client => small::CLIENT,
            Self::Scale => small::SCALE,
            Self::Keeping => store::KEEPING,
            Self::History => store::HISTORY,
            Self::Compare => store::COMPARE,
            Self::Ui => ui::OPTIONS,
            Self::Serve => ui::SERVE,
            Self::Report => store::REPORT,
            Self::Version => small::VERSION,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::commands;

    use super::*;

    #[test]
    fn every_option_has_a_way_in_and_a_sentence() {
        let categories = commands::ALL.iter().flat_map(|c| c.categories);
        for option in categories.flat_map(|c| c.options()) {
            assert!(!option.help.is_empty(), "{}", option.key);
            assert!(!option.help.ends_with('.'), "{}", option.key);
            let way_in = !option.long.is_empty() || !option.env.is_empty();
            assert!(way_in || option.owner == Owner::Test, "{}", option.key);
        }
    }

    #[test]
    fn one_command_has_each_name_once() {
        for command in commands::ALL {
            let mut seen = HashSet::new();
            for option in command.categories.iter().flat_map(|c| c.options()) {
                let short = option.short.map(|s| s.to_string()).unwrap_or_default();
                for name in [
                    option.key,
                    &format!("-{short}"),
                    &format!("--{}", option.long),
                    option.env,
                ] {
                    let is_name = !name.trim_start_matches('-').is_empty();
                    assert!(
                        !is_name || seen.insert(name.to_owned()),
                        "{}: {name}",
                        command.name
                    );
                }
            }
        }
    }

    #[test]
    fn the_plan_knows_every_option_that_is_its_own() {
        let known: HashSet<&str> = netload_plan::Options::KEYS.iter().map(|k| k.name).collect();
        let categories = commands::ALL.iter().flat_map(|c| c.categories);
        for option in categories
            .flat_map(|c| c.options())
            .filter(|o| o.owner != Owner::Tool)
        {
            assert!(known.contains(option.key), "{}", option.key);
        }
    }
}
