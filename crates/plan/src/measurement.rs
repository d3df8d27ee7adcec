//! Which times a run measures: decided before it starts, the same for all its exchanges.

use netload_metrics::{Basis, Compat};

/// Which times are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measurement {
    /// Whose time is in the durations.
    pub basis: Basis,
    /// Another tool whose number is wanted beside ours.
    pub compat: Option<Compat>,
}
