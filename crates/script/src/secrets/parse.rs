//! What is typed after `--secret-source`, as sources. Every problem is told, not only the first.

use std::collections::{BTreeMap, HashMap};

use super::server::{Server, ServerConfig};
use super::{Secrets, Source};

/// Largest file of secrets, in bytes.
const FILE_AT_MOST: u64 = 16 << 20;
/// The kinds of sources.
const KINDS: [&str; 3] = ["file", "mock", "url"];

/// All sources.
pub(super) fn sources(
    configurations: &[String],
    environment: &BTreeMap<String, String>,
) -> Result<Secrets, Vec<String>> {
    let mut secrets = Secrets::default();
    let mut problems = Vec::new();
    let mut last = None;
    for text in configurations {
        let typed = match Typed::read(text) {
            Ok(typed) => typed,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        if secrets.sources.contains_key(&typed.name) {
            let name = &typed.name;
            problems.push(format!(
                "two sources of secrets are named {name}; write name=OTHER in one of them"
            ));
            continue;
        }
        if typed.default
            && let Some(other) = secrets.default.replace(typed.name.clone())
        {
            let name = &typed.name;
            problems.push(format!("both {other} and {name} are the default"));
        }
        match typed.source(environment) {
            Ok(source) => {
                secrets.sources.insert(typed.name.clone(), source);
                last = Some(typed.name);
            }
            // What was typed may hold secrets, so it is not repeated.
            Err(problem) => problems.push(format!("the source {}: {problem}", typed.name)),
        }
    }
    if secrets.sources.len() == 1 {
        secrets.default = last;
    }
    match problems.is_empty() {
        true => Ok(secrets),
        false => Err(problems),
    }
}

/// One configuration: `KIND=PART,PART...`.
struct Typed<'a> {
    kind: &'a str,
    name: String,
    default: bool,
    /// What is neither the name nor `default`.
    parts: Vec<&'a str>,
}

impl<'a> Typed<'a> {
    fn read(text: &'a str) -> Result<Self, String> {
        let (kind, rest) = text.split_once('=').unwrap_or((text, ""));
        if !KINDS.contains(&kind) {
            return Err(format!(
                "`{kind}` is no kind of source; write file=PATH, mock=KEY=VALUE or url=urlTemplate=ADDRESS"
            ));
        }
        let mut typed = Self {
            kind,
            name: kind.to_owned(),
            default: false,
            parts: Vec::new(),
        };
        for part in rest.split(',').filter(|part| !part.is_empty()) {
            match part.split_once('=') {
                Some(("name", name)) => typed.name = name.to_owned(),
                None if part == "default" => typed.default = true,
                _ => typed.parts.push(part),
            }
        }
        Ok(typed)
    }

    fn source(&self, environment: &BTreeMap<String, String>) -> Result<Source, String> {
        match self.kind {
            "mock" => self.mock(),
            "file" => self.file(),
            _ => {
                let config = ServerConfig::read(&self.parts, environment)?;
                Ok(Source::Server(Server::new(config)))
            }
        }
    }

    fn mock(&self) -> Result<Source, String> {
        if self.parts.is_empty() {
            return Err("it holds no secret; write mock=KEY=VALUE".to_owned());
        }
        self.parts
            .iter()
            .map(|part| pair(part))
            .collect::<Result<_, _>>()
            .map(Source::Held)
    }

    fn file(&self) -> Result<Source, String> {
        let mut path = "";
        for part in &self.parts {
            match part.split_once('=') {
                Some(("filename", name)) => path = name,
                None => path = part,
                Some((key, _)) => {
                    return Err(format!(
                        "`{key}` is not known here; write filename=PATH, name=NAME or default"
                    ));
                }
            }
        }
        if path.is_empty() {
            return Err("the file has no name; write file=PATH".to_owned());
        }
        let text = text_of(path)?;
        let mut values = HashMap::new();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let (key, value) =
                pair(line).map_err(|_| format!("line {} of {path} has no `=`", number + 1))?;
            values.insert(key, value);
        }
        Ok(Source::Held(values))
    }
}

/// The text of a file that belongs to a source.
pub(super) fn text_of(path: &str) -> Result<String, String> {
    let failed = |e: std::io::Error| format!("cannot read {path}: {e}");
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > FILE_AT_MOST {
        return Err(format!("{path} is larger than {FILE_AT_MOST} bytes"));
    }
    std::fs::read_to_string(path).map_err(failed)
}

fn pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or("a secret has no `=`; write KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}
