//! Cutting a test among instances: segments, sequences of them, and who owns what.
//!
//! Owns exact rational segments, their text forms and the deterministic striping: the numbers
//! 0, 1, 2, ... (VUs, iterations) are dealt out in a repeating cycle. Leaves out the cut among the
//! worker threads of one instance ([`crate::share`]). Invariant: over all segments of one sequence
//! every number has exactly one owner, and in a whole cycle each segment owns exactly its share.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Longest cycle of the striping, in numbers dealt; bounds the memory of the tables.
pub const CYCLE_LIMIT: u64 = 1_000_000;

/// Most segments in a sequence.
pub const SEGMENTS_LIMIT: usize = 1_000;

/// Why a segment or a sequence cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SegmentError {
    /// The text is no fraction, percentage or decimal number.
    #[error("`{0}` is not a share of the test")]
    NotAShare(String),
    /// A point outside 0 to 1.
    #[error("`{0}` lies outside 0 to 1")]
    OutOfRange(String),
    /// A segment without content.
    #[error("the segment `{0}` must start below its end")]
    Empty(String),
    /// A sequence that is no full partition.
    #[error("the sequence `{0}` must rise from 0 to 1")]
    NotAPartition(String),
    /// Points so fine that the cycle would become too long.
    #[error("the segments are too fine: they have no common denominator up to {CYCLE_LIMIT}")]
    TooFine,
    /// Too many segments.
    #[error("a sequence has at most {SEGMENTS_LIMIT} segments")]
    TooMany,
    /// The segment is no part of the sequence.
    #[error("the segment {segment} is not in the sequence {sequence}")]
    NotInSequence {
        /// The segment.
        segment: Segment,
        /// The sequence that does not have it.
        sequence: SegmentSequence,
    },
}

impl SegmentError {
    /// What to write instead.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotInSequence { .. } => {
                "give every instance the same sequence and one of its segments"
            }
            Self::NotAPartition(_) => "write it like 0,1/4,1/2,1",
            Self::TooFine | Self::TooMany => "use fewer or rounder parts",
            _ => "write it like 1/4:1/2, 0:1/3, 25% or 0.2:0.4",
        }
    }
}

/// A point of the interval 0 to 1, as a reduced fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Point {
    numerator: u64,
    denominator: u64,
}

impl Point {
    const ZERO: Self = Self {
        numerator: 0,
        denominator: 1,
    };
    const ONE: Self = Self {
        numerator: 1,
        denominator: 1,
    };

    fn new(numerator: u64, denominator: u64) -> Self {
        let divisor = gcd(numerator, denominator);
        Self {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        }
    }

    fn less_than(self, other: Self) -> bool {
        u128::from(self.numerator) * u128::from(other.denominator)
            < u128::from(other.numerator) * u128::from(self.denominator)
    }

    /// How many slots of a cycle lie below this point; `cycle` is a multiple of the denominator.
    fn slots(self, cycle: u64) -> u64 {
        cycle / self.denominator * self.numerator
    }
}

impl FromStr for Point {
    type Err = SegmentError;

    fn from_str(text: &str) -> Result<Self, SegmentError> {
        let text = text.trim();
        let unreadable = || SegmentError::NotAShare(text.to_owned());
        if text.starts_with('-') {
            return Err(SegmentError::OutOfRange(text.to_owned()));
        }
        let (numerator, denominator) = if let Some((above, below)) = text.split_once('/') {
            (
                above.trim().parse().map_err(|_| unreadable())?,
                below.trim().parse().map_err(|_| unreadable())?,
            )
        } else {
            let (number, hundredfold) = match text.strip_suffix('%') {
                Some(number) => (number.trim(), 100),
                None => (text, 1),
            };
            let (numerator, denominator) = decimal(number).ok_or_else(unreadable)?;
            let denominator: u64 = denominator;
            (
                numerator,
                denominator
                    .checked_mul(hundredfold)
                    .ok_or_else(unreadable)?,
            )
        };
        if denominator == 0 {
            return Err(unreadable());
        }
        if numerator > denominator {
            return Err(SegmentError::OutOfRange(text.to_owned()));
        }
        Ok(Self::new(numerator, denominator))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.denominator {
            1 => write!(f, "{}", self.numerator),
            _ => write!(f, "{}/{}", self.numerator, self.denominator),
        }
    }
}

/// `12.5` as (125, 10).
fn decimal(text: &str) -> Option<(u64, u64)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction}");
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let scale = 10u64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    Some((digits.parse().ok()?, scale))
}

/// A part of the test: the half-open interval between two points of 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Segment {
    from: Point,
    to: Point,
}

impl Segment {
    /// The whole test, `0:1`.
    pub const WHOLE: Self = Self {
        from: Point::ZERO,
        to: Point::ONE,
    };

    /// The share of the whole, 0 to 1, for display.
    pub fn fraction(&self) -> f64 {
        self.to.numerator as f64 / self.to.denominator as f64
            - self.from.numerator as f64 / self.from.denominator as f64
    }
}

impl Default for Segment {
    fn default() -> Self {
        Self::WHOLE
    }
}

impl FromStr for Segment {
    type Err = SegmentError;

    /// Reads `1/4:1/2`, `0.2:2/3`, or one point (`10%`, `1/3`), which means "from 0 up to it".
    fn from_str(text: &str) -> Result<Self, SegmentError> {
        let (from, to) = match text.split_once(':') {
            Some((from, to)) => (from.parse()?, to.parse()?),
            None => (Point::ZERO, text.parse()?),
        };
        if !Point::less_than(from, to) {
            return Err(SegmentError::Empty(text.to_owned()));
        }
        Ok(Self { from, to })
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.from, self.to)
    }
}

/// A partition of the whole test into segments that all instances agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentSequence {
    points: Vec<Point>,
}

impl SegmentSequence {
    /// The partition into one segment, `0,1`.
    pub fn whole() -> Self {
        Self {
            points: vec![Point::ZERO, Point::ONE],
        }
    }

    /// The partition that only `segment` asks for: what is before it, the segment, what is after.
    pub fn around(segment: Segment) -> Self {
        let mut points = vec![Point::ZERO, segment.from, segment.to, Point::ONE];
        points.dedup();
        Self { points }
    }

    /// The partition into `parts` segments of equal size.
    pub fn equal(parts: u64) -> Result<Self, SegmentError> {
        if parts == 0 || parts > SEGMENTS_LIMIT as u64 {
            return Err(SegmentError::TooMany);
        }
        Ok(Self {
            points: (0..=parts).map(|part| Point::new(part, parts)).collect(),
        })
    }

    /// Its segments, in order.
    pub fn segments(&self) -> impl Iterator<Item = Segment> + '_ {
        self.points.windows(2).map(|pair| Segment {
            from: pair[0],
            to: pair[1],
        })
    }
}

impl Default for SegmentSequence {
    fn default() -> Self {
        Self::whole()
    }
}

impl FromStr for SegmentSequence {
    type Err = SegmentError;

    fn from_str(text: &str) -> Result<Self, SegmentError> {
        let points: Vec<Point> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
        if points.len() > SEGMENTS_LIMIT + 1 {
            return Err(SegmentError::TooMany);
        }
        let rises = points.windows(2).all(|pair| pair[0].less_than(pair[1]));
        if points.first() != Some(&Point::ZERO) || points.last() != Some(&Point::ONE) || !rises {
            return Err(SegmentError::NotAPartition(text.to_owned()));
        }
        Ok(Self { points })
    }
}

impl fmt::Display for SegmentSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, point) in self.points.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{point}")?;
        }
        Ok(())
    }
}

/// One segment of one sequence, with the table that says which numbers it owns.
///
/// Cheap to clone. All numbers count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segmentation {
    segment: Segment,
    sequence: SegmentSequence,
    /// How many slots of a cycle each segment owns, in the order of the sequence.
    weights: Arc<[u64]>,
    /// Position of our segment in `weights`.
    own: usize,
    /// Our slots of a cycle, rising.
    slots: Arc<[u64]>,
    cycle: u64,
}

impl Segmentation {
    /// The whole test in one instance.
    pub fn whole() -> Self {
        Self::dealt(
            Segment::WHOLE,
            SegmentSequence::whole(),
            Arc::from([1u64]),
            0,
        )
    }

    /// A segment of a sequence; without a sequence, of the one the segment alone asks for.
    pub fn new(segment: Segment, sequence: Option<SegmentSequence>) -> Result<Self, SegmentError> {
        let sequence = sequence.unwrap_or_else(|| SegmentSequence::around(segment));
        let Some(own) = sequence.segments().position(|other| other == segment) else {
            return Err(SegmentError::NotInSequence { segment, sequence });
        };
        let cycle = sequence
            .points
            .iter()
            .try_fold(1, |cycle, point| lcm(cycle, point.denominator))
            .filter(|cycle| *cycle <= CYCLE_LIMIT)
            .ok_or(SegmentError::TooFine)?;
        let weights = sequence
            .segments()
            .map(|s| s.to.slots(cycle) - s.from.slots(cycle))
            .collect();
        Ok(Self::dealt(segment, sequence, weights, own))
    }

    fn dealt(segment: Segment, sequence: SegmentSequence, weights: Arc<[u64]>, own: usize) -> Self {
        let cycle = weights.iter().sum();
        let slots = deal(&weights, cycle, own);
        Self {
            segment,
            sequence,
            weights,
            own,
            slots,
            cycle,
        }
    }

    /// The segment.
    pub fn segment(&self) -> Segment {
        self.segment
    }

    /// The sequence it is part of.
    pub fn sequence(&self) -> &SegmentSequence {
        &self.sequence
    }

    /// Whether this is the whole test.
    pub fn is_whole(&self) -> bool {
        self.segment == Segment::WHOLE
    }

    /// Our share of the whole, 0 to 1, for display.
    pub fn fraction(&self) -> f64 {
        self.slots.len() as f64 / self.cycle as f64
    }

    /// How many of the first `n` numbers are ours.
    pub fn scale(&self, n: u64) -> u64 {
        count(&self.slots, self.cycle, n)
    }

    /// Our number `local` (from 0) in the numbering of the whole test; `None` when there is none.
    pub fn global_index(&self, local: u64) -> Option<u64> {
        let own = self.slots.len() as u64;
        if own == 0 {
            return None;
        }
        let slot = self.slots[(local % own) as usize];
        (local / own).checked_mul(self.cycle)?.checked_add(slot)
    }

    /// Whether the number `global` is ours.
    pub fn owns(&self, global: u64) -> bool {
        self.slots.binary_search(&(global % self.cycle)).is_ok()
    }

    /// The cut that gives each segment the share of the test that it has of `n` indivisible things.
    ///
    /// Arrival rates are cut like their VUs: an instance that gets 1 of 3 VUs starts 1/3 of the
    /// iterations, and one that gets none starts none.
    pub fn rescaled(&self, n: u64) -> Self {
        let counts = self.counts(n);
        let divisor = counts.iter().fold(0, |divisor, c| gcd(divisor, *c));
        if divisor == 0 || n / divisor > CYCLE_LIMIT || self.weights.len() == 1 {
            return self.clone();
        }
        let weights = counts.iter().map(|c| c / divisor).collect();
        Self::dealt(self.segment, self.sequence.clone(), weights, self.own)
    }

    /// How many of the first `n` numbers each segment of the sequence owns.
    fn counts(&self, n: u64) -> Vec<u64> {
        let mut rest = vec![0; self.weights.len()];
        for owner in Deal::new(&self.weights, self.cycle).take((n % self.cycle) as usize) {
            rest[owner] += 1;
        }
        let cycles = n / self.cycle;
        self.weights
            .iter()
            .zip(rest)
            .map(|(weight, rest)| cycles * weight + rest)
            .collect()
    }
}

impl Default for Segmentation {
    fn default() -> Self {
        Self::whole()
    }
}

/// How many numbers below `n` fall on `slots` of a repeating cycle.
fn count(slots: &[u64], cycle: u64, n: u64) -> u64 {
    let own = slots.len() as u64;
    let rest = slots.partition_point(|slot| *slot < n % cycle) as u64;
    n / cycle * own + rest
}

fn deal(weights: &[u64], cycle: u64, own: usize) -> Arc<[u64]> {
    if weights.len() == 1 {
        return (0..cycle).collect();
    }
    (0u64..)
        .zip(Deal::new(weights, cycle))
        .filter(|(_, owner)| *owner == own)
        .map(|(slot, _)| slot)
        .collect()
}

/// Deals the slots of one cycle: each goes to the largest segment that is due one.
///
/// A segment is due when it owns no more than its share of the slots dealt so far. One always is
/// (the shares add up to the whole), none ever gets more than its weight in a cycle, and the
/// result is the same as k6's, so both can take part in one distributed test.
struct Deal<'a> {
    weights: &'a [u64],
    cycle: u64,
    /// Segments by falling weight; equal ones in the order of the sequence.
    order: Vec<usize>,
    owned: Vec<u64>,
    slot: u64,
}

impl<'a> Deal<'a> {
    fn new(weights: &'a [u64], cycle: u64) -> Self {
        let mut order: Vec<usize> = (0..weights.len()).collect();
        order.sort_by_key(|i| std::cmp::Reverse(weights[*i]));
        Self {
            weights,
            cycle,
            order,
            owned: vec![0; weights.len()],
            slot: 0,
        }
    }
}

impl Iterator for Deal<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.slot == self.cycle {
            return None;
        }
        let due = |i: &usize| self.owned[*i] * self.cycle <= self.slot * self.weights[*i];
        let owner = self.order.iter().copied().find(due)?;
        self.owned[owner] += 1;
        self.slot += 1;
        Some(owner)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn lcm(a: u64, b: u64) -> Option<u64> {
    (a / gcd(a, b)).checked_mul(b)
}
