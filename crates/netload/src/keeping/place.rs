//! Which file the runs are kept in.

use std::path::PathBuf;

use netload_store::{Store, StoreError, default_path};

use crate::failure::Failure;
use crate::typed::Typed;

/// The file that was named, else that of the user; none when the environment knows no folder for it.
pub(crate) fn path(typed: &Typed) -> Option<PathBuf> {
    let named = typed.text("store").map(PathBuf::from);
    named.or_else(|| default_path(|name| typed.environment.get(name).cloned()))
}

/// Opens the store for a command that reads it.
pub(crate) fn open(typed: &Typed) -> Result<Store, Failure> {
    let hint = "`netload run` and `netload hit` keep their runs there, or in --store FILE";
    let path = path(typed).ok_or_else(|| {
        Failure::usage("no folder for runs is known: neither XDG_DATA_HOME nor HOME is set")
            .hint("name a file with --store FILE")
    })?;
    Store::open_existing(&path).map_err(|error| {
        let is_missing = matches!(error, StoreError::Missing(_));
        let failure = refused(&error);
        if is_missing {
            failure.hint(hint)
        } else {
            failure
        }
    })
}

/// What the store says, with what to do.
pub(crate) fn refused(error: &StoreError) -> Failure {
    let failure = Failure::usage(error.to_string());
    match error {
        StoreError::NoRun(_) => failure.hint("`netload history` lists the runs"),
        StoreError::Ambiguous { .. } => failure.hint("write more of the id"),
        _ => failure,
    }
}
