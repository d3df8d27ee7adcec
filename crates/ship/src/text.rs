//! What the formats made of lines have in common: cutting into parcels, numbers, and trends as few values.

use netload_metrics::Histogram;

use crate::outbox::Parcel;

/// A parcel of lines is closed beyond this, in bytes.
const PARCEL_BYTES: usize = 512 * 1024;

/// Lines on their way into parcels.
#[derive(Default)]
pub(crate) struct Lines {
    full: Vec<Parcel>,
    bytes: Vec<u8>,
    samples: u64,
}

impl Lines {
    /// Appends what `write` writes; it stands for `samples` samples.
    pub(crate) fn add(&mut self, samples: u64, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.samples += samples;
        if self.bytes.len() >= PARCEL_BYTES {
            self.close();
        }
    }

    fn close(&mut self) {
        if self.samples > 0 {
            self.full.push(Parcel {
                bytes: std::mem::take(&mut self.bytes),
                samples: std::mem::take(&mut self.samples),
            });
        }
    }

    pub(crate) fn parcels(mut self) -> Vec<Parcel> {
        self.close();
        self.full
    }
}

/// The statistics of a trend that line formats send, by name.
pub(crate) fn statistics(h: &Histogram) -> [(&'static str, f64); 7] {
    [
        ("sum", h.sum()),
        ("min", h.min()),
        ("max", h.max()),
        ("med", h.percentile(50.0)),
        ("p90", h.percentile(90.0)),
        ("p95", h.percentile(95.0)),
        ("p99", h.percentile(99.0)),
    ]
}

/// A trend as at most `limit` values, each standing for as many as its weight says: neighbours are put together. The
/// weights add up to the count, the weighted values to the sum (as exactly as buckets know it).
pub(crate) fn thinned(h: &Histogram, limit: usize) -> Vec<(f64, u64)> {
    let values = h.values();
    if values.len() <= limit {
        return values;
    }
    let share = h.count().div_ceil(limit as u64).max(1);
    let mut thin = Vec::with_capacity(limit);
    let (mut sum, mut weight) = (0.0, 0);
    for (value, count) in values {
        if weight > 0 && weight + count > share {
            thin.push((sum / weight as f64, weight));
            (sum, weight) = (0.0, 0);
        }
        sum += value * count as f64;
        weight += count;
    }
    thin.extend((weight > 0).then(|| (sum / weight as f64, weight)));
    thin
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn thin_trends_keep_count_and_sum(values in prop::collection::vec(1e-3f64..1e5, 1..2_000), limit in 1usize..64) {
            let mut h = Histogram::default();
            values.iter().for_each(|v| h.record(*v));
            let thin = thinned(&h, limit);
            prop_assert!(thin.len() <= 2 * limit + 1, "{} for {limit}", thin.len());
            prop_assert_eq!(thin.iter().map(|(_, n)| n).sum::<u64>(), h.count());
            let sum: f64 = thin.iter().map(|(v, n)| v * *n as f64).sum();
            prop_assert!((sum / h.sum() - 1.0).abs() < 1e-5);
            prop_assert!(thin.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        }
    }

    #[test]
    fn long_reports_are_cut_between_lines() {
        let mut lines = Lines::default();
        for _ in 0..3 {
            lines.add(2, |out| out.resize(out.len() + PARCEL_BYTES / 2, b'x'));
        }
        let parcels = lines.parcels();
        assert_eq!(
            parcels.iter().map(|p| p.samples).collect::<Vec<_>>(),
            [4, 2]
        );
        assert!(Lines::default().parcels().is_empty());
    }
}
