//! `Math.random` of one VU: a small fast generator, seeded differently in every VU, reseeded by `randomSeed`.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hasher, RandomState};

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

/// One VU's generator.
pub(crate) struct Random(RefCell<SmallRng>);

impl Random {
    /// A generator that differs from run to run and from VU to VU.
    pub(crate) fn of_vu(id: u64) -> Self {
        // The only source of randomness in the standard library: the keys of its hash maps.
        let seed = RandomState::new().build_hasher().finish();
        Self(RefCell::new(SmallRng::seed_from_u64(seed ^ id)))
    }

    /// Starts the sequence that belongs to `seed`.
    pub(crate) fn reseed(&self, seed: u64) {
        *self.0.borrow_mut() = SmallRng::seed_from_u64(seed);
    }

    /// The next number, from 0 up to but not including 1.
    pub(crate) fn next(&self) -> f64 {
        self.0.borrow_mut().random()
    }
}
