//! How the planned starts of the open model are spread, and what becomes of one that finds nothing free.
//!
//! Owns the positions of starts on the axis of work: the n-th start of an even plan stands at n, that of a Poisson plan
//! at the n-th sum of exponential gaps of mean 1. The laws turn positions into time. Invariant: positions rise, depend on
//! nothing but the seed, and belong to a start's number in the whole test, so that every cut sees the same ones.

/// Bits behind the point of a position: its resolution is a four-billionth of the mean gap.
pub(super) const POSITION_BITS: u32 = 32;

/// The seed of Poisson arrivals unless said otherwise. Fixed, so that a test repeats exactly.
pub const DEFAULT_SEED: u64 = 1;

/// How planned starts are spread over time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrival {
    /// At even distances, as k6 does.
    #[default]
    Constant,
    /// As independent users arrive: exponential gaps with the same mean rate.
    Poisson {
        /// Decides all gaps; the same seed gives the same starts.
        seed: u64,
    },
}

impl Arrival {
    /// The names in scripts and options.
    pub const NAMES: [&str; 2] = ["constant", "poisson"];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Poisson { .. } => "poisson",
        }
    }

    /// The arrival with this name; `seed` only matters for Poisson.
    pub fn named(name: &str, seed: Option<u64>) -> Option<Self> {
        match name {
            "constant" => Some(Self::Constant),
            "poisson" => Some(Self::Poisson {
                seed: seed.unwrap_or(DEFAULT_SEED),
            }),
            _ => None,
        }
    }

    /// What a description says beside the rate; nothing for even starts.
    pub(super) fn fact(self) -> Option<String> {
        match self {
            Self::Constant => None,
            Self::Poisson { seed } => Some(format!("arrivals: poisson, seed {seed}")),
        }
    }

    pub(super) fn positions(self) -> Positions {
        match self {
            Self::Constant => Positions::Even,
            Self::Poisson { seed } => Positions::Poisson(Gaps {
                state: seed,
                next: 0,
                sum: 0,
            }),
        }
    }
}

/// What becomes of a planned start that finds nothing free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Surplus {
    /// It is dropped and counted, as k6 does.
    #[default]
    Drop,
    /// It waits for its turn.
    Queue,
}

/// Where starts stand; asked with rising numbers only.
#[derive(Clone, Debug)]
pub(super) enum Positions {
    Even,
    Poisson(Gaps),
}

impl Positions {
    /// The position of start `index` (from 0) in units of 2^-[`POSITION_BITS`]: `even` for an even plan.
    pub(super) fn of(&mut self, index: u64, even: u64) -> u128 {
        match self {
            Self::Even => u128::from(even) << POSITION_BITS,
            Self::Poisson(gaps) => gaps.sum_to(index),
        }
    }
}

/// Exponential gaps of mean 1, one for each start of the whole test.
#[derive(Clone, Debug)]
pub(super) struct Gaps {
    state: u64,
    /// The number of the next start that has no gap yet.
    next: u64,
    sum: u128,
}

impl Gaps {
    fn sum_to(&mut self, index: u64) -> u128 {
        while self.next <= index {
            self.next += 1;
            self.sum += self.gap();
        }
        self.sum
    }

    fn gap(&mut self) -> u128 {
        // From (0, 1], so that the logarithm is finite.
        let uniform = ((self.random() >> 11) + 1) as f64 / (1u64 << 53) as f64;
        (-uniform.ln() * (1u64 << POSITION_BITS) as f64).round() as u128
    }

    /// SplitMix64 (Steele, Lea, Flood 2014): spelled out, because the starts of a seed must never change with a library.
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_seeds() {
        for name in Arrival::NAMES {
            assert_eq!(Arrival::named(name, None).unwrap().name(), name);
        }
        assert_eq!(
            Arrival::named("poisson", Some(7)),
            Some(Arrival::Poisson { seed: 7 })
        );
        assert_eq!(Arrival::named("bursty", None), None);
    }

    #[test]
    fn the_generator_is_the_published_one() {
        let mut gaps = Gaps {
            state: 1_234_567,
            next: 0,
            sum: 0,
        };
        assert_eq!(gaps.random(), 6_457_827_717_110_365_317);
        assert_eq!(gaps.random(), 3_203_168_211_198_807_973);
    }
}
