//! Why an operation was refused: one of the names that browsers use, and a sentence.

use aws_lc_rs::error::{KeyRejected, Unspecified};
use rquickjs::{Ctx, Error};

use crate::promises::throw_named;

/// A refused operation.
#[derive(Debug)]
pub(super) struct Fault {
    name: &'static str,
    text: String,
}

impl Fault {
    /// An argument that is missing or no usage of the algorithm.
    pub(super) fn syntax(text: impl Into<String>) -> Self {
        Self::new("SyntaxError", text)
    }

    /// An algorithm, size or combination that there is not.
    pub(super) fn unsupported(text: impl Into<String>) -> Self {
        Self::new("NotSupportedError", text)
    }

    /// A key that must not be used like this.
    pub(super) fn access(text: impl Into<String>) -> Self {
        Self::new("InvalidAccessError", text)
    }

    /// Data that is no key.
    pub(super) fn data(text: impl Into<String>) -> Self {
        Self::new("DataError", text)
    }

    /// An operation that failed.
    pub(super) fn operation(text: impl Into<String>) -> Self {
        Self::new("OperationError", text)
    }

    /// A value of a wrong type.
    pub(super) fn kind(text: impl Into<String>) -> Self {
        Self::new("TypeError", text)
    }

    /// More than can be asked for.
    pub(super) fn quota(text: impl Into<String>) -> Self {
        Self::new("QuotaExceededError", text)
    }

    fn new(name: &'static str, text: impl Into<String>) -> Self {
        Self {
            name,
            text: text.into(),
        }
    }

    /// Throws it as an error object with its name.
    pub(super) fn throw(self, ctx: &Ctx<'_>) -> Error {
        throw_named(ctx, self.name, &self.text)
    }
}

/// Why an operation did not come to its end.
pub(super) enum Trouble {
    /// It was refused.
    Fault(Fault),
    /// JavaScript threw.
    Thrown(Error),
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Thrown(error)
    }
}

impl From<Unspecified> for Fault {
    fn from(_: Unspecified) -> Self {
        Self::operation("the operation failed for a reason that is not told")
    }
}

impl From<KeyRejected> for Fault {
    fn from(reason: KeyRejected) -> Self {
        Self::data(format!("the key cannot be used: {reason}"))
    }
}
