//! Poisson arrivals: the right mean, the right scatter, the same for the same seed, and unchanged by any cut.

use netload_plan::executor::{Arrival, ConstantArrivalRate, RampingArrivalRate, Stage, Surplus};
use netload_plan::segment::{SegmentSequence, Segmentation};
use netload_plan::{Share, Start, Stripe};
use proptest::prelude::*;

const S: u64 = 1_000_000_000;

fn constant(rate: u64, duration_ns: u64, seed: u64) -> ConstantArrivalRate {
    ConstantArrivalRate {
        rate,
        time_unit_ns: S,
        duration_ns,
        pre_allocated_vus: 10,
        max_vus: 10,
        arrival: Arrival::Poisson { seed },
        most_starts: u64::MAX,
        surplus: Surplus::Drop,
    }
}

fn ramping(from: u64, to: u64, duration_ns: u64, seed: u64) -> RampingArrivalRate {
    RampingArrivalRate {
        start_rate: from,
        time_unit_ns: S,
        stages: vec![Stage {
            duration_ns,
            target: to,
        }],
        pre_allocated_vus: 10,
        max_vus: 10,
        arrival: Arrival::Poisson { seed },
    }
}

fn shares(parts: u64, workers: u64) -> Vec<Share> {
    let sequence = SegmentSequence::equal(parts).unwrap();
    let mut shares = Vec::new();
    for segment in sequence.segments() {
        let cut = Segmentation::new(segment, Some(sequence.clone())).unwrap();
        for worker in 0..workers {
            let stripe = Stripe::new(worker, workers).unwrap();
            shares.push(Share::new(cut.clone(), stripe));
        }
    }
    shares
}

#[test]
fn the_first_starts_of_a_seed_never_change() {
    let starts = constant(1000, S, 42).starts(&Share::whole());
    let first: Vec<u64> = starts.take(4).map(|s| s.offset_ns).collect();
    assert_eq!(first, FIRST_OF_42);
}

#[test]
fn a_number_of_starts_is_a_limit() {
    let plan = ConstantArrivalRate {
        most_starts: 7,
        ..constant(1000, 3600 * S, 5)
    };
    assert_eq!(plan.starts(&Share::whole()).count(), 7);
    assert_eq!(plan.starts(&Share::whole()).total(), 7);
}

proptest! {
    #[test]
    fn the_number_of_starts_is_poisson(rate in 50u64..5_000, seed in any::<u64>()) {
        let starts: Vec<Start> = constant(rate, 4 * S, seed).starts(&Share::whole()).collect();
        let mean = 4.0 * rate as f64;
        // Six standard deviations: about one failure in a billion.
        prop_assert!((starts.len() as f64 - mean).abs() < 6.0 * mean.sqrt() + 3.0, "{} of {mean}", starts.len());
        prop_assert!(starts.is_sorted_by_key(|s| s.offset_ns));
        prop_assert!(starts.iter().all(|s| s.offset_ns < 4 * S));
    }

    #[test]
    fn gaps_are_exponential(seed in any::<u64>()) {
        let offsets: Vec<u64> =
            constant(1000, 20 * S, seed).starts(&Share::whole()).map(|s| s.offset_ns).collect();
        let gaps: Vec<f64> = offsets.windows(2).map(|w| (w[1] - w[0]) as f64 / 1e6).collect();
        let n = gaps.len() as f64;
        for at in [0.1f64, 0.5, 1.0, 2.0, 4.0] {
            let expected = (-at).exp();
            let seen = gaps.iter().filter(|g| **g > at).count() as f64 / n;
            let scatter = (expected * (1.0 - expected) / n).sqrt();
            prop_assert!((seen - expected).abs() < 6.0 * scatter, "{at}: {seen} for {expected}");
        }
    }

    #[test]
    fn the_cut_is_the_whole(
        rate in 1u64..300, seed in any::<u64>(), parts in 1u64..6, workers in 1u64..5, vus in 1u64..12,
    ) {
        let plan = ConstantArrivalRate { max_vus: vus, ..constant(rate, 2 * S, seed) };
        let mut together: Vec<Start> =
            shares(parts, workers).iter().flat_map(|share| plan.starts(share)).collect();
        together.sort_by_key(|start| start.index);
        prop_assert_eq!(&together, &plan.starts(&Share::whole()).collect::<Vec<_>>());
        prop_assert_eq!(plan.starts(&Share::whole()).total(), together.len() as u64);
    }

    #[test]
    fn a_ramp_keeps_its_area(from in 0u64..2_000, to in 1u64..2_000, seed in any::<u64>()) {
        let plan = ramping(from, to, 4 * S, seed);
        let count = plan.starts(&Share::whole()).count() as f64;
        let mean = 2.0 * (from + to) as f64;
        prop_assert!((count - mean).abs() < 6.0 * mean.sqrt() + 3.0, "{count} of {mean}");
        let mut together: Vec<Start> = shares(3, 2).iter().flat_map(|share| plan.starts(share)).collect();
        together.sort_by_key(|start| start.index);
        prop_assert_eq!(together, plan.starts(&Share::whole()).collect::<Vec<_>>());
    }
}

/// By `-ln(u) * 1 ms`, u from SplitMix64 with seed 42.
const FIRST_OF_42: [u64; 4] = [298_992, 2_132_134, 3_410_108, 4_476_667];
