//! The reference page: every command with its options, and the exit codes, as Markdown.

use std::fmt::Write;

use crate::commands::{self, Command};
use crate::exit::Exit;
use crate::options::{Category, Opt, Owner, Value};

/// The page, ending in a line end.
pub(crate) fn page() -> String {
    let mut page = String::from(
        "# Options and exit codes\n\n\
         <!-- Made by `netload reference`; do not edit. -->\n\n\
         Values win in this order: command line, environment, script, configuration file, default.\n",
    );
    page += "\n## Commands\n\n";
    for command in commands::ALL.iter().filter(|c| !c.hidden) {
        let _ = writeln!(page, "- `netload {}`: {}.", usage(command), command.about);
    }
    let mut told: Vec<Category> = Vec::new();
    for command in commands::ALL.iter().filter(|c| !c.hidden) {
        let fresh: Vec<Category> = command
            .categories
            .iter()
            .copied()
            .filter(|c| !told.contains(c))
            .collect();
        if fresh.is_empty() {
            continue;
        }
        let _ = write!(page, "\n## netload {}\n", command.name);
        for category in fresh {
            section(&mut page, category);
            told.push(category);
        }
    }
    exits(&mut page);
    page
}

fn usage(command: &Command) -> String {
    match &command.operand {
        Some(operand) if operand.required => format!("{} {}", command.name, operand.name),
        Some(operand) => format!("{} [{}]", command.name, operand.name),
        None => command.name.to_owned(),
    }
}

fn section(page: &mut String, category: Category) {
    let _ = write!(page, "\n### {}\n", category.heading());
    for option in category.options() {
        let _ = write!(page, "\n{}  \n", names(option).join(", "));
        let _ = write!(page, "{}.", escaped(option.help));
        if !option.details.is_empty() {
            let _ = write!(page, " {}", escaped(option.details));
        }
        if !option.default.is_empty() {
            let _ = write!(page, " Default: {}.", escaped(option.default));
        }
        page.push('\n');
    }
}

fn names(option: &Opt) -> Vec<String> {
    let value = match option.value {
        Value::Switch => String::new(),
        Value::One(name) | Value::Many(name) => format!(" {name}"),
        Value::Maybe(name, _) => format!("[={name}]"),
    };
    let mut names = Vec::new();
    if let Some(short) = option.short {
        names.push(format!("**`-{short}`**"));
    }
    if !option.long.is_empty() {
        names.push(format!("**`--{}{value}`**", option.long));
    }
    if option.owner == Owner::Test {
        names.push(format!("script `{}`", option.key));
    }
    if !option.env.is_empty() {
        names.push(format!("environment `{}`", option.env));
    }
    names
}

/// Keeps Markdown from reading `*` and `<` as its own.
fn escaped(text: &str) -> String {
    text.replace('*', "\\*").replace('<', "&lt;")
}

fn exits(page: &mut String) {
    *page += "\n## Exit codes\n\n| code | meaning |\n|---|---|\n";
    for (exit, meaning) in Exit::MEANINGS {
        let _ = writeln!(page, "| {} | {meaning} |", exit.code());
    }
}
