//! What can go wrong with stored runs, as sentences.

use std::path::PathBuf;

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The folder cannot be made.
    #[error("cannot make the folder `{path}`: {reason}", path = path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The file cannot be opened.
    #[error("cannot open the store of runs `{path}`: {reason}", path = path.display())]
    Open {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// There is no file.
    #[error("there is no store of runs at `{}`", .0.display())]
    Missing(PathBuf),
    /// The file is of a newer version.
    #[error("the store of runs `{path}` was written by a newer version of netload", path = path.display())]
    Newer {
        /// Which.
        path: PathBuf,
    },
    /// Reading or writing failed.
    #[error("the store of runs failed: {0}")]
    Failed(String),
    /// What was read makes no sense.
    #[error("the stored run {run} is damaged: {reason}")]
    Damaged {
        /// Which run.
        run: String,
        /// What is wrong.
        reason: String,
    },
    /// No run is meant.
    #[error("there is no run `{0}`")]
    NoRun(String),
    /// Several runs are meant.
    #[error("`{selector}` can mean several runs: {}", runs.join(", "))]
    Ambiguous {
        /// What was asked for.
        selector: String,
        /// Some of the runs.
        runs: Vec<String>,
    },
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(words(&error))
    }
}

/// The database's own words, without its codes.
pub(crate) fn words(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqliteFailure(_, Some(text)) => text.clone(),
        other => other.to_string(),
    }
}
