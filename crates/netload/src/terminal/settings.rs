//! What the terminal options come to.

use std::io::IsTerminal;
use std::sync::Arc;

use netload_engine::Level;
use netload_output::Palette;
use netload_script::Secrets;

use super::line::Form;
use super::screen::{Output, ScreenConfig};
use super::{colorless, line};
use crate::failure::Failure;
use crate::typed::Typed;

/// Columns when the terminal does not say how many it has.
const COLUMNS: usize = 80;

/// What is shown, and how.
#[derive(Clone, Debug)]
pub(crate) struct TerminalSettings {
    /// No progress.
    pub(crate) quiet: bool,
    /// Whether the progress is a live view rather than lines.
    pub(crate) live: bool,
    /// The colours of standard output.
    pub(crate) stdout: Palette,
    /// The colours of standard error.
    pub(crate) stderr: Palette,
    /// The log.
    pub(crate) screen: ScreenConfig,
}

impl TerminalSettings {
    /// Nothing is shown: somebody else does.
    pub(crate) fn silent() -> Self {
        Self {
            quiet: true,
            live: false,
            stdout: Palette::Plain,
            stderr: Palette::Plain,
            screen: ScreenConfig {
                output: Output::Nowhere,
                form: Form::Text,
                level: Level::Info,
                console: None,
                secrets: Arc::default(),
            },
        }
    }

    /// Decides from options, environment and what standard output and error are.
    pub(crate) fn resolve(typed: &Typed) -> Result<Self, Failure> {
        let plain = typed.switch("noColor")? || colorless();
        let palette = |terminal: bool| {
            if terminal && !plain {
                Palette::Ansi
            } else {
                Palette::Plain
            }
        };
        let (stdout, stderr) = (
            std::io::stdout().is_terminal(),
            std::io::stderr().is_terminal(),
        );
        let verbose = typed.switch("verbose")?;
        let default = if verbose { Level::Debug } else { Level::Info };
        let (output, level) = typed
            .read("logOutput", |text| output(text, default))?
            .unwrap_or((Output::Stderr, default));
        let form = typed.read("logFormat", form)?.unwrap_or(Form::Text);
        let on_terminal = match output {
            Output::Stderr => stderr,
            Output::Stdout => stdout,
            Output::Nowhere | Output::File(_) => false,
        };
        let form = if form == Form::Text && palette(on_terminal) == Palette::Ansi {
            Form::Colored
        } else {
            form
        };
        Ok(Self {
            quiet: typed.switch("quiet")? || typed.switch("silent")?,
            live: stderr && std::env::var_os("TERM").is_none_or(|t| t != "dumb"),
            stdout: palette(stdout),
            stderr: palette(stderr),
            screen: ScreenConfig {
                output,
                form,
                level,
                console: None,
                secrets: Arc::default(),
            },
        })
    }

    /// The same with a log that does not show these.
    pub(crate) fn hiding(mut self, secrets: &Arc<Secrets>) -> Self {
        self.screen.secrets = secrets.clone();
        self
    }
}

/// Columns and rows of the terminal; 80 by 24 when there is none.
pub(crate) fn size() -> (usize, usize) {
    match crossterm::terminal::size() {
        Ok((columns, rows)) if columns > 0 && rows > 0 => (columns.into(), rows.into()),
        _ => (COLUMNS, 24),
    }
}

fn form(text: &str) -> Result<Form, String> {
    match text {
        "text" | "" => Ok(Form::Text),
        "json" => Ok(Form::Json),
        "raw" => Ok(Form::Raw),
        _ => Err(format!(
            "`{text}` is not a form of log lines; there are text, json and raw"
        )),
    }
}

/// `stderr`, `stdout`, `none` or `file=PATH[,level=LEVEL]`.
fn output(text: &str, default: Level) -> Result<(Output, Level), String> {
    let (name, rest) = text.split_once('=').unwrap_or((text, ""));
    let output = match (name, rest) {
        ("stderr", "") => Output::Stderr,
        ("stdout", "") => Output::Stdout,
        ("none", "") => Output::Nowhere,
        ("file", "") => return Err("the log file has no name; write file=PATH".to_owned()),
        ("file", rest) => return file(rest, default),
        ("loki", _) => {
            return Err("this version cannot send logs to Loki; write file=PATH".to_owned());
        }
        _ => {
            return Err(format!(
                "`{text}` is no place for logs; there are stderr, stdout, none and file=PATH"
            ));
        }
    };
    Ok((output, default))
}

fn file(rest: &str, default: Level) -> Result<(Output, Level), String> {
    let mut parts = rest.split(',');
    let path = parts.next().unwrap_or_default().to_owned();
    let mut least = default;
    for part in parts {
        least = match part.split_once('=') {
            Some(("level", name)) => {
                level(name).ok_or(format!("`{name}` is not a level of log lines"))?
            }
            _ => {
                return Err(format!(
                    "`{part}` is not known here; write file=PATH,level=LEVEL"
                ));
            }
        };
    }
    Ok((Output::File(path), least))
}

fn level(name: &str) -> Option<Level> {
    let levels = [Level::Debug, Level::Info, Level::Warning, Level::Error];
    levels
        .into_iter()
        .find(|l| line::level_name(*l) == name)
        .or((name == "warn").then_some(Level::Warning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_outputs_are_those_of_k6() {
        let file = Output::File("a.log".to_owned());
        assert_eq!(
            output("file=a.log,level=warning", Level::Info),
            Ok((file, Level::Warning))
        );
        assert_eq!(
            output("none", Level::Debug),
            Ok((Output::Nowhere, Level::Debug))
        );
        for wrong in ["file", "loki=x", "foo", "file=a,level=b", "file=a,b"] {
            assert!(output(wrong, Level::Info).is_err(), "{wrong}");
        }
    }
}
