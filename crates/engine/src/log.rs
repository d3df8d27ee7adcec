//! Log records on their way to the terminal; the binary decides how and where they are written.

/// How important a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Only shown when asked for.
    Debug,
    /// For information.
    Info,
    /// Something is odd.
    Warning,
    /// Something failed.
    Error,
}

/// One record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// How important it is.
    pub level: Level,
    /// The text, possibly of several lines.
    pub message: String,
    /// `console` for what a script printed, `stacktrace` for its exceptions, none for our own.
    pub source: Option<&'static str>,
    /// Further facts as name and text, such as `scenario`, `executor`, `error`.
    pub fields: Vec<(&'static str, String)>,
}

impl Record {
    /// A record without source and fields.
    pub fn new(level: Level, message: impl Into<String>) -> Self {
        Self {
            level,
            message: message.into(),
            source: None,
            fields: Vec::new(),
        }
    }

    /// The same with a source.
    #[must_use]
    pub fn from_source(mut self, source: &'static str) -> Self {
        self.source = Some(source);
        self
    }

    /// The same with one more fact.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.fields.push((name, value.into()));
        self
    }
}

/// Takes records from all workers. Must not block the load: a slow terminal drops or delays lines, never requests.
pub trait Log: Send + Sync {
    /// Takes one record.
    fn log(&self, record: Record);
}
