//! The command line: clap's commands made from the two tables, and the way back from its matches to what was typed.
//!
//! Every usage error is put in our own words. Invariant: nothing about a single option or command is written here.

use std::collections::BTreeMap;

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, ArgMatches, ValueHint};
use netload_plan::names;

use crate::commands::{self, Command};
use crate::failure::Failure;
use crate::options::{Category, Opt, Value};
use crate::typed::{Flag, Typed};

/// Operands of a command that takes several, at most.
const OPERANDS_LIMIT: usize = 16;
/// Columns of a terminal that texts must fit.
const COLUMNS: usize = 80;

/// Commands of k6 that make no sense here, and why.
const OF_K6: [(&str, &str); 4] = [
    (
        "cloud",
        "netload runs tests on this machine and has no cloud",
    ),
    ("login", "netload has no cloud to log in to"),
    ("x", "netload has no extensions"),
    (
        "deps",
        "netload has no extensions whose dependencies it could list",
    ),
];

/// What the command line asks for.
pub(crate) enum Request {
    /// To run a command.
    Run(&'static Command, Typed),
    /// To print a text on standard output and be done.
    Print(String),
}

/// Reads a command line; the first argument is the program's name.
pub(crate) fn parse(
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
) -> Result<Request, Failure> {
    let (arguments, stated) = take_stated(arguments);
    let matches = match program().try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        Err(error) => return refused(&error, &arguments),
    };
    let Some((name, matches)) = matches.subcommand() else {
        return Ok(Request::Print(program().render_help().to_string()));
    };
    let command = commands::named(name).ok_or_else(|| unknown_command(name))?;
    let operands = operands(command, matches)?;
    let mut flags = flags(command, matches);
    flags.extend(stated);
    let typed = Typed::new(flags, operands, environment, command.categories);
    Ok(Request::Run(command, typed))
}

/// The whole program as clap sees it.
pub(crate) fn program() -> clap::Command {
    let program = clap::Command::new("netload")
        .bin_name("netload")
        .about("A load tester: k6 scripts at the speed of wrk, and honest numbers")
        .long_about(
            "A load tester: k6 scripts at the speed of wrk, and honest numbers.\n\n\
             Every run says how much of each number is the tool's own doing.",
        )
        .version(env!("CARGO_PKG_VERSION"))
        .disable_version_flag(true)
        .arg(
            Arg::new("version")
                .long("version")
                .short('V')
                .action(ArgAction::Version)
                .help("Print the version"),
        )
        .disable_help_flag(true)
        .arg(help("Options"))
        .term_width(COLUMNS)
        .after_help("Start with `netload demo`, then `netload new` and `netload run script.js`.");
    commands::ALL
        .iter()
        .fold(program, |p, c| p.subcommand(subcommand(c)))
}

fn subcommand(command: &'static Command) -> clap::Command {
    let examples: Vec<String> = command
        .examples
        .iter()
        .map(|(what, line)| format!("  {what}:\n    {line}"))
        .collect();
    let mut made = clap::Command::new(command.name)
        .about(command.about)
        .long_about(
            format!("{}.\n\n{}", command.about, command.details)
                .trim_end()
                .to_owned(),
        )
        .hide(command.hidden)
        .args_override_self(true)
        .disable_version_flag(true)
        .disable_help_flag(true)
        .term_width(COLUMNS);
    if !examples.is_empty() {
        made = made.after_help(StyledStr::from(format!(
            "Examples:\n{}",
            examples.join("\n")
        )));
    }
    if let Some(operand) = &command.operand {
        let hint = if operand.is_file {
            ValueHint::FilePath
        } else {
            ValueHint::Other
        };
        made = made.arg(
            Arg::new("operand")
                .value_name(operand.name)
                .help(operand.help)
                .num_args(if operand.name.ends_with("...") {
                    1..=OPERANDS_LIMIT
                } else {
                    1..=1
                })
                .value_hint(hint),
        );
        let brackets = if operand.required {
            ("<", ">")
        } else {
            ("[", "]")
        };
        made = made.override_usage(format!(
            "netload {} [OPTIONS] {}{}{}",
            command.name, brackets.0, operand.name, brackets.1
        ));
    }
    for category in command.categories {
        for option in category.options().iter().filter(|o| !o.long.is_empty()) {
            made = made.arg(argument(*category, option));
        }
    }
    made.arg(help(
        command.categories.last().map_or("Options", |c| c.heading()),
    ))
}

fn help(heading: &'static str) -> Arg {
    Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .help_heading(heading)
        .help("Print help: -h in short, --help in full")
}

fn argument(category: Category, option: &'static Opt) -> Arg {
    let mut arg = Arg::new(option.key)
        .long(option.long)
        .aliases(option.aliases.iter().copied())
        .help_heading(category.heading())
        .help(option.help)
        .long_help(long_help(option));
    if let Some(short) = option.short {
        arg = arg.short(short);
    }
    arg = match option.value {
        Value::Switch => return arg.action(ArgAction::SetTrue),
        Value::One(name) | Value::Many(name) => arg.value_name(name).allow_hyphen_values(true),
        Value::Maybe(name, _) => arg.value_name(name),
    };
    if let Value::Maybe(_, bare) = option.value {
        arg = arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(bare);
    }
    match option.value {
        Value::Many(_) => arg.action(ArgAction::Append),
        _ => arg.action(ArgAction::Set),
    }
}

fn long_help(option: &Opt) -> String {
    let mut text = format!("{}.", option.help);
    if !option.details.is_empty() {
        text += &format!(" {}", option.details);
    }
    let mut facts = Vec::new();
    if !option.default.is_empty() {
        facts.push(format!("[default: {}]", option.default));
    }
    if !option.env.is_empty() {
        facts.push(format!("[env: {}]", option.env));
    }
    if !facts.is_empty() {
        text += &format!("\n{}", facts.join(" "));
    }
    text
}

/// Takes `--switch=true` and `--switch=false` out of the arguments: k6 has them, clap's help would show them everywhere.
fn take_stated(arguments: Vec<String>) -> (Vec<String>, Vec<Flag>) {
    let Some(command) = arguments.get(1).and_then(|a| commands::named(a)) else {
        return (arguments, Vec::new());
    };
    let switch = |name: &str| {
        let mut options = command.categories.iter().flat_map(|c| c.options());
        options.find(|o| o.value == Value::Switch && o.long == name)
    };
    let mut stated = Vec::new();
    let mut rest = Vec::new();
    for (at, argument) in arguments.into_iter().enumerate() {
        let parts = argument.strip_prefix("--").and_then(|a| a.split_once('='));
        match parts.and_then(|(name, text)| Some((switch(name)?, text.to_owned()))) {
            Some((option, text)) => stated.push(Flag {
                option,
                texts: vec![text],
                positions: vec![at],
            }),
            None => rest.push(argument),
        }
    }
    (rest, stated)
}

fn flags(command: &'static Command, matches: &ArgMatches) -> Vec<Flag> {
    let options = command.categories.iter().flat_map(|c| c.options());
    let flag = |option: &'static Opt| {
        let texts = match option.value {
            Value::Switch if matches.get_flag(option.key) => vec!["true".to_owned()],
            Value::Switch => return None,
            _ => matches.get_many::<String>(option.key)?.cloned().collect(),
        };
        let positions = matches.indices_of(option.key)?.collect();
        Some(Flag {
            option,
            texts,
            positions,
        })
    };
    options
        .filter(|o| !o.long.is_empty())
        .filter_map(flag)
        .collect()
}

fn operands(command: &Command, matches: &ArgMatches) -> Result<Vec<String>, Failure> {
    let Some(operand) = &command.operand else {
        return Ok(Vec::new());
    };
    match matches.get_many::<String>("operand") {
        Some(given) => Ok(given.cloned().collect()),
        None if operand.required => Err(Failure::usage(format!(
            "`netload {}` needs {}",
            command.name, operand.what
        ))
        .hint(format!("netload {} {}", command.name, operand.example))),
        None => Ok(Vec::new()),
    }
}

/// Puts clap's refusal into our words; its help and version texts are no refusal.
fn refused(error: &clap::Error, arguments: &[String]) -> Result<Request, Failure> {
    let of = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let command = arguments.iter().skip(1).find_map(|a| commands::named(a));
    let invalid = of(ContextKind::InvalidArg).unwrap_or_default();
    // Clap names an option together with its placeholder.
    let name = invalid.split([' ', '=']).next().unwrap_or_default();
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Ok(Request::Print(error.render().to_string()))
        }
        ErrorKind::InvalidSubcommand => Err(unknown_command(
            of(ContextKind::InvalidSubcommand).unwrap_or_default(),
        )),
        ErrorKind::UnknownArgument if name.starts_with('-') => Err(unknown_option(name, command)),
        ErrorKind::UnknownArgument => Err(one_too_many(invalid, command)),
        ErrorKind::InvalidValue | ErrorKind::WrongNumberOfValues | ErrorKind::NoEquals => Err(
            Failure::usage(format!("the option `{name}` needs a value")).hint(match command {
                Some(command) => format!("netload {} --help", command.name),
                None => "netload --help".to_owned(),
            }),
        ),
        ErrorKind::TooManyValues => {
            let value = of(ContextKind::InvalidValue).unwrap_or_default();
            Err(Failure::usage(format!(
                "the option `{name}` does not take the value `{value}`"
            )))
        }
        _ => {
            let text = error.to_string();
            let line = text.lines().next().unwrap_or_default();
            Err(Failure::usage(
                line.trim_start_matches("error: ").to_owned(),
            ))
        }
    }
}

fn one_too_many(argument: &str, command: Option<&'static Command>) -> Failure {
    let failure = Failure::usage(format!("`{argument}` is one argument too many"));
    match command.map(|c| (c.name, &c.operand)) {
        Some((name, Some(operand))) => {
            failure.hint(format!("`netload {name}` takes {}", operand.what))
        }
        Some((name, None)) => failure.hint(format!("`netload {name}` takes only options")),
        None => failure,
    }
}

fn unknown_option(name: &str, command: Option<&'static Command>) -> Failure {
    let failure = Failure::usage(format!("unknown option `{name}`"));
    let Some(command) = command else {
        return failure.hint("options stand behind the command: netload run --vus 5 script.js");
    };
    let known: Vec<&'static str> = command
        .categories
        .iter()
        .flat_map(|c| c.options())
        .map(|o| o.long)
        .filter(|long| !long.is_empty())
        .collect();
    match names::nearest(name.trim_start_matches('-'), &known) {
        Some(near) => failure.hint(format!("did you mean `--{near}`?")),
        None => failure.hint(format!(
            "`netload {} --help` lists all options",
            command.name
        )),
    }
}

fn unknown_command(name: &str) -> Failure {
    let known: Vec<&'static str> = commands::ALL.iter().map(|c| c.name).collect();
    let failure = Failure::usage(format!("unknown command `{name}`"));
    if name.ends_with(".js") || name.ends_with(".ts") {
        return failure.hint(format!("netload run {name}"));
    }
    if name.contains("://") {
        return failure.hint(format!("netload hit {name}"));
    }
    if let Some((_, sentence)) = OF_K6.iter().find(|(command, _)| *command == name) {
        return Failure::usage(*sentence).hint("`netload --help` lists all commands");
    }
    match names::nearest(name, &known) {
        Some(near) => failure.hint(format!("did you mean `netload {near}`?")),
        None => failure.hint("`netload --help` lists all commands"),
    }
}
