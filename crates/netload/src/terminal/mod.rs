//! Everything that is written on a terminal or read from the process's surroundings.

mod frame;
pub(crate) mod line;
pub(crate) mod screen;
pub(crate) mod settings;
pub(crate) mod stdout;
pub(crate) mod wrap;

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::sync::Arc;

use crate::failure::Failure;
use crate::typed::Typed;
use line::Form;
use screen::Screen;
use settings::TerminalSettings;

/// The environment; names and values that are no UTF-8 are left out.
pub(crate) fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Prints a failure on standard error; as a log line in JSON for programs that read those.
pub(crate) fn report(failure: &Failure, as_json: bool) {
    let text = if as_json {
        line::line(&failure.record(), Form::Json, &screen::local_time(), 0)
    } else {
        failure.text(std::io::stderr().is_terminal() && !colorless())
    };
    // When standard error is closed there is nobody to tell.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Whether log lines are wanted as JSON.
pub(crate) fn wants_json(typed: &Typed) -> bool {
    typed.text("logFormat") == Some("json")
}

/// Whether the environment asks for no colours, or the terminal has none.
pub(crate) fn colorless() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    set("NO_COLOR") || set("K6_NO_COLOR") || std::env::var_os("TERM").is_some_and(|t| t == "dumb")
}

/// The terminal of a command: what is shown, and the writer that shows it. Ends with everything written.
pub(crate) struct Terminal {
    /// What is shown, and how.
    pub(crate) settings: TerminalSettings,
    /// The writer of logs and progress.
    pub(crate) screen: Arc<Screen>,
}

impl Terminal {
    /// Starts the writer. `console`: a file of its own for what the script prints.
    pub(crate) fn start(
        mut settings: TerminalSettings,
        console: Option<String>,
    ) -> Result<Self, Failure> {
        settings.screen.console = console;
        let screen = Arc::new(Screen::start(&settings.screen)?);
        Ok(Self { settings, screen })
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.screen.end();
    }
}
