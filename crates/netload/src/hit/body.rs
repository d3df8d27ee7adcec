//! The body of a request in curl's forms: `-d`, `--data-raw`, `--data-binary`, `--data-urlencode`, `--json`, `--form`.

use std::io::Read;

use super::form;
use crate::failure::Failure;
use crate::typed::Typed;

/// Largest body read from a file or from standard input, in bytes.
const BODY_AT_MOST: u64 = 1 << 30;

/// The type of bodies made with `--json`.
pub(crate) const JSON: &str = "application/json";

/// The type of bodies made with `--data`.
const FORM: &str = "application/x-www-form-urlencoded";

/// The options that make a body.
const KEYS: [&str; 5] = ["data", "dataRaw", "dataBinary", "dataUrlencode", "json"];

/// A body with the type it has unless the user says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Body {
    /// The bytes.
    pub(crate) bytes: Vec<u8>,
    /// What it is, unless the user says otherwise.
    pub(crate) content_type: String,
}

/// Puts the parts together in the order in which they were typed; none without parts.
pub(crate) fn body(typed: &Typed) -> Result<Option<Body>, Failure> {
    let form: Vec<&str> = typed.texts("form").iter().map(String::as_str).collect();
    let parts = typed.in_order(&KEYS);
    if !form.is_empty() {
        return match parts.first() {
            None => form::body(&form).map(Some),
            Some(_) => Err(Failure::usage(
                "a request has either a form of parts or other data, not both",
            )
            .at("--form")),
        };
    }
    let is_json = parts.iter().any(|(key, _)| *key == "json");
    let mut bytes = Vec::new();
    for (at, (key, text)) in parts.iter().enumerate() {
        let part = match *key {
            "data" => without_line_ends(content(text)?),
            "dataRaw" => text.as_bytes().to_vec(),
            "dataBinary" | "json" => content(text)?,
            _ => encoded(text)?,
        };
        if at > 0 && *key != "json" {
            bytes.push(b'&');
        }
        bytes.extend(part);
    }
    let content_type = if is_json { JSON } else { FORM };
    Ok((!parts.is_empty()).then(|| Body {
        bytes,
        content_type: content_type.to_owned(),
    }))
}

/// The text itself, or what is in `@FILE`.
fn content(text: &str) -> Result<Vec<u8>, Failure> {
    match text.strip_prefix('@') {
        Some(file) => read(file),
        None => Ok(text.as_bytes().to_vec()),
    }
}

/// A file's bytes; `-` is standard input.
pub(crate) fn read(file: &str) -> Result<Vec<u8>, Failure> {
    let failed = |e: std::io::Error| Failure::usage(format!("cannot read `{file}`: {e}"));
    let mut bytes = Vec::new();
    let read = if file == "-" {
        std::io::stdin()
            .take(BODY_AT_MOST + 1)
            .read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|f| f.take(BODY_AT_MOST + 1).read_to_end(&mut bytes))
    };
    read.map_err(failed)?;
    if bytes.len() as u64 > BODY_AT_MOST {
        return Err(Failure::usage(format!(
            "`{file}` is larger than {BODY_AT_MOST} bytes"
        )));
    }
    Ok(bytes)
}

fn without_line_ends(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.retain(|b| !matches!(b, b'\r' | b'\n' | 0));
    bytes
}

/// `TEXT`, `=TEXT`, `NAME=TEXT`, `@FILE` or `NAME@FILE`, percent-encoded except for the name.
fn encoded(text: &str) -> Result<Vec<u8>, Failure> {
    let (name, content) = match text.find(['=', '@']) {
        Some(at) if text[at..].starts_with('=') => {
            (&text[..at], text.as_bytes()[at + 1..].to_vec())
        }
        Some(at) => (&text[..at], read(&text[at + 1..])?),
        None => ("", text.as_bytes().to_vec()),
    };
    let mut part = name.as_bytes().to_vec();
    if !name.is_empty() {
        part.push(b'=');
    }
    for byte in content {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            part.push(byte);
        } else {
            part.extend(format!("%{byte:02X}").into_bytes());
        }
    }
    Ok(part)
}
