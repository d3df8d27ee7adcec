//! What a test with a script was asked for: the layers of options around the script's own, and everything that is not
//! an option of the plan.
//!
//! Here is the one place that knows the precedence: default, configuration file, script, environment, command line.

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use netload_output::{Mode, TrendStat};
use netload_plan::duration;
use netload_plan::options::Choice;
use netload_plan::{Layered, Options, Origin, Plan, Problem, Warning};
use netload_script::{Archive, MEMORY_LIMIT_BYTES, Remote, Secrets, Source, is_archive};
use serde_json::Value as Json;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::format;
use crate::options::Value;
use crate::scenario_choice;
use crate::typed::{Source as Typing, Typed};

/// Largest archive, and largest script read from standard input, in bytes.
const TEST_AT_MOST: u64 = 1 << 30;
/// Archives are told by this many bytes at their start.
const ARCHIVE_TOLD_BY: u64 = 512;

/// Everything but the script's own options.
#[derive(Debug)]
pub(crate) struct Settings {
    /// Where the script comes from.
    pub(crate) source: Source,
    /// The script's name, for the reader.
    pub(crate) title: String,
    /// The command that runs it.
    pub(crate) command: &'static str,
    /// What `-e` sets in `__ENV`.
    pub(crate) env: Vec<(String, String)>,
    /// Whether `__ENV` also holds the environment.
    pub(crate) system_env: bool,
    /// Whether the name `global` is there.
    pub(crate) global_alias: bool,
    /// What the JavaScript of a VU may use, in bytes.
    pub(crate) vu_memory_bytes: u64,
    /// Whether and how remote modules are had.
    pub(crate) remote: Remote,
    /// Where scripts get secrets from.
    pub(crate) secrets: Arc<Secrets>,
    /// Whether thresholds are judged.
    pub(crate) judged: bool,
    /// How much the summary tells.
    pub(crate) mode: Mode,
    /// Where the summary is written to as JSON.
    pub(crate) summary_export: Option<PathBuf>,
    /// Whether k6's newer layout is used for the summary as JSON.
    pub(crate) newer_summary: bool,
    /// Whether standard output gets a document instead of a text.
    pub(crate) as_json: bool,
    /// Where the REST API listens, when the user says so.
    pub(crate) address: Option<String>,
    choice: Choice,
    file: Options,
    environment: Options,
    command_line: Options,
    /// What a page of the web UI asked for: above everything.
    pub(crate) on_top: Options,
    warnings: Vec<Warning>,
    config: Option<PathBuf>,
}

/// The layers put together.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// The merged options with their origins.
    pub(crate) layered: Layered,
    /// The plan.
    pub(crate) plan: Plan,
    /// Everything worth a warning.
    pub(crate) warnings: Vec<Warning>,
}

impl Settings {
    /// Reads everything that was typed, and the configuration file. `script`: a script with its name, else the one that
    /// was typed. `system_env`: whether `__ENV` holds the environment when nobody says.
    pub(crate) fn resolve(
        typed: &Typed,
        script: Option<(Source, String)>,
        system_env: bool,
    ) -> Result<Self, Failure> {
        let kind = typed.read("type", kind)?.flatten();
        let named = || source(typed.operands.first().map_or("", String::as_str), kind);
        let (source, title) = script.map_or_else(named, Ok)?;
        let (packed_env, packed_alias) = match &source {
            Source::Archive(archive) => (archive.env.clone(), archive.global_alias),
            _ => (Vec::new(), true),
        };
        let mut warnings: Vec<_> = traces(typed)?.into_iter().collect();
        let config = config_path(typed);
        let named = typed.given("config").is_some();
        // All three are read before any is refused: whoever mends one wants to hear of the others.
        let mut refused = None;
        let mut take = |read: Result<Options, Failure>| {
            read.unwrap_or_else(|failure| {
                add(&mut refused, failure);
                Options::default()
            })
        };
        let command_line = take(layer(typed, Typing::Flag, &mut warnings));
        let environment = take(layer(typed, Typing::Variable, &mut warnings));
        let file = take(config_file(config.as_deref(), named, &mut warnings));
        if let Some(failure) = refused {
            return Err(failure);
        }
        Ok(Self {
            source,
            title,
            command: "run",
            // What is typed here wins over what was typed when an archive was packed.
            env: [packed_env, script_env(typed)?].concat(),
            system_env: typed.stated("includeSystemEnvVars")?.unwrap_or(system_env),
            global_alias: typed
                .read("compatibilityMode", global_alias)?
                .unwrap_or(packed_alias),
            remote: remote(typed)?,
            secrets: Arc::new(secrets(typed)?),
            vu_memory_bytes: typed.read("vuMemory", bytes)?.unwrap_or(MEMORY_LIMIT_BYTES),
            judged: !typed.switch("noThresholds")?,
            mode: mode(typed)?,
            summary_export: typed.text("summaryExport").map(PathBuf::from),
            newer_summary: typed.switch("newMachineReadableSummary")?,
            as_json: format::is_json(typed)?,
            address: typed.text("address").map(str::to_owned),
            choice: scenario_choice::read(typed)?,
            file,
            environment,
            command_line,
            on_top: Options::default(),
            warnings,
            config,
        })
    }

    /// Puts the script's options between the layers and makes the plan.
    pub(crate) fn plan(&self, script: &Json) -> Result<Resolved, Failure> {
        let mut warnings = self.warnings.clone();
        let of_script = |problems| Failure::configuration(Some(&self.title), problems);
        let (mut script, of_options) = Options::from_json(script).map_err(of_script)?;
        warnings.extend(of_options);
        if script.features.take().is_some() {
            let warning = Warning::new(
                "options.features",
                "feature flags cannot be set in a script",
            );
            warnings.push(warning.hint("use --features, K6_FEATURES or the config file"));
        }
        let mut layered = Layered::new()
            .with(Origin::ConfigFile, self.file.clone())
            .with(Origin::Script, script)
            .with(Origin::Environment, self.environment.clone())
            .with(Origin::CommandLine, self.command_line.clone())
            .with(Origin::CommandLine, self.on_top.clone());
        layered
            .choose(&self.choice)
            .map_err(|problems| Failure::configuration(Some("command line"), problems))?;
        let plan = Plan::resolve(&layered).map_err(|problems| self.refused(&layered, problems))?;
        warnings.extend(plan.warnings.iter().cloned());
        Ok(Resolved {
            layered,
            plan,
            warnings,
        })
    }

    /// The text of the script, for its record; none for archives and what cannot be read any more.
    pub(crate) fn script(&self) -> Option<String> {
        match &self.source {
            Source::File(path) => std::fs::read_to_string(path).ok(),
            Source::Text { text, .. } => Some(text.clone()),
            Source::Archive(_) => None,
        }
    }

    /// The options that can be had without the script: what a script cannot set.
    pub(crate) fn outside_script(&self) -> Options {
        let layered = Layered::new()
            .with(Origin::ConfigFile, self.file.clone())
            .with(Origin::Environment, self.environment.clone())
            .with(Origin::CommandLine, self.command_line.clone());
        layered.options().clone()
    }

    /// Problems of the merged options, each with the place its value came from.
    fn refused(&self, layered: &Layered, problems: Vec<Problem>) -> Failure {
        let mut failure = Failure::configuration(None, problems);
        for finding in &mut failure.findings {
            let Some(path) = finding.place.take() else {
                continue;
            };
            let root = path
                .trim_start_matches("options.")
                .split(['.', '['])
                .next()
                .unwrap_or_default();
            finding.place = Some(match layered.origin(root) {
                Origin::Script => format!("{}: {path}", self.title),
                Origin::ConfigFile => match &self.config {
                    Some(file) => format!("{}: {path}", file.display()),
                    None => path,
                },
                Origin::Environment | Origin::CommandLine => {
                    format!("{}: {path}", layered.origin(root).name())
                }
                Origin::Default => path,
            });
        }
        failure
    }
}

/// Where k6 would send traces: said to be without effect, because only its browser module writes any.
fn traces(typed: &Typed) -> Result<Option<Warning>, Failure> {
    let kind = |text: &str| match text.split('=').next() {
        Some("" | "none") => Ok(None),
        Some("otel") => Ok(Some(Warning::new(
            "--traces-output",
            "no traces are written: in k6, too, only those of its browser module are",
        ))),
        _ => Err(format!(
            "`{text}` is no output for traces; there are none and otel"
        )),
    };
    Ok(typed.read("tracesOutput", kind)?.flatten())
}

/// The kinds of test files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// JavaScript or TypeScript.
    Script,
    /// A tar file.
    Archive,
}

fn kind(text: &str) -> Result<Option<Kind>, String> {
    match text {
        "" => Ok(None),
        "js" => Ok(Some(Kind::Script)),
        "archive" => Ok(Some(Kind::Archive)),
        _ => Err(format!(
            "`{text}` is not a kind of test; there are js and archive"
        )),
    }
}

fn remote(typed: &Typed) -> Result<Remote, Failure> {
    let cache = match typed.text("moduleCache") {
        Some("") => None,
        Some(folder) => Some(PathBuf::from(folder)),
        None => user_folder(typed, "XDG_CACHE_HOME", ".cache")
            .map(|folder| folder.join("netload").join("modules")),
    };
    Ok(Remote {
        refused: typed.switch("noRemoteModules")?,
        cache,
    })
}

fn secrets(typed: &Typed) -> Result<Secrets, Failure> {
    let Some(given) = typed.given("secretSource") else {
        return Ok(Secrets::default());
    };
    Secrets::read(&given.texts, &typed.environment).map_err(|problems| {
        let mut failures = problems.into_iter().map(|problem| given.failure(problem));
        let mut refused = failures.next();
        failures.for_each(|failure| add(&mut refused, failure));
        refused.unwrap_or_else(|| given.failure("no source of secrets"))
    })
}

fn source(operand: &str, kind: Option<Kind>) -> Result<(Source, String), Failure> {
    if operand != "-" {
        return file_source(operand, kind);
    }
    let failed = |e: std::io::Error| {
        Failure::usage(format!("cannot read the script from standard input: {e}"))
    };
    let bytes = read_at_most(std::io::stdin(), "-").map_err(failed)??;
    if kind != Some(Kind::Script) && (is_archive(&bytes) || kind.is_some()) {
        return Ok((Source::Archive(unpacked("-", &bytes)?), "-".to_owned()));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::usage("the script from standard input is not UTF-8 text"))?;
    let folder = std::env::current_dir().map_err(failed)?;
    Ok((Source::Text { text, folder }, "-".to_owned()))
}

/// All that can be read, unless it is too much for a test.
fn read_at_most(from: impl Read, name: &str) -> std::io::Result<Result<Vec<u8>, Failure>> {
    let mut bytes = Vec::new();
    from.take(TEST_AT_MOST + 1).read_to_end(&mut bytes)?;
    Ok(if bytes.len() as u64 > TEST_AT_MOST {
        Err(Failure::usage(format!(
            "the test `{name}` is larger than {TEST_AT_MOST} bytes"
        )))
    } else {
        Ok(bytes)
    })
}

fn file_source(name: &str, kind: Option<Kind>) -> Result<(Source, String), Failure> {
    let path = PathBuf::from(name);
    match std::fs::metadata(&path) {
        Ok(found) if found.is_dir() => {
            return Err(
                Failure::usage(format!("`{name}` is a folder, not a script"))
                    .hint("name a file in it"),
            );
        }
        Err(e) if e.kind() == ErrorKind::NotFound => {
            return Err(
                Failure::usage(format!("there is no file `{name}`")).hint(format!(
                    "`netload new {name}` writes a script to start from"
                )),
            );
        }
        Ok(_) | Err(_) => {}
    }
    let failed = |e: std::io::Error| Failure::usage(format!("cannot read `{name}`: {e}"));
    let mut file = std::fs::File::open(&path).map_err(failed)?;
    let mut start = Vec::new();
    Read::by_ref(&mut file)
        .take(ARCHIVE_TOLD_BY)
        .read_to_end(&mut start)
        .map_err(failed)?;
    let by_name = path.extension().is_some_and(|ending| ending == "tar");
    let packed = kind.map_or(is_archive(&start) || by_name, |kind| kind == Kind::Archive);
    if !packed {
        return Ok((Source::File(path), name.to_owned()));
    }
    let rest = read_at_most(file, name).map_err(failed)??;
    let archive = unpacked(name, &[start, rest].concat())?;
    Ok((Source::Archive(archive), name.to_owned()))
}

fn unpacked(name: &str, bytes: &[u8]) -> Result<Archive, Failure> {
    Archive::read(bytes).map_err(|reason| {
        Failure::usage(format!("`{name}` is not an archive of a test: {reason}"))
            .hint("`netload archive` and `k6 archive` make one")
    })
}

/// `-e NAME=VALUE`; without `=` the value is empty, as with k6.
fn script_env(typed: &Typed) -> Result<Vec<(String, String)>, Failure> {
    let pair = |text: &String| {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        match is_variable(name) {
            true => Ok((name.to_owned(), value.to_owned())),
            false => Err(Failure::usage(format!("`{name}` is no name of a variable"))
                .at("--env")
                .hint(
                    "write NAME=VALUE; a name has letters, digits and _, and starts with no digit",
                )),
        }
    };
    typed.texts("env").iter().map(pair).collect()
}

fn is_variable(name: &str) -> bool {
    let starts = !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty();
    starts && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn layer(typed: &Typed, from: Typing, warnings: &mut Vec<Warning>) -> Result<Options, Failure> {
    let mut options = Options::default();
    let mut refused: Option<Failure> = None;
    for given in typed.of_plan(from) {
        for text in &given.texts {
            if let (Typing::Flag, Value::One("DURATION")) = (from, given.option.value) {
                // k6 wants a unit here; a bare number, elsewhere milliseconds, would surprise on a command line.
                if let Err(e) = duration::parse_go(text) {
                    add(&mut refused, given.failure(e.to_string()).hint(e.hint()));
                    continue;
                }
            }
            match options.set_text(given.option.key, text) {
                Ok(found) => warnings.extend(found),
                Err(Problem { message, hint, .. }) => {
                    let failure = given.failure(message);
                    let failure = match hint {
                        Some(hint) => failure.hint(hint),
                        None => failure,
                    };
                    add(&mut refused, failure);
                }
            }
        }
    }
    match refused {
        Some(failure) => Err(failure),
        None => Ok(options),
    }
}

/// Puts a failure to those before it, so that all are told at once; the first decides the exit code.
fn add(refused: &mut Option<Failure>, failure: Failure) {
    match refused {
        Some(all) => all.findings.extend(failure.findings),
        None => *refused = Some(failure),
    }
}

/// The configuration file's path: the one given, else the user's own.
fn config_path(typed: &Typed) -> Option<PathBuf> {
    if let Some(path) = typed.text("config") {
        return Some(PathBuf::from(path));
    }
    let folder = user_folder(typed, "XDG_CONFIG_HOME", ".config")?;
    Some(folder.join("netload").join("config.json"))
}

/// A folder of the user: the one a variable names, else one in the home folder.
fn user_folder(typed: &Typed, named: &str, at_home: &str) -> Option<PathBuf> {
    let variable = |name: &str| typed.environment.get(name).filter(|v| !v.is_empty());
    match variable(named) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => Some(Path::new(variable("HOME")?).join(at_home)),
    }
}

/// The options of the file. It may be missing unless the user named it.
fn config_file(
    path: Option<&Path>,
    named: bool,
    warnings: &mut Vec<Warning>,
) -> Result<Options, Failure> {
    let Some(path) = path else {
        return Ok(Options::default());
    };
    let place = path.display().to_string();
    let wrong = |message: String| Failure::new(Exit::BadConfiguration, message).at(place.clone());
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(e) if e.kind() == ErrorKind::NotFound && !named => return Ok(Options::default()),
        Err(e) => return Err(wrong(format!("cannot read the configuration file: {e}"))),
    };
    let value: Json = serde_json::from_str(&text)
        .map_err(|e| wrong(format!("the configuration file is not JSON: {e}")))?;
    let (options, found) = Options::from_config(&value)
        .map_err(|problems| Failure::configuration(Some(&place), problems))?;
    warnings.extend(found);
    Ok(options)
}

fn mode(typed: &Typed) -> Result<Mode, Failure> {
    if typed.switch("noSummary")? {
        return Ok(Mode::Disabled);
    }
    let read = |text: &str| match text {
        // k6 1.x had it; what it looked like is what compact looks like.
        "legacy" => Ok(Mode::Compact),
        text => Mode::parse(text).map_err(|e| e.to_string()),
    };
    Ok(typed.read("summaryMode", read)?.unwrap_or_default())
}

fn global_alias(text: &str) -> Result<bool, String> {
    match text {
        "extended" | "experimental_enhanced" => Ok(true),
        "base" => Ok(false),
        _ => Err(format!(
            "`{text}` is not a compatibility mode; there are extended and base"
        )),
    }
}

/// A number of bytes, with `k`, `M` or `G` for powers of 1024.
fn bytes(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.chars().last() {
        Some('k' | 'K') => (&text[..text.len() - 1], 10),
        Some('m' | 'M') => (&text[..text.len() - 1], 20),
        Some('g' | 'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number = digits
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(1 << shift));
    number
        .filter(|n| *n > 0)
        .ok_or_else(|| format!("`{text}` is not a number of bytes; write it like 64M"))
}

/// The plan's columns of trends, in the form of the summary.
pub(crate) fn trend_stats(plan: &Plan) -> Vec<TrendStat> {
    let names: Vec<&str> = plan.summary_trend_stats.iter().map(|s| s.name()).collect();
    // Both read the same names; one that only the plan knows would be left out.
    names
        .iter()
        .filter_map(|name| TrendStat::parse(name).ok())
        .collect()
}
