//! One slice of evidence, weighed: whether the numbers were touched, which of them, how badly, and by what.
//!
//! A pure function. Only what touches the numbers counts: a busy machine alone is no finding. The thresholds are meant
//! for a machine of two cores on which the server runs too.

use netload_metrics::generator::{Cause, Evidence, Spread, Touched, Verdict};

/// Exchanges or starts from which a 99th percentile of a slice means something.
const MANY: u64 = 50;
/// Tare that gross can bear at its 99th percentile, in milliseconds: what the scheduler of a busy but healthy machine
/// adds at times.
const TARE_MS: f64 = 2.0;
/// The same as a share of gross.
const TARE_SHARE: f64 = 0.05;
/// Tare that counts at once, in milliseconds and as a share of gross.
const MUCH_TARE_MS: f64 = 10.0;
const MUCH_TARE_SHARE: f64 = 0.2;
/// Lateness that starts can bear at their 99th percentile, in milliseconds, and as a share of the median of net.
const LATE_MS: f64 = 2.0;
const LATE_SHARE: f64 = 0.2;
/// Lateness that counts at once, in milliseconds and as the same share.
const MUCH_LATE_MS: f64 = 10.0;
const MUCH_LATE_SHARE: f64 = 0.5;
/// A single exchange or start held up by so much counts, in milliseconds.
const STALL_MS: f64 = 50.0;
/// Planned starts that may be missing or dropped in a slice, as a share and as a number.
const MISSING_SHARE: f64 = 0.02;
const DROPPED_SHARE: f64 = 0.01;
const MISSING: f64 = 5.0;
/// A share of dropped or missing starts that counts at once.
const MUCH_DROPPED: f64 = 0.1;
/// Share of looks from which on "every VU is busy" explains why starts wait.
const MOSTLY_BUSY: f64 = 0.5;
/// Tare as a share of gross from which on VUs are busy because of netload and not because of the server.
const OWN_FAULT: f64 = 0.3;
/// A worker that is idle less than this has no CPU left.
const SATURATED: f64 = 0.95;
/// Steal that makes receive stamps late, and that counts at once.
const STEAL: f64 = 0.15;
const MUCH_STEAL: f64 = 0.4;
/// Share of responses without a kernel stamp from which on their net is no longer what the server took.
pub(super) const UNSTAMPED: f64 = 0.01;
/// Waiting for a CPU that touches exchanges without stamps: nothing else shows it, as nothing else shows steal.
const BLIND_WAIT: f64 = 0.15;
/// Dropped packets that count at once.
const MUCH_SOFTNET: u64 = 100;

/// Shares from which on something explains a delay.
const EXPLAINS_THROTTLED: f64 = 0.02;
const EXPLAINS_WAIT: f64 = 0.03;
const EXPLAINS_STEAL: f64 = 0.05;
const EXPLAINS_RUN: f64 = 0.5;
const EXPLAINS_PRESSURE: f64 = 0.05;
const EXPLAINS_FAULTS: u64 = 20;
/// What counts as much as a delay of so many milliseconds: failures, missing starts, a clock that was set.
const NO_DELAY_MS: f64 = 50.0;
/// Standing still for less than this explains nothing, in nanoseconds.
const STOPPED_NS: u64 = 30_000_000;

/// How sure a slice is of what it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Could be chance; counts when the next slice agrees.
    Weak = 1,
    /// Cannot be chance.
    Strong = 2,
}

/// What a slice shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    pub(super) weight: Weight,
    pub(super) cause: Cause,
    pub(super) touched: Touched,
}

impl Finding {
    /// How much it did, to weigh causes against each other: the longest delay in milliseconds, or much for what is no
    /// delay.
    pub(super) fn harm(&self, e: &Evidence) -> f64 {
        let delay_ms = match (self.touched.gross, self.touched.starts) {
            (false, false) => NO_DELAY_MS,
            _ => e.tare.max_ms.max(e.late.max_ms).max(1.0),
        };
        delay_ms * f64::from(self.weight as u32)
    }
}

/// Weighs a slice. `first`: it holds the start of the load, when all connections are opened at once.
pub(super) fn weigh(e: &Evidence, first: bool) -> Option<Finding> {
    let (numbers, stamps) = (of_numbers(e, first), of_stamps(e));
    let mut finding = numbers.or(stamps)?;
    // What delays netload may touch the kernel's stamps too.
    finding
        .touched
        .absorb(stamps.map(|s| s.touched).unwrap_or_default());
    // Without stamps what touches gross is in net as well.
    finding.touched.net_up |= finding.touched.gross && is_blind(e);
    Some(finding)
}

/// What the numbers themselves show.
fn of_numbers(e: &Evidence, first: bool) -> Option<Finding> {
    if e.out_of_files + e.out_of_ports > 0 {
        let cause = match e.out_of_files {
            0 => Cause::Ports,
            _ => Cause::OpenFiles,
        };
        return Some(Finding {
            verdict: Verdict::GeneratorBound,
            weight: Weight::Strong,
            cause,
            touched: Touched {
                load: true,
                failures: true,
                ..Touched::default()
            },
        });
    }
    let tare = tare(e, first);
    let late = late(e, first);
    let missing = missing(e);
    if let Some((weight, own)) = missing {
        let own = own || tare_share(e) >= OWN_FAULT || saturation(e) >= SATURATED;
        return Some(Finding {
            verdict: match own {
                true => Verdict::GeneratorBound,
                false => Verdict::ConcurrencyBound,
            },
            weight,
            cause: match own {
                true => of_delay(e),
                false => Cause::AllBusy,
            },
            touched: Touched {
                gross: tare.is_some(),
                starts: late.is_some(),
                load: true,
                ..Touched::default()
            },
        });
    }
    if let Some(weight) = tare.max(late) {
        return Some(Finding {
            verdict: match saturation(e) >= SATURATED {
                true => Verdict::GeneratorBound,
                false => Verdict::Disturbed,
            },
            weight,
            cause: of_delay(e),
            touched: Touched {
                gross: tare.is_some(),
                starts: late.is_some(),
                net: e.clock_steps > 0,
                ..Touched::default()
            },
        });
    }
    None
}

/// Whether responses lack the stamps by which a delay of ours is told from one of the server's.
fn is_blind(e: &Evidence) -> bool {
    e.share_unstamped() >= UNSTAMPED
}

/// Disturbances that no delay of ours shows, because they touch the kernel's stamps themselves or there are none.
fn of_stamps(e: &Evidence) -> Option<Finding> {
    let steal = e.steal.unwrap_or(0.0);
    let dropped = e.softnet_dropped.unwrap_or(0);
    let (cause, weight, touched) = if e.clock_steps > 0 {
        let touched = Touched {
            net: true,
            ..Touched::default()
        };
        (Cause::ClockStep, Weight::Strong, touched)
    } else if e.net.count > 0 && (steal >= STEAL || dropped > 0) {
        let (cause, much) = match dropped {
            0 => (Cause::Steal, steal >= MUCH_STEAL),
            dropped => (Cause::PacketDrops, dropped >= MUCH_SOFTNET),
        };
        let touched = Touched {
            net_up: true,
            ..Touched::default()
        };
        (
            cause,
            if much { Weight::Strong } else { Weight::Weak },
            touched,
        )
    } else if is_blind(e) && suffers(e) {
        let touched = Touched {
            gross: true,
            net_up: true,
            ..Touched::default()
        };
        (of_delay(e), Weight::Weak, touched)
    } else {
        return None;
    };
    Some(Finding {
        verdict: Verdict::Disturbed,
        weight,
        cause,
        touched,
    })
}

/// Whether netload itself cannot but have been delayed, whatever the numbers show.
fn suffers(e: &Evidence) -> bool {
    e.worker_wait.unwrap_or(0.0) >= BLIND_WAIT
        || e.throttled.unwrap_or(0.0) >= EXPLAINS_THROTTLED
        || stopped(e)
}

/// Whether tare touches gross.
fn tare(e: &Evidence, first: bool) -> Option<Weight> {
    if e.tare.count == 0 {
        return None;
    }
    if e.tare.max_ms >= STALL_MS && e.tare.max_ms >= TARE_SHARE * e.gross.max_ms {
        return Some(if first { Weight::Weak } else { Weight::Strong });
    }
    let (added_ms, share) = if e.tare.count >= MANY {
        let added_ms = e.gross.p99_ms - e.net.p99_ms;
        (added_ms, added_ms / e.gross.p99_ms.max(f64::MIN_POSITIVE))
    } else {
        (e.tare.mean_ms(), tare_share(e))
    };
    touched(
        added_ms,
        (TARE_MS, share >= TARE_SHARE),
        (MUCH_TARE_MS, share >= MUCH_TARE_SHARE && !first),
    )
}

/// Whether planned starts were late although a VU was free.
fn late(e: &Evidence, first: bool) -> Option<Weight> {
    let Spread {
        count,
        p99_ms,
        max_ms,
        ..
    } = e.late;
    if count == 0 {
        return None;
    }
    let own = e.net.p50_ms;
    if max_ms >= STALL_MS && max_ms >= LATE_SHARE * own {
        return Some(if first { Weight::Weak } else { Weight::Strong });
    }
    let late_ms = if count >= MANY {
        p99_ms
    } else {
        e.late.mean_ms()
    };
    touched(
        late_ms,
        (LATE_MS, late_ms >= LATE_SHARE * own),
        (MUCH_LATE_MS, late_ms >= MUCH_LATE_SHARE * own && !first),
    )
}

fn touched(
    ms: f64,
    (weak_ms, weak): (f64, bool),
    (strong_ms, strong): (f64, bool),
) -> Option<Weight> {
    if ms >= strong_ms && strong {
        Some(Weight::Strong)
    } else if ms >= weak_ms && weak {
        Some(Weight::Weak)
    } else {
        None
    }
}

/// Whether planned starts did not happen, and whether that was so although a VU was free.
fn missing(e: &Evidence) -> Option<(Weight, bool)> {
    if e.planned <= 0.0 && e.behind <= MISSING {
        return None;
    }
    let weight = |share: f64| match share >= MUCH_DROPPED {
        true => Weight::Strong,
        false => Weight::Weak,
    };
    let dropped = e.dropped as f64;
    let busy = e.all_busy >= MOSTLY_BUSY;
    if dropped >= (DROPPED_SHARE * e.planned).max(2.0) {
        return Some((weight(dropped / e.planned.max(1.0)), false));
    }
    if e.behind >= (MISSING_SHARE * e.planned).max(MISSING) {
        return Some((weight(e.behind / e.planned.max(1.0)), !busy));
    }
    None
}

/// The part of gross that is tare.
fn tare_share(e: &Evidence) -> f64 {
    e.tare.sum_ms / e.gross.sum_ms.max(f64::MIN_POSITIVE)
}

/// The part of the time in which the busiest worker worked or wanted to.
fn saturation(e: &Evidence) -> f64 {
    [e.worker_run, e.worker_wait, e.throttled]
        .into_iter()
        .flatten()
        .sum()
}

/// What explains a delay of ours.
fn of_delay(e: &Evidence) -> Cause {
    let [run, wait, steal, throttled] =
        [e.worker_run, e.worker_wait, e.steal, e.throttled].map(|share| share.unwrap_or(0.0));
    if e.clock_steps > 0 {
        return Cause::ClockStep;
    }
    if throttled >= EXPLAINS_THROTTLED {
        return Cause::CpuQuota;
    }
    if stopped(e) {
        return Cause::Stopped;
    }
    let saturated_by_itself = run >= SATURATED - 0.1 && run >= 4.0 * wait;
    if !saturated_by_itself && wait.max(steal) >= EXPLAINS_WAIT && wait >= steal {
        return Cause::CpuContention;
    }
    if !saturated_by_itself && steal >= EXPLAINS_STEAL {
        return Cause::Steal;
    }
    let faults = e.major_faults.unwrap_or(0) >= EXPLAINS_FAULTS;
    if faults || e.pressure_memory.unwrap_or(0.0) >= EXPLAINS_PRESSURE {
        return Cause::Memory;
    }
    if run >= EXPLAINS_RUN {
        return Cause::OwnCpu;
    }
    // Little of the CPU was taken away, yet in one piece it would be what was felt.
    if steal > 0.0 && stolen_ns(e) >= felt_ns(e) {
        return Cause::Steal;
    }
    Cause::Unknown
}

/// What the hypervisor took of one CPU, in nanoseconds.
fn stolen_ns(e: &Evidence) -> f64 {
    e.steal.unwrap_or(0.0) * e.span_ns as f64
}

/// The longest delay of ours, in nanoseconds.
fn felt_ns(e: &Evidence) -> f64 {
    let seen_ms = if is_blind(e) { e.net.max_ms } else { 0.0 };
    e.tare.max_ms.max(e.late.max_ms).max(seen_ms) * 1e6
}

/// Whether all threads stood still: the coordinator did, was not waiting for a CPU, and the workers felt it too.
fn stopped(e: &Evidence) -> bool {
    let still_ns = e.stood_still_ns;
    still_ns >= STOPPED_NS
        && e.stood_still_waiting_ns < still_ns / 2
        && stolen_ns(e) < still_ns as f64 / 2.0
        && felt_ns(e) >= still_ns as f64 / 2.0
}
