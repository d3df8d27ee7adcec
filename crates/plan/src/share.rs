//! The share of a plan that one worker thread runs: a stripe of a segment.
//!
//! Owns the composition of the two cuts (instances by segment, workers by stripe) behind one
//! numbering. Every law takes a [`Share`] and nothing else to know what is its own. Invariant: over
//! all stripes of all segments of a sequence every number has exactly one owner.

use crate::segment::Segmentation;

/// Worker `index` of `of`: takes every `of`-th number of its instance, beginning with `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stripe {
    index: u64,
    of: u64,
}

impl Stripe {
    /// The only worker of an instance.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// A worker that takes nothing.
    const NONE: Self = Self { index: 0, of: 0 };

    /// Worker `index` (from 0) of `of` workers; `None` unless `index < of`.
    pub fn new(index: u64, of: u64) -> Option<Self> {
        (index < of).then_some(Self { index, of })
    }

    /// Which worker.
    pub fn index(self) -> u64 {
        self.index
    }

    /// Of how many.
    pub fn of(self) -> u64 {
        self.of
    }
}

/// Which numbers (VUs, iterations) of the whole test are one worker's own. Counts from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    segmentation: Segmentation,
    stripe: Stripe,
}

impl Share {
    /// Everything: one instance, one worker.
    pub fn whole() -> Self {
        Self::of_instance(Segmentation::whole())
    }

    /// All of one instance's part.
    pub fn of_instance(segmentation: Segmentation) -> Self {
        Self::new(segmentation, Stripe::WHOLE)
    }

    /// One worker's part of one instance's part.
    pub fn new(segmentation: Segmentation, stripe: Stripe) -> Self {
        Self {
            segmentation,
            stripe,
        }
    }

    /// The cut among instances.
    pub fn segmentation(&self) -> &Segmentation {
        &self.segmentation
    }

    /// The cut among workers.
    pub fn stripe(&self) -> Stripe {
        self.stripe
    }

    /// The cut for work that `n` VUs do: instances get the part of it that they have of the VUs
    /// ([`Segmentation::rescaled`]), and workers without a VU get none of it.
    pub fn rescaled(&self, n: u64) -> Self {
        let Stripe { index, of } = self.stripe;
        let vus = self.segmentation.scale(n);
        let stripe = Stripe::new(index, of.min(vus)).unwrap_or(Stripe::NONE);
        Self::new(self.segmentation.rescaled(n), stripe)
    }

    /// How many of the first `n` numbers are ours.
    pub fn count(&self, n: u64) -> u64 {
        let of_instance = self.segmentation.scale(n);
        let Stripe { index, of } = self.stripe;
        match of {
            0 => 0,
            of => of_instance.saturating_sub(index).div_ceil(of),
        }
    }

    /// Our number `k` (from 0) in the numbering of the whole test; `None` when there is none.
    pub fn nth(&self, k: u64) -> Option<u64> {
        let Stripe { index, of } = self.stripe;
        if of == 0 {
            return None;
        }
        let local = k.checked_mul(of)?.checked_add(index)?;
        self.segmentation.global_index(local)
    }

    /// Whether the number `global` is ours.
    pub fn owns(&self, global: u64) -> bool {
        let Stripe { index, of } = self.stripe;
        of != 0 && self.segmentation.owns(global) && self.segmentation.scale(global) % of == index
    }
}

impl Default for Share {
    fn default() -> Self {
        Self::whole()
    }
}
