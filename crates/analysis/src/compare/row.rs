//! One number on both sides, its change, the interval of the change, and the verdict.

use netload_record::{Dist, Key, Point, Record};

use super::draw::{self, BLOCKS_LEAST, Chance, DRAWS};
use super::series::{self, Buckets, Series};
use super::{Margin, Row, Verdict};

/// A quantile needs so many values beyond it.
const BEYOND_NEEDED: f64 = 10.0;
/// Any number; it makes the draws the same each time.
const SEED: u64 = 20_040_517;

/// Which number of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Measure {
    /// The sum per second.
    Rate,
    /// The share of values that are not zero.
    Share,
    /// The share of values that are zero.
    ShareOfFailures,
    /// A quantile (0 to 1) with its name.
    Quantile(&'static str, f64),
}

impl Measure {
    fn name(self) -> &'static str {
        match self {
            Self::Rate => "rate",
            Self::Share | Self::ShareOfFailures => "share",
            Self::Quantile(name, _) => name,
        }
    }

    fn is_share(self) -> bool {
        matches!(self, Self::Share | Self::ShareOfFailures)
    }

    /// The number out of a sum of rows.
    fn of(self, sum: &[f64], buckets: Option<&Buckets>) -> f64 {
        match (self, sum, buckets) {
            (Self::Rate, [seconds, sum], _) => sum / seconds.max(1e-9),
            (Self::Share | Self::ShareOfFailures, [_, hits, all], _) => hits / all.max(1.0),
            (Self::Quantile(_, q), [_, below, counts @ ..], Some(buckets)) => {
                quantile(*below, counts, q, buckets)
            }
            _ => 0.0,
        }
    }
}

/// The quantile of counted values, each bucket's spread evenly over it.
fn quantile(below: f64, counts: &[f64], q: f64, buckets: &Buckets) -> f64 {
    let all = below + counts.iter().sum::<f64>();
    let place = q * (all - 1.0).max(0.0) + 0.5;
    let mut seen = below;
    if place <= seen {
        return 0.0;
    }
    for (at, count) in counts.iter().enumerate() {
        if place <= seen + count {
            return buckets.value(at as f64 + (place - seen) / count);
        }
        seen += count;
    }
    buckets.value(counts.len() as f64)
}

/// The windows of both sides for a series.
struct Sides {
    a: Vec<Series>,
    b: Vec<Series>,
    buckets: Option<Buckets>,
}

fn sides(a: &[Record], b: &[Record], key: &Key, measure: Measure) -> Sides {
    let points = |side: &[Record]| -> Vec<Vec<(f64, Option<Point>)>> {
        let all = side.iter().map(|record| series::points(record, key));
        all.filter(|points| !points.is_empty()).collect()
    };
    let (a, b) = (points(a), points(b));
    let dists = a
        .iter()
        .chain(&b)
        .flatten()
        .filter_map(|(_, p)| p.as_ref()?.dist());
    let buckets = Buckets::of(dists.filter(|d: &&Dist| d.count > 0));
    let make = |points: &Vec<(f64, Option<Point>)>| match (measure, &buckets) {
        (Measure::Rate, _) => series::sums(points),
        (Measure::Share, _) => series::shares(points, false),
        (Measure::ShareOfFailures, _) => series::shares(points, true),
        (Measure::Quantile(..), Some(buckets)) => series::counts(points, buckets),
        (Measure::Quantile(..), None) => Series::default(),
    };
    Sides {
        a: a.iter().map(make).collect(),
        b: b.iter().map(make).collect(),
        buckets,
    }
}

/// Compares one number. `alpha` is the chance of a false alarm that this row may have.
pub(crate) fn compare(
    a: &[Record],
    b: &[Record],
    key: &Key,
    measure: Measure,
    margin: &Margin,
    alpha: f64,
) -> Row {
    let sides = sides(a, b, key, measure);
    let of = |sum: &[f64]| measure.of(sum, sides.buckets.as_ref());
    let (sum_a, sum_b) = (draw::sum(&sides.a), draw::sum(&sides.b));
    let (value_a, value_b) = (of(&sum_a), of(&sum_b));
    let change = change(measure, value_a, value_b);
    let blocks = (
        blocks(&sides.a, measure, value_a, &sides),
        blocks(&sides.b, measure, value_b, &sides),
    );
    let why = too_little(measure, &sum_a, &sum_b, blocks);
    let interval = why.is_none().then(|| {
        let error = scatter(&sides, measure, (blocks.0.0, blocks.1.0));
        let freedom = (blocks.0.1 + blocks.1.1 - 2.0).max(1.0);
        let half = student(1.0 - alpha / 2.0, freedom) * error;
        (change - half, change + half)
    });
    let bar = bar(measure, value_a, margin);
    let verdict = interval.map_or(Verdict::CannotTell, |interval| {
        judge(measure, change, interval, bar)
    });
    let restless = (verdict == Verdict::CannotTell && why.is_none())
        .then(|| "the windows of these runs differ too much from each other".to_owned());
    Row {
        metric: key.metric.clone(),
        part: key.part.clone(),
        stat: measure.name(),
        a: value_a,
        b: value_b,
        change,
        interval,
        verdict,
        why: why.or(restless),
    }
}

/// The change: relative, of shares the difference.
fn change(measure: Measure, a: f64, b: f64) -> f64 {
    if measure.is_share() {
        b - a
    } else if a > 0.0 {
        b / a - 1.0
    } else {
        0.0
    }
}

/// The change that matters.
fn bar(measure: Measure, a: f64, margin: &Margin) -> f64 {
    match measure {
        Measure::Share | Measure::ShareOfFailures => (a * margin.relative).max(margin.floor_share),
        Measure::Quantile(..) if a > 0.0 => margin.relative.max(margin.floor_ms / a),
        Measure::Quantile(..) | Measure::Rate => margin.relative,
    }
}

/// The rule: worse or better when chance does not explain the change and it is at least what matters; the same when no
/// change that matters is left in the interval; else it cannot be told.
fn judge(measure: Measure, change: f64, (low, high): (f64, f64), bar: f64) -> Verdict {
    let more_is_worse = measure != Measure::Rate;
    let verdict = |is_more: bool| match is_more == more_is_worse {
        true => Verdict::Worse,
        false => Verdict::Better,
    };
    if low > 0.0 && change >= bar {
        verdict(true)
    } else if high < 0.0 && change <= -bar {
        verdict(false)
    } else if low > -bar && high < bar {
        Verdict::Same
    } else {
        Verdict::CannotTell
    }
}

/// The length of blocks of a side, and how many of them it has: its independent pieces.
fn blocks(runs: &[Series], measure: Measure, value: f64, sides: &Sides) -> (usize, f64) {
    let mut longest = 1;
    let mut windows = 0;
    for run in runs {
        let signal: Vec<f64> = (0..run.len())
            .map(|at| signal(run.row(at), measure, value, sides))
            .collect();
        longest = longest.max(draw::block_length(&signal));
        windows += run.len();
    }
    (longest, windows as f64 / longest as f64)
}

/// What a window says about the number, for finding out how much windows depend on each other.
fn signal(row: &[f64], measure: Measure, value: f64, sides: &Sides) -> f64 {
    match (measure, row, &sides.buckets) {
        (Measure::Quantile(..), [_, below, counts @ ..], Some(buckets)) => {
            // The share of values above the quantile of the whole run.
            let above = counts
                .iter()
                .enumerate()
                .filter(|(at, _)| buckets.value(*at as f64) >= value);
            let above: f64 = above.map(|(_, count)| count).sum();
            above / (below + counts.iter().sum::<f64>()).max(1.0)
        }
        _ => measure.of(row, None),
    }
}

/// Why nothing can be said about chance.
fn too_little(
    measure: Measure,
    a: &[f64],
    b: &[f64],
    blocks: ((usize, f64), (usize, f64)),
) -> Option<String> {
    let fewest = blocks.0.1.min(blocks.1.1);
    if fewest < BLOCKS_LEAST {
        return Some("the runs are too short: make them longer, or compare several".to_owned());
    }
    let Measure::Quantile(name, q) = measure else {
        return None;
    };
    let values = |sum: &[f64]| sum.iter().skip(1).sum::<f64>();
    let fewest = values(a).min(values(b));
    let needed = BEYOND_NEEDED / (1.0 - q);
    (fewest < needed)
        .then(|| format!("{name} needs {needed:.0} requests on each side, there are {fewest:.0}"))
}

/// The scatter of the change between draws: its standard error.
fn scatter(sides: &Sides, measure: Measure, blocks: (usize, usize)) -> f64 {
    let mut chance = Chance::new(SEED);
    let (mut a, mut b) = (Vec::new(), Vec::new());
    let mut changes = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS {
        draw::draw(&sides.a, blocks.0, &mut chance, &mut a);
        draw::draw(&sides.b, blocks.1, &mut chance, &mut b);
        let buckets = sides.buckets.as_ref();
        changes.push(change(
            measure,
            measure.of(&a, buckets),
            measure.of(&b, buckets),
        ));
    }
    let mean = changes.iter().sum::<f64>() / changes.len() as f64;
    let squares = changes.iter().map(|c| (c - mean) * (c - mean)).sum::<f64>();
    (squares / (changes.len() - 1) as f64).sqrt()
}

/// The quantile of Student's t: the normal one, corrected by the first terms of Cornish and Fisher.
fn student(p: f64, freedom: f64) -> f64 {
    let z = normal(p);
    let (z3, z5) = (z.powi(3), z.powi(5));
    let z7 = z.powi(7);
    z + (z3 + z) / (4.0 * freedom)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * freedom.powi(3))
}

/// The quantile of the normal distribution above its median (Abramowitz and Stegun 26.2.23: off by at most 0.00045).
fn normal(p: f64) -> f64 {
    let t = (-2.0 * (1.0 - p).clamp(1e-12, 0.5).ln()).sqrt();
    let above = 2.515_517 + 0.802_853 * t + 0.010_328 * t * t;
    let below = 1.0 + 1.432_788 * t + 0.189_269 * t * t + 0.001_308 * t.powi(3);
    t - above / below
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_t_is_that_of_the_tables() {
        for (p, freedom, expected) in [
            (0.975, 10.0, 2.228),
            (0.975, 1e9, 1.960),
            (0.995, 20.0, 2.845),
        ] {
            let got = student(p, freedom);
            assert!((got - expected).abs() < 0.01, "{got} for {expected}");
        }
    }

    #[test]
    fn the_verdict_needs_both_size_and_certainty() {
        let latency = Measure::Quantile("p95", 0.95);
        let judge = |change, interval| judge(latency, change, interval, 0.05);
        assert_eq!(judge(0.10, (0.06, 0.14)), Verdict::Worse);
        assert_eq!(judge(0.10, (-0.02, 0.22)), Verdict::CannotTell);
        assert_eq!(judge(0.02, (0.01, 0.03)), Verdict::Same);
        assert_eq!(judge(0.04, (0.01, 0.07)), Verdict::CannotTell);
        assert_eq!(judge(-0.10, (-0.14, -0.06)), Verdict::Better);
        assert_eq!(
            super::judge(Measure::Rate, -0.1, (-0.12, -0.08), 0.05),
            Verdict::Worse
        );
    }
}
