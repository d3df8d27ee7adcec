//! The laws of the executors: counts, instants, and that the cut changes neither.

use netload_plan::executor::{Arrival, Surplus};
use netload_plan::executor::{ConstantArrivalRate, RampingArrivalRate, RampingVus, Stage};
use netload_plan::executor::{Demand, Demands, SharedIterations, Start, VuStep};
use netload_plan::segment::{SegmentSequence, Segmentation};
use netload_plan::{Executor, Share, Stripe};
use proptest::prelude::*;

const S: u64 = 1_000_000_000;

fn stage(duration_ns: u64, target: u64) -> Stage {
    Stage {
        duration_ns,
        target,
    }
}

fn constant(rate: u64, time_unit_ns: u64, duration_ns: u64) -> ConstantArrivalRate {
    ConstantArrivalRate {
        rate,
        time_unit_ns,
        duration_ns,
        pre_allocated_vus: 10,
        max_vus: 10,
        arrival: Arrival::Constant,
        most_starts: u64::MAX,
        surplus: Surplus::Drop,
    }
}

fn ramping(start_rate: u64, time_unit_ns: u64, stages: Vec<Stage>) -> RampingArrivalRate {
    RampingArrivalRate {
        start_rate,
        time_unit_ns,
        stages,
        pre_allocated_vus: 10,
        max_vus: 10,
        arrival: Arrival::Constant,
    }
}

fn ramp(start_vus: u64, stages: Vec<Stage>) -> RampingVus {
    RampingVus {
        start_vus,
        stages,
        graceful_ramp_down_ns: 0,
    }
}

/// Every share of a cut into instances and workers.
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

fn stages(targets: u64) -> impl Strategy<Value = Vec<Stage>> {
    let duration = prop_oneof![Just(0), 1u64..5 * S, Just(S), 1u64..50];
    proptest::collection::vec((duration, 0..targets).prop_map(|(d, t)| stage(d, t)), 1..6)
}

fn offsets(starts: impl Iterator<Item = Start>) -> Vec<u64> {
    starts.map(|start| start.offset_ns).collect()
}

#[test]
fn constant_rate_starts_at_whole_periods() {
    let starts = constant(10, S, S).starts(&Share::whole());
    let tenths: Vec<u64> = (0..10).map(|i| i * S / 10).collect();
    assert_eq!(offsets(starts), tenths);
    // A third of a second is truncated, so a fourth start just fits in, as in k6.
    let starts = constant(3, S, S).starts(&Share::whole());
    assert_eq!(offsets(starts), [0, 333_333_333, 666_666_666, 999_999_999]);
    assert_eq!(constant(1, 3 * S, 7 * S).total_starts(), 3);
}

#[test]
fn a_billion_starts_per_second_are_counted_exactly() {
    let plan = constant(S, S, 3600 * S);
    assert_eq!(plan.total_starts(), 3600 * S);
    let last = plan.starts(&Share::whole()).nth(5).unwrap();
    assert_eq!((last.offset_ns, last.index), (5, 5));
}

#[test]
fn a_ramping_rate_starts_when_the_area_is_reached() {
    let flat = ramping(10, S, vec![stage(S, 10)]);
    let tenths: Vec<u64> = (1..=10).map(|i| i * S / 10).collect();
    assert_eq!(offsets(flat.starts(&Share::whole())), tenths);
    // From 0 to 2/s in 2 s: the area is t^2 / 2.
    let up = ramping(0, S, vec![stage(2 * S, 2)]);
    assert_eq!(offsets(up.starts(&Share::whole())), [1_414_213_563, 2 * S]);
    let down = ramping(2, S, vec![stage(2 * S, 0)]);
    assert_eq!(offsets(down.starts(&Share::whole())), [585_786_438, 2 * S]);
    // Half an iteration is carried over from the first stage to the second.
    let carried = ramping(1, S, vec![stage(S / 2, 1), stage(0, 2), stage(S, 2)]);
    assert_eq!(
        offsets(carried.starts(&Share::whole())),
        [3 * S / 4, 5 * S / 4]
    );
    let quiet = ramping(0, S, vec![stage(S, 0), stage(0, 1), stage(S, 1)]);
    assert_eq!(offsets(quiet.starts(&Share::whole())), [2 * S]);
}

#[test]
fn a_billion_starts_on_a_ramp_stay_exact_to_the_last() {
    let plan = ramping(0, S, vec![stage(1000 * S, 2_000_000)]);
    assert_eq!(plan.total_starts(), S);
    let parts = 1000;
    let sequence = SegmentSequence::equal(parts).unwrap();
    let segment = sequence.segments().last().unwrap();
    let cut = Segmentation::new(segment, Some(sequence)).unwrap();
    let share = Share::of_instance(cut);
    let plan = RampingArrivalRate {
        max_vus: parts,
        ..plan
    };
    let mine: Vec<Start> = plan.starts(&share).step_by(10_000).take(100).collect();
    assert!(mine.is_sorted_by_key(|start| start.offset_ns));
    for start in mine {
        let line = 1e12 * ((start.index + 1) as f64 / 1e9).sqrt();
        assert!((start.offset_ns as f64 - line).abs() < 1.0 + line * 1e-15);
    }
}

#[test]
fn absurd_rates_and_times_still_end() {
    let longest = i64::MAX as u64;
    let plan = ramping(S, S, vec![stage(longest, S), stage(longest, 0)]);
    assert_eq!(plan.total_starts(), longest + longest / 2);
    let offsets = offsets(plan.starts(&Share::whole()).take(1000));
    assert!(offsets.is_sorted());
    let starts = constant(1, 1, longest).starts(&Share::whole());
    assert_eq!(starts.total(), longest);
}

#[test]
fn vus_come_when_the_line_reaches_them_and_go_when_it_has_come_down() {
    let steps = |plan: RampingVus| -> Vec<(u64, u64)> {
        let steps = plan.steps(&Share::whole());
        steps
            .map(|VuStep { offset_ns, vus }| (offset_ns, vus))
            .collect()
    };
    assert_eq!(
        steps(ramp(1, vec![stage(2 * S, 3), stage(S, 3), stage(2 * S, 1)])),
        [(0, 1), (S, 2), (2 * S, 3), (4 * S, 2), (5 * S, 1)]
    );
    assert_eq!(
        steps(ramp(0, vec![stage(0, 5), stage(3 * S, 5), stage(0, 1)])),
        [(0, 0), (0, 5), (3 * S, 1)]
    );
    assert_eq!(steps(ramp(2, vec![stage(S, 2)])), [(0, 2)]);
    // Thirds of a second: never gone before the line has come down, as in k6.
    assert_eq!(
        steps(ramp(0, vec![stage(S, 3), stage(S, 0)])),
        [
            (0, 0),
            (333_333_333, 1),
            (666_666_666, 2),
            (S, 3),
            (1_333_333_334, 2),
            (1_666_666_667, 1),
            (2 * S, 0)
        ]
    );
}

proptest! {
    #[test]
    fn constant_rate_counts_and_spacing(
        rate in 1u64..2000, unit in 2000u64..2 * S, duration in 0u64..4 * S,
    ) {
        let plan = constant(rate, unit, duration.min(unit / rate * 500));
        let period = unit / rate;
        let starts: Vec<Start> = plan.starts(&Share::whole()).collect();
        prop_assert_eq!(starts.len() as u64, plan.duration_ns.div_ceil(period));
        for (i, start) in starts.iter().enumerate() {
            prop_assert_eq!(start.index, i as u64);
            prop_assert_eq!(start.offset_ns, i as u64 * period);
        }
    }

    #[test]
    fn the_cut_of_a_constant_rate_is_the_whole(
        rate in 1u64..300, parts in 1u64..6, workers in 1u64..5, vus in 1u64..12,
    ) {
        let plan = ConstantArrivalRate { max_vus: vus, ..constant(rate, S, 2 * S) };
        let mut together: Vec<Start> =
            shares(parts, workers).iter().flat_map(|share| plan.starts(share)).collect();
        together.sort_by_key(|start| start.index);
        prop_assert_eq!(together, plan.starts(&Share::whole()).collect::<Vec<_>>());
    }

    #[test]
    fn a_ramping_rate_has_the_floor_of_its_area(start in 0u64..300, stages in stages(300)) {
        let plan = ramping(start, S, stages.clone());
        let (mut doubled, mut from) = (0u128, start);
        for stage in &stages {
            doubled += u128::from(from + stage.target) * u128::from(stage.duration_ns);
            from = stage.target;
        }
        let total = (doubled / u128::from(2 * S)) as u64;
        let starts: Vec<Start> = plan.starts(&Share::whole()).collect();
        prop_assert_eq!(plan.total_starts(), total);
        prop_assert_eq!(plan.starts(&Share::whole()).total(), total);
        prop_assert_eq!(starts.len() as u64, total);
        let end: u64 = stages.iter().map(|stage| stage.duration_ns).sum();
        prop_assert!(starts.is_sorted_by_key(|start| start.offset_ns));
        prop_assert!(starts.last().is_none_or(|last| last.offset_ns <= end));
    }

    /// Each start is the first nanosecond at which the area is reached, computed the long way.
    #[test]
    fn a_ramping_rate_starts_at_the_first_nanosecond(
        from in 0u64..100_000, to in 0u64..100_000, duration in 1u64..10 * S,
    ) {
        let plan = ramping(from, S, vec![stage(duration, to)]);
        let reached = |t: u64, n: u64| {
            let (f, g, d) = (i128::from(from), i128::from(to), i128::from(duration));
            let t = i128::from(t);
            2 * f * t * d + (g - f) * t * t >= i128::from(n) * 2 * i128::from(S) * d
        };
        let plan = RampingArrivalRate { max_vus: 10_000, ..plan };
        let sparse = Share::new(Segmentation::whole(), Stripe::new(3, 10_000).unwrap());
        let all = Share::whole();
        for start in plan.starts(&sparse).take(100).chain(plan.starts(&all).take(20)) {
            let n = start.index + 1;
            prop_assert!(reached(start.offset_ns, n));
            prop_assert!(start.offset_ns == 0 || !reached(start.offset_ns - 1, n));
        }
    }

    #[test]
    fn the_cut_of_a_ramping_rate_is_the_whole(
        start in 0u64..100, stages in stages(100),
        parts in 1u64..5, workers in 1u64..4, vus in 1u64..12,
    ) {
        let plan = RampingArrivalRate { max_vus: vus, ..ramping(start, S, stages) };
        let mut together: Vec<Start> =
            shares(parts, workers).iter().flat_map(|share| plan.starts(share)).collect();
        together.sort_by_key(|start| start.index);
        prop_assert_eq!(together, plan.starts(&Share::whole()).collect::<Vec<_>>());
    }

    #[test]
    fn ramping_vus_ends_at_its_last_target_and_moves_forward(
        start in 0u64..60, stages in stages(60), parts in 1u64..5,
    ) {
        let plan = ramp(start, stages.clone());
        let last = stages.last().unwrap().target;
        let end: u64 = stages.iter().map(|stage| stage.duration_ns).sum();
        for share in shares(parts, 2) {
            let steps: Vec<VuStep> = plan.steps(&share).collect();
            prop_assert!(steps.is_sorted_by_key(|step| step.offset_ns));
            prop_assert_eq!(steps.last().unwrap().vus, share.count(last));
            prop_assert!(steps.last().unwrap().offset_ns <= end);
        }
    }

    /// At every instant the shares have exactly the VUs of the whole.
    #[test]
    fn the_cut_of_ramping_vus_is_the_whole(
        start in 0u64..40, stages in stages(40), parts in 1u64..5, workers in 1u64..4,
    ) {
        let plan = ramp(start, stages);
        let lines: Vec<Vec<VuStep>> =
            shares(parts, workers).iter().map(|share| plan.steps(share).collect()).collect();
        let whole: Vec<VuStep> = plan.steps(&Share::whole()).collect();
        let at = |steps: &[VuStep], now: u64| {
            let until = steps.partition_point(|step| step.offset_ns <= now);
            steps[until - 1].vus
        };
        for step in &whole {
            let together: u64 = lines.iter().map(|steps| at(steps, step.offset_ns)).sum();
            prop_assert_eq!(together, at(&whole, step.offset_ns));
        }
    }

    #[test]
    fn shared_iterations_are_all_dealt_and_only_to_vus(
        vus in 1u64..30, more in 0u64..500, parts in 1u64..6, workers in 1u64..5,
    ) {
        let plan = SharedIterations { vus, iterations: vus + more, max_duration_ns: S };
        let shares = shares(parts, workers);
        let dealt: u64 = shares.iter().map(|share| plan.iterations(share)).sum();
        prop_assert_eq!(dealt, plan.iterations);
        prop_assert_eq!(shares.iter().map(|share| plan.vus(share)).sum::<u64>(), vus);
        for share in &shares {
            prop_assert!(plan.vus(share) > 0 || plan.iterations(share) == 0);
        }
    }
}

/// What is held at an instant, the long way: the most VUs at any time of the last `linger_ns`.
fn held(steps: &[VuStep], linger_ns: u64, at_ns: u64) -> u64 {
    let until = |i: usize| steps.get(i + 1).map_or(u64::MAX, |next| next.offset_ns);
    let recent = |(i, step): &(usize, &VuStep)| {
        step.offset_ns <= at_ns && until(*i).saturating_add(linger_ns) > at_ns
    };
    let recent = steps.iter().enumerate().filter(recent);
    recent.map(|(_, step)| step.vus).max().unwrap_or(0)
}

proptest! {
    #[test]
    fn vus_are_held_while_they_may_be_finishing(
        start in 0u64..20, stages in stages(20), linger_ns in 0u64..5 * S, stop_ns in 0u64..5 * S,
        instants in proptest::collection::vec(0u64..30 * S, 50),
    ) {
        let plan = RampingVus { graceful_ramp_down_ns: linger_ns, ..ramp(start, stages.clone()) };
        let steps: Vec<VuStep> = plan.steps(&Share::whole()).collect();
        let end: u64 = stages.iter().map(|stage| stage.duration_ns).sum::<u64>() + stop_ns;
        let demands: Vec<Demand> =
            Demands::new(&Executor::RampingVus(plan), stop_ns, &Share::whole()).collect();
        prop_assert!(demands.is_sorted_by_key(|demand| demand.offset_ns));
        prop_assert_eq!(demands.last().unwrap().vus(), 0);
        for at_ns in instants {
            let until = demands.partition_point(|demand| demand.offset_ns <= at_ns);
            let expected = if at_ns < end { held(&steps, linger_ns, at_ns) } else { 0 };
            prop_assert_eq!(demands[until - 1].vus(), expected, "at {}", at_ns);
        }
    }
}
