//! `--measure` and `--compat`: which times a run measures.

use netload_metrics::{Basis, Compat};
use netload_plan::Measurement;

use crate::failure::Failure;
use crate::typed::Typed;

/// Reads which times are wanted.
pub(crate) fn measurement(typed: &Typed) -> Result<Measurement, Failure> {
    let basis =
        |text: &str| Basis::named(text).ok_or_else(|| format!("`{text}` is neither net nor gross"));
    let tool = |text: &str| {
        let known = Compat::ALL.map(Compat::name).join(", ");
        Compat::named(text).ok_or_else(|| format!("`{text}` is not one of {known}"))
    };
    Ok(Measurement {
        basis: typed.read("measure", basis)?.unwrap_or_default(),
        compat: typed.read("compat", tool)?,
    })
}
