//! The planned starts of the open model, whatever law they follow.
//!
//! Owns the one type that the engine iterates over. A further law is one more [`Pacing`].

use super::{ConstantStarts, RampingStarts};
use crate::duration::Nanos;

/// One planned start of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// When, in nanoseconds since the start of the scenario.
    pub offset_ns: Nanos,
    /// Number of the iteration in the whole test, from 0.
    pub index: u64,
}

/// The law that planned starts follow.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Pacing {
    /// Evenly spaced at one rate.
    Constant(ConstantStarts),
    /// Along a piecewise linear rate.
    Ramping(RampingStarts),
}

/// The planned starts of a share, by rising offset. Each step costs the same, however large the
/// plan and however small the share.
#[derive(Clone, Debug)]
pub struct Starts(Pacing);

impl Starts {
    /// The law they follow.
    pub fn pacing(&self) -> &Pacing {
        &self.0
    }

    /// How many starts the share has from beginning to end.
    pub fn total(&self) -> u64 {
        match &self.0 {
            Pacing::Constant(starts) => starts.total(),
            Pacing::Ramping(starts) => starts.total(),
        }
    }
}

impl From<Pacing> for Starts {
    fn from(pacing: Pacing) -> Self {
        Self(pacing)
    }
}

impl Iterator for Starts {
    type Item = Start;

    fn next(&mut self) -> Option<Start> {
        match &mut self.0 {
            Pacing::Constant(starts) => starts.next(),
            Pacing::Ramping(starts) => starts.next(),
        }
    }
}
