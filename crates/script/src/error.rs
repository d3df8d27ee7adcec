//! From an exception to the text a user reads: the message, the JS stack with file:line:column, the line itself.

use std::fmt::Write;

use netload_engine::program::ProgramError;
use rquickjs::{Ctx, Error, Exception, Object, Value};

use crate::context::VuContext;

/// Characters of a source line shown at most; minified lines are long.
const LINE_SHOWN: usize = 160;

/// Why JavaScript did not run to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It was told to stop.
    Interrupted,
    /// It threw. The complete text.
    Exception {
        /// Message, stack and source line.
        text: String,
        /// Whether it is the reason of a rejected promise.
        in_promise: bool,
    },
}

impl Failure {
    /// The failure behind an error that a call into JavaScript returned.
    pub(crate) fn caught(vu: &VuContext, ctx: &Ctx<'_>, error: Error) -> Self {
        if !matches!(error, Error::Exception) {
            return Self::Exception {
                text: error.to_string(),
                in_promise: false,
            };
        }
        let value = ctx.catch();
        if vu.bridge.interrupted() && value.is_uncatchable_error() {
            return Self::Interrupted;
        }
        Self::thrown(vu, &value, false)
    }

    /// The failure of a thrown value.
    pub(crate) fn thrown(vu: &VuContext, value: &Value<'_>, in_promise: bool) -> Self {
        let mut text = if in_promise {
            "Uncaught (in promise) ".to_owned()
        } else {
            String::new()
        };
        text.push_str(&describe(vu, value));
        Self::Exception { text, in_promise }
    }
}

impl From<Failure> for ProgramError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Interrupted => Self::Interrupted,
            Failure::Exception { text, .. } => Self::Exception(text),
        }
    }
}

/// Message, stack and source line of a thrown value.
fn describe(vu: &VuContext, value: &Value<'_>) -> String {
    let exception = value.as_object().cloned().and_then(Exception::from_object);
    let Some(exception) = exception else {
        // When not even an error object fits into the memory, null is thrown.
        if value.is_null() && vu.heap_was_full() {
            let limit = vu.shared.memory_text();
            return format!("InternalError: out of memory (the script used more than {limit})");
        }
        return crate::globals::console::text(value);
    };
    let stack = exception.stack().unwrap_or_default();
    let mut text = headline(&exception.into_object());
    if vu.shared.is_out_of_memory(&text) {
        let _ = write!(
            text,
            " (the script used more than {})",
            vu.shared.memory_text()
        );
    }
    let mut place = None;
    for line in stack.lines() {
        let frame = line.trim();
        if frame.contains("(native)") || frame.is_empty() {
            continue;
        }
        place = place.or_else(|| Place::of_frame(frame));
        let _ = write!(text, "\n\t{frame}");
    }
    if let Some(shown) = place.and_then(|place| place.shown(vu)) {
        text.push('\n');
        text.push_str(&shown);
    }
    text
}

/// `TypeError: message`.
fn headline(error: &Object<'_>) -> String {
    let property = |key: &str| {
        let value = error.get::<_, Option<String>>(key);
        value.ok().flatten().unwrap_or_default()
    };
    let (name, message) = (property("name"), property("message"));
    match (name.is_empty(), message.is_empty()) {
        (true, _) => message,
        (_, true) => name,
        _ => format!("{name}: {message}"),
    }
}

/// A place in a source file, lines and columns from 1.
struct Place {
    file: String,
    line: usize,
    column: usize,
}

impl Place {
    /// The place in `at name (file:line:column)` or `at file:line:column`.
    fn of_frame(frame: &str) -> Option<Self> {
        let frame = frame.strip_prefix("at ")?;
        let place = match (frame.rfind('('), frame.ends_with(')')) {
            (Some(open), true) => &frame[open + 1..frame.len() - 1],
            _ => frame,
        };
        let (rest, column) = place.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(Self {
            file: file.to_owned(),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
        })
    }

    /// The line with its number, and a mark under the column.
    fn shown(&self, vu: &VuContext) -> Option<String> {
        let source = vu.shared.source(&self.file)?;
        let line = source.lines().nth(self.line.checked_sub(1)?)?;
        let column = self.column.saturating_sub(1);
        let start = column.saturating_sub(LINE_SHOWN / 2);
        let shown: String = line.chars().skip(start).take(LINE_SHOWN).collect();
        let number = format!("{} | ", self.line);
        let blanks: String = shown
            .chars()
            .take(column - start)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        let margin = " ".repeat(number.len());
        Some(format!("\n  {number}{shown}\n  {margin}{blanks}^"))
    }
}
