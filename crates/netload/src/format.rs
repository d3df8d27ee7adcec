//! The form of results on standard output.

use serde_json::Value;

use crate::failure::Failure;
use crate::typed::Typed;

/// Whether `--format` asks for JSON.
pub(crate) fn is_json(typed: &Typed) -> Result<bool, Failure> {
    let read = |text: &str| match text {
        "json" => Ok(true),
        "text" => Ok(false),
        _ => Err(format!(
            "`{text}` is not a form of results; there are text and json"
        )),
    };
    Ok(typed.read("format", read)?.unwrap_or(false))
}

/// The value over several lines.
pub(crate) fn pretty(value: &Value) -> String {
    format!("{value:#}")
}
