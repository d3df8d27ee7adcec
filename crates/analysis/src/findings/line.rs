//! Lines through points: where growth begins or ends, and whether something grows at all.

use super::view::median;

/// A line with one bend: up to the bend one slope, after it another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bend {
    /// The number of the first point after the bend.
    pub(super) at: usize,
    pub(super) slope_before: f64,
    pub(super) slope_after: f64,
    /// The share of the scatter around one straight line that the bend explains.
    pub(super) explained: f64,
}

/// Points on each side of a bend at least.
const SIDE: usize = 4;

/// The bend that fits best, by least squares over all places where it could be; the points ascend in x.
pub(super) fn bend(x: &[f64], y: &[f64]) -> Option<Bend> {
    let n = x.len();
    if n < 2 * SIDE {
        return None;
    }
    let straight = fit(x, y).1;
    let best = (SIDE..=n - SIDE).map(|at| {
        let (before, after) = (fit(&x[..at], &y[..at]), fit(&x[at..], &y[at..]));
        (at, before.0, after.0, before.1 + after.1)
    });
    let (at, slope_before, slope_after, left) = best.min_by(|a, b| a.3.total_cmp(&b.3))?;
    let explained = if straight > 0.0 {
        1.0 - left / straight
    } else {
        0.0
    };
    Some(Bend {
        at,
        slope_before,
        slope_after,
        explained,
    })
}

/// Slope and squared scatter of the straight line through points.
fn fit(x: &[f64], y: &[f64]) -> (f64, f64) {
    let n = x.len() as f64;
    let (mx, my) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let xx: f64 = x.iter().map(|x| (x - mx) * (x - mx)).sum();
    let xy: f64 = x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum();
    let yy: f64 = y.iter().map(|y| (y - my) * (y - my)).sum();
    let slope = if xx > 0.0 { xy / xx } else { 0.0 };
    (slope, (yy - slope * xy).max(0.0))
}

/// The slope of Theil and Sen: the median over all pairs, which no outlier moves; and the share of pairs that grow.
pub(super) fn theil_sen(x: &[f64], y: &[f64]) -> (f64, f64) {
    let mut slopes = Vec::new();
    for i in 0..x.len() {
        for j in i + 1..x.len() {
            if x[j] != x[i] {
                slopes.push((y[j] - y[i]) / (x[j] - x[i]));
            }
        }
    }
    let growing = slopes.iter().filter(|slope| **slope > 0.0).count();
    let share = growing as f64 / slopes.len().max(1) as f64;
    (median(slopes.into_iter()), share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bend_is_found_where_it_is() {
        let x: Vec<f64> = (0..40).map(f64::from).collect();
        let y: Vec<f64> = x
            .iter()
            .map(|x| if *x < 25.0 { 10.0 * x } else { 250.0 })
            .collect();
        let bend = bend(&x, &y).unwrap();
        assert!((24..=26).contains(&bend.at), "{bend:?}");
        assert!(bend.slope_before > 9.0 && bend.slope_after.abs() < 1.0 && bend.explained > 0.9);
    }

    #[test]
    fn one_outlier_does_not_make_a_trend() {
        let x: Vec<f64> = (0..20).map(f64::from).collect();
        let mut y = vec![5.0; 20];
        y[19] = 500.0;
        assert_eq!(theil_sen(&x, &y).0, 0.0);
    }
}
