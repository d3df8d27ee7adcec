//! Log lines: one record as text, in the forms that k6 writes. Pure; time is an argument.

use std::fmt::Write;

use netload_engine::log::{Level, Record};
use serde_json::{Map, Value};

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `time="…" level=info msg="…" source=console`
    Text,
    /// For people: a coloured level and the seconds since the start.
    Colored,
    /// One JSON object a line.
    Json,
    /// The message alone.
    Raw,
}

/// Columns a message fills before its fields, on a coloured line.
const MESSAGE_COLUMNS: usize = 44;

/// The record as a line with its line end. `time` is RFC 3339, `seconds` are since the start of the process.
pub(crate) fn line(record: &Record, form: Form, time: &str, seconds: u64) -> String {
    match form {
        Form::Text => text(record, time),
        Form::Colored => colored(record, seconds),
        Form::Json => json(record, time),
        Form::Raw => format!("{}\n", record.message.trim_end_matches('\n')),
    }
}

/// The level's name as k6 writes it.
pub(crate) fn level_name(level: Level) -> &'static str {
    match level {
        Level::Debug => "debug",
        Level::Info => "info",
        Level::Warning => "warning",
        Level::Error => "error",
    }
}

fn fields(record: &Record) -> Vec<(&str, &str)> {
    let mut fields: Vec<(&str, &str)> = record
        .fields
        .iter()
        .map(|(n, v)| (*n, v.as_str()))
        .collect();
    fields.extend(record.source.map(|s| ("source", s)));
    fields.sort_unstable();
    fields
}

fn text(record: &Record, time: &str) -> String {
    let level = level_name(record.level);
    let mut line = format!(
        "time=\"{time}\" level={level} msg={}",
        quoted(&record.message)
    );
    for (name, value) in fields(record) {
        let _ = write!(line, " {name}={}", quoted(value));
    }
    line.push('\n');
    line
}

fn colored(record: &Record, seconds: u64) -> String {
    let (color, level) = match record.level {
        Level::Debug => ("37", "DEBU"),
        Level::Info => ("36", "INFO"),
        Level::Warning => ("33", "WARN"),
        Level::Error => ("31", "ERRO"),
    };
    let message = record.message.trim_end_matches('\n');
    let fields = fields(record);
    let mut line = format!("\x1b[{color}m{level}\x1b[0m[{seconds:04}] ");
    if fields.is_empty() {
        line += message;
    } else {
        let _ = write!(line, "{message:<MESSAGE_COLUMNS$}");
    }
    for (name, value) in fields {
        let _ = write!(line, " \x1b[{color}m{name}\x1b[0m={}", quoted(value));
    }
    line.push('\n');
    line
}

fn json(record: &Record, time: &str) -> String {
    let mut pairs = fields(record);
    pairs.push(("level", level_name(record.level)));
    pairs.push(("msg", &record.message));
    pairs.push(("time", time));
    pairs.sort_unstable();
    let object: Map<String, Value> = pairs
        .into_iter()
        .map(|(n, v)| (n.to_owned(), Value::from(v)))
        .collect();
    format!("{}\n", Value::Object(object))
}

/// The text as it is when it is plain, else in double quotes with escapes.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._/@^+".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            '\r' => quoted += "\\r",
            '\t' => quoted += "\\t",
            '\u{7}' => quoted += "\\a",
            '\u{8}' => quoted += "\\b",
            '\u{b}' => quoted += "\\v",
            '\u{c}' => quoted += "\\f",
            c if c.is_control() && u32::from(c) < 0x80 => {
                let _ = write!(quoted, "\\x{:02x}", u32::from(c));
            }
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: &str = "2026-01-02T03:04:05Z";

    fn check(record: &Record, form: Form, expected: &str) {
        assert_eq!(line(record, form, TIME, 7), expected);
    }

    #[test]
    fn plain_lines_are_those_of_k6() {
        let record = Record::new(Level::Info, "hi \"x\"\nline2 é \u{7} x").from_source("console");
        check(
            &record,
            Form::Text,
            "time=\"2026-01-02T03:04:05Z\" level=info msg=\"hi \\\"x\\\"\\nline2 é \\a x\" source=console\n",
        );
        check(
            &Record::new(Level::Warning, "w"),
            Form::Text,
            "time=\"2026-01-02T03:04:05Z\" level=warning msg=w\n",
        );
    }

    #[test]
    fn fields_are_sorted_by_name() {
        let record = Record::new(Level::Error, "boom")
            .from_source("stacktrace")
            .with("scenario", "default")
            .with("executor", "constant-vus");
        check(
            &record,
            Form::Text,
            "time=\"2026-01-02T03:04:05Z\" level=error msg=boom executor=constant-vus scenario=default source=stacktrace\n",
        );
        check(
            &record,
            Form::Json,
            "{\"executor\":\"constant-vus\",\"level\":\"error\",\"msg\":\"boom\",\"scenario\":\"default\",\
             \"source\":\"stacktrace\",\"time\":\"2026-01-02T03:04:05Z\"}\n",
        );
    }

    #[test]
    fn a_terminal_gets_a_coloured_level_and_seconds() {
        let record = Record::new(Level::Warning, "slow");
        check(&record, Form::Colored, "\x1b[33mWARN\x1b[0m[0007] slow\n");
        check(&record, Form::Raw, "slow\n");
    }
}
