//! From an exception to the text a user reads: the message, the JS stack with file:line:column, the line itself.

use std::fmt::Write;
use std::path::Path;

use netload_engine::program::ProgramError;
use rquickjs::{Ctx, Error, Exception, Object, Value};

use crate::context::VuContext;
use crate::loader::library::Format;
use crate::loader::{commonjs, names};

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
        if value.is_null() && vu.heap_was_full(value.ctx()) {
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
    if let Some(name) = not_there(&text) {
        let _ = write!(
            text,
            "; '{name}' belongs to CommonJS, and this file has import or export statements: use one or the other"
        );
    }
    let mut place = None;
    for line in stack.lines() {
        let frame = line.trim();
        if frame.contains("(native)") || frame.is_empty() {
            continue;
        }
        let Some((before, compiled, after)) = Place::of_frame(frame) else {
            let _ = write!(text, "\n\t{frame}");
            continue;
        };
        let written = compiled.written(vu);
        let (file, line, column) = (&written.file, written.line, written.column);
        let _ = write!(text, "\n\t{before}{file}:{line}:{column}{after}");
        place = place.or(Some(written));
    }
    if place.is_none()
        && let Some(importing) = Place::of_missing_export(vu, &text)
    {
        let (file, line, column) = (&importing.file, importing.line, importing.column);
        let _ = write!(text, "\n\tat {file}:{line}:{column}");
        place = Some(importing);
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

/// The name of CommonJS that an ES module wants to use.
fn not_there(headline: &str) -> Option<&'static str> {
    let (name, rest) = headline.strip_prefix("ReferenceError: ")?.split_once(' ')?;
    let names = ["module", "exports"];
    let known = names.into_iter().find(|known| *known == name);
    known.filter(|_| rest == "is not defined")
}

/// A place in a source file, lines and columns from 1.
struct Place {
    file: String,
    line: usize,
    column: usize,
    /// The file's text, where the source map brought it.
    text: Option<String>,
}

impl Place {
    /// The place in `at name (file:line:column)` or `at file:line:column`, with what stands around it.
    fn of_frame(frame: &str) -> Option<(&str, Self, &str)> {
        let rest = frame.strip_prefix("at ")?;
        let (start, end) = match (rest.rfind('('), rest.ends_with(')')) {
            (Some(open), true) => (open + 1, rest.len() - 1),
            _ => (0, rest.len()),
        };
        let (file, column) = rest[start..end].rsplit_once(':')?;
        let (file, line) = file.rsplit_once(':')?;
        let place = Self {
            file: file.to_owned(),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
            text: None,
        };
        let start = start + frame.len() - rest.len();
        Some((&frame[..start], place, &rest[end..]))
    }

    /// Where the export is imported that a module turned out not to have.
    fn of_missing_export(vu: &VuContext, headline: &str) -> Option<Self> {
        let (_, rest) = headline.split_once("Could not find export '")?;
        let (export, module) = rest.split_once("' in module '")?;
        let (file, specifier) = vu
            .shared
            .library
            .importing(module.split('\'').next()?, export)?;
        let (line, column) = vu.shared.library.mention(&file, &specifier)?;
        let compiled = Self {
            file,
            line,
            column,
            text: None,
        };
        Some(compiled.written(vu))
    }

    /// The place in what the user wrote, for one in what was compiled.
    fn written(mut self, vu: &VuContext) -> Self {
        let library = &vu.shared.library;
        let wrapped = matches!(library.bytecode(&self.file), Some((Format::CommonJs, _)))
            || library
                .text(&self.file)
                .is_some_and(|t| t.format == Format::CommonJs);
        if wrapped && self.line == 1 && self.column > commonjs::FIRST_LINE_SHIFT {
            self.column -= commonjs::FIRST_LINE_SHIFT;
        }
        let translated = library.text(&self.file).is_some_and(|t| t.is_translated());
        let mapped = library.with_map(&self.file, |map| {
            let original = map.original(self.line, self.column)?;
            let file = match (translated, names::path(&self.file)) {
                (true, _) => self.file.clone(),
                (false, Some(path)) => source_name(&path, original.file),
                (false, None) => original.file.to_owned(),
            };
            Some(Self {
                file,
                line: original.line,
                column: original.column,
                text: original.text.map(str::to_owned),
            })
        });
        mapped.flatten().unwrap_or(self)
    }

    /// The line with its number, and a mark under the column.
    fn shown(&self, vu: &VuContext) -> Option<String> {
        let read = vu.shared.library.text(&self.file);
        let read = read.as_ref().map(|text| &*text.original);
        let text = read.or(self.text.as_deref())?;
        marked_line(text, self.line, self.column)
    }
}

/// The name of a file as a source map beside `path` has it.
fn source_name(path: &Path, source: &str) -> String {
    if source.contains("://") {
        return source.to_owned();
    }
    names::of_path(&names::absolute(path, source))
}

/// A line of a text with its number, and a mark under the column; both from 1.
pub(crate) fn marked_line(text: &str, line: usize, column: usize) -> Option<String> {
    let shown_line = text.lines().nth(line.checked_sub(1)?)?;
    let column = column.saturating_sub(1);
    let start = column.saturating_sub(LINE_SHOWN / 2);
    let shown: String = shown_line.chars().skip(start).take(LINE_SHOWN).collect();
    let number = format!("{line} | ");
    let blanks: String = shown
        .chars()
        .take(column - start)
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let margin = " ".repeat(number.len());
    Some(format!("\n  {number}{shown}\n  {margin}{blanks}^"))
}
