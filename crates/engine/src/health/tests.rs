//! The judge on evidence made by hand: each kind of disturbance is found in time and named, noise is not.

use netload_metrics::accuracy::Stamps;
use netload_metrics::generator::{Cause, Evidence, Spread, Verdict};
use proptest::prelude::*;

use super::SLICE_NS;
use super::judge::{EPISODES, Judge, Ruling};

fn spread(count: u64, p50_ms: f64, p99_ms: f64, max_ms: f64) -> Spread {
    Spread {
        count,
        sum_ms: count as f64 * p50_ms,
        p50_ms,
        p99_ms,
        max_ms,
    }
}

/// A slice at 1000 starts per second as a small machine shows it when all is well.
fn fine() -> Evidence {
    Evidence {
        net: spread(500, 1.15, 2.0, 4.0),
        gross: spread(500, 1.2, 2.2, 4.2),
        tare: spread(500, 0.05, 0.2, 0.6),
        late: spread(500, 0.08, 0.3, 1.0),
        planned: 500.0,
        started: 500,
        worker_run: Some(0.15),
        worker_wait: Some(0.02),
        machine_busy: Some(0.4),
        own_cpu: Some(0.1),
        steal: Some(0.01),
        throttled: Some(0.0),
        pressure_cpu: Some(0.2),
        pressure_memory: Some(0.0),
        softnet_dropped: Some(0),
        major_faults: Some(0),
        ..Evidence::default()
    }
}

/// Hears slices one after the other; returns the ruling and when the first alarm was raised.
fn judge(slices: impl IntoIterator<Item = Evidence>) -> (Ruling, Option<u64>) {
    let mut judge = Judge::default();
    let mut found_ns = None;
    for (at, mut slice) in slices.into_iter().enumerate() {
        slice.at_ns = at as u64 * SLICE_NS;
        slice.span_ns = SLICE_NS;
        if judge.hear(&mut slice) {
            found_ns.get_or_insert(slice.at_ns + slice.span_ns);
        }
    }
    (judge.rule(&[]), found_ns)
}

/// Six seconds of which the third and fourth are like this.
fn within(disturbed: &Evidence) -> (Ruling, Option<u64>) {
    judge((0..12).map(|at| match at {
        4..8 => disturbed.clone(),
        _ => fine(),
    }))
}

/// One row: what a disturbed slice looks like, and what must be said about it.
fn check(disturbed: Evidence, verdict: Verdict, cause: Cause, says: &str) {
    let (ruling, found_ns) = within(&disturbed);
    assert_eq!(
        (ruling.verdict, ruling.cause),
        (verdict, Some(cause)),
        "{ruling:?}"
    );
    assert_eq!(ruling.since_ns, Some(4 * SLICE_NS));
    assert_eq!(ruling.until_ns, Some(8 * SLICE_NS));
    let found_ns = found_ns.unwrap();
    assert!(found_ns <= 4 * SLICE_NS + 2_000_000_000, "{found_ns}");
    let told = format!("{}; {}", ruling.detail, ruling.meaning);
    assert!(told.contains(says), "{told}");
    assert!(ruling.confidence > 0.9);
}

#[test]
fn a_quiet_run_is_clean() {
    let (ruling, found_ns) = judge((0..120).map(|_| fine()));
    assert_eq!(
        (ruling.verdict, ruling.cause, found_ns),
        (Verdict::Clean, None, None)
    );
    assert_eq!(ruling.meaning, "net and gross hold");
    assert!(ruling.episodes.is_empty());
}

#[test]
fn another_program_on_the_workers_core() {
    let hog = Evidence {
        gross: spread(500, 1.3, 6.0, 9.0),
        tare: spread(500, 0.1, 4.0, 8.0),
        late: spread(500, 0.2, 3.5, 8.0),
        worker_wait: Some(0.31),
        machine_busy: Some(0.9),
        ..fine()
    };
    check(
        hog,
        Verdict::Disturbed,
        Cause::CpuContention,
        "net holds, p99 of gross",
    );
}

#[test]
fn no_cpu_left_because_of_another_program() {
    let hog = Evidence {
        gross: spread(500, 4.0, 26.0, 60.0),
        tare: spread(500, 3.0, 24.0, 55.0),
        worker_run: Some(0.5),
        worker_wait: Some(0.5),
        planned: 0.0,
        started: 0,
        ..fine()
    };
    let says = "worker 0 waited up to 50% of the time for a CPU that other programs used";
    check(hog, Verdict::GeneratorBound, Cause::CpuContention, says);
}

#[test]
fn a_script_that_burns_the_cpu() {
    let burning = Evidence {
        gross: spread(400, 22.0, 30.0, 40.0),
        tare: spread(400, 20.0, 28.0, 38.0),
        worker_run: Some(0.99),
        worker_wait: Some(0.01),
        started: 350,
        dropped: 150,
        all_busy: 1.0,
        ..fine()
    };
    check(
        burning,
        Verdict::GeneratorBound,
        Cause::OwnCpu,
        "70% of the planned load",
    );
}

#[test]
fn a_stopped_process() {
    let stopped = Evidence {
        gross: spread(500, 1.2, 210.0, 215.0),
        tare: spread(500, 0.05, 100.0, 205.0),
        late: spread(500, 0.08, 190.0, 200.0),
        stood_still_ns: 190_000_000,
        stood_still_waiting_ns: 1_000_000,
        ..fine()
    };
    check(
        stopped,
        Verdict::Disturbed,
        Cause::Stopped,
        "stood still for up to 190ms",
    );
}

#[test]
fn a_container_with_a_quota() {
    let throttled = Evidence {
        gross: spread(300, 30.0, 95.0, 99.0),
        tare: spread(300, 20.0, 90.0, 95.0),
        late: spread(300, 20.0, 80.0, 90.0),
        throttled: Some(0.6),
        worker_wait: Some(0.5),
        started: 300,
        behind: 200.0,
        ..fine()
    };
    check(
        throttled,
        Verdict::GeneratorBound,
        Cause::CpuQuota,
        "used up for up to 60% of the time",
    );
}

#[test]
fn a_hypervisor_that_takes_the_cpu() {
    let late = Evidence {
        gross: spread(500, 1.3, 9.0, 20.0),
        steal: Some(0.3),
        ..fine()
    };
    check(
        late,
        Verdict::Disturbed,
        Cause::Steal,
        "took up to 30% of a CPU",
    );
    // 2 % of half a second are 10 ms.
    let in_one_piece = Evidence {
        tare: spread(500, 0.1, 4.0, 8.0),
        late: spread(500, 0.1, 3.5, 8.0),
        steal: Some(0.02),
        worker_wait: Some(0.001),
        ..fine()
    };
    check(
        in_one_piece,
        Verdict::Disturbed,
        Cause::Steal,
        "took up to 2% of a CPU",
    );
    let stamps_only = Evidence {
        steal: Some(0.3),
        ..fine()
    };
    check(
        stamps_only.clone(),
        Verdict::Disturbed,
        Cause::Steal,
        "net may be too large then",
    );
    // What makes netload late may make the stamps late.
    let mut both = Evidence {
        gross: spread(500, 1.3, 6.0, 9.0),
        tare: spread(500, 0.1, 4.0, 8.0),
        ..stamps_only
    };
    Judge::default().hear(&mut both);
    assert_eq!(both.touched.names(), ["gross", "net"]);
}

#[test]
fn without_stamps_other_signs_count_and_net_is_no_better_than_gross() {
    let blind = Evidence {
        responses: 500,
        unstamped: 500,
        ..fine()
    };
    let (ruling, _) = judge((0..20).map(|_| blind.clone()));
    assert_eq!(
        ruling.verdict,
        Verdict::Clean,
        "having none is no disturbance"
    );
    let hog = Evidence {
        worker_wait: Some(0.4),
        machine_busy: Some(0.9),
        ..blind.clone()
    };
    check(
        hog,
        Verdict::Disturbed,
        Cause::CpuContention,
        "net may be too large then",
    );
    let stopped = Evidence {
        net: spread(500, 1.2, 190.0, 201.0),
        gross: spread(500, 1.2, 190.0, 201.0),
        late: spread(0, 0.0, 0.0, 0.0),
        stood_still_ns: 200_000_000,
        ..blind
    };
    check(
        stopped,
        Verdict::Disturbed,
        Cause::Stopped,
        "net may be too large then",
    );
}

#[test]
fn the_meaning_says_that_stamps_are_missing() {
    let clean = || super::words::CLEAN.to_owned();
    let stamps = |kernel, unix, refused| Stamps {
        kernel,
        unix,
        refused,
        missing: 0,
    };
    let meaning = |meaning, stamps| super::words::without_stamps(meaning, &stamps);
    assert_eq!(meaning(clean(), stamps(1_000, 5, 0)), "net and gross hold");
    assert_eq!(
        meaning(clean(), stamps(0, 7, 0)),
        "gross holds, but no response has a kernel stamp (unix sockets have none), so net is what other tools measure: \
         netload's own delays are in it"
    );
    assert_eq!(
        meaning("net holds".to_owned(), stamps(75, 0, 25)),
        "net holds; 25% of the responses have no kernel stamp (the kernel refused to make them): their net has \
         netload's own delays in it"
    );
}

#[test]
fn every_vu_is_busy() {
    let slow_server = Evidence {
        net: spread(100, 400.0, 900.0, 990.0),
        gross: spread(100, 400.1, 900.1, 990.1),
        started: 100,
        dropped: 400,
        all_busy: 1.0,
        ..fine()
    };
    let says = "every VU or connection was busy when 1600 of 2000 planned starts were due";
    check(
        slow_server.clone(),
        Verdict::ConcurrencyBound,
        Cause::AllBusy,
        says,
    );
    let queued = Evidence {
        dropped: 0,
        behind: 400.0,
        ..slow_server
    };
    check(
        queued,
        Verdict::ConcurrencyBound,
        Cause::AllBusy,
        "not netload",
    );
}

#[test]
fn nothing_left_to_open() {
    let files = Evidence {
        out_of_files: 7,
        ..fine()
    };
    check(
        files,
        Verdict::GeneratorBound,
        Cause::OpenFiles,
        "not the server's",
    );
    let ports = Evidence {
        out_of_ports: 7,
        ..fine()
    };
    check(
        ports,
        Verdict::GeneratorBound,
        Cause::Ports,
        "found no free local port",
    );
}

#[test]
fn a_clock_that_is_set() {
    let stepped = Evidence {
        clock_steps: 1,
        clock_step_ns: 100_000_000,
        ..fine()
    };
    check(
        stepped,
        Verdict::Disturbed,
        Cause::ClockStep,
        "by up to 100ms",
    );
}

#[test]
fn dropped_packets_and_slow_memory() {
    let dropped = Evidence {
        softnet_dropped: Some(200),
        ..fine()
    };
    check(dropped, Verdict::Disturbed, Cause::PacketDrops, "too large");
    let swapping = Evidence {
        gross: spread(500, 2.0, 60.0, 90.0),
        tare: spread(500, 0.5, 55.0, 80.0),
        major_faults: Some(900),
        ..fine()
    };
    check(
        swapping,
        Verdict::Disturbed,
        Cause::Memory,
        "fetched back from disk",
    );
}

#[test]
fn what_nothing_explains_is_said_so() {
    let slow = Evidence {
        gross: spread(500, 3.0, 30.0, 40.0),
        worker_run: None,
        worker_wait: None,
        steal: None,
        throttled: None,
        ..fine()
    };
    check(
        slow,
        Verdict::Disturbed,
        Cause::Unknown,
        "nothing that could be read explains it",
    );
}

#[test]
fn one_weak_sign_is_chance_and_so_is_a_rough_start() {
    let weak = Evidence {
        gross: spread(500, 1.3, 6.0, 9.0),
        ..fine()
    };
    let (ruling, _) = judge((0..40).map(|at| if at % 3 == 0 { weak.clone() } else { fine() }));
    assert_eq!(ruling.verdict, Verdict::Clean);
    let rough = Evidence {
        gross: spread(500, 40.0, 90.0, 120.0),
        tare: spread(500, 30.0, 80.0, 110.0),
        ..fine()
    };
    let (ruling, _) = judge((0..10).map(|at| if at == 0 { rough.clone() } else { fine() }));
    assert_eq!(ruling.verdict, Verdict::Clean);
}

#[test]
fn a_busy_machine_alone_is_no_finding() {
    let busy = Evidence {
        worker_run: Some(0.7),
        worker_wait: Some(0.29),
        machine_busy: Some(1.0),
        pressure_cpu: Some(1.0),
        retransmits: Some(5),
        ..fine()
    };
    assert_eq!(
        judge((0..60).map(|_| busy.clone())).0.verdict,
        Verdict::Clean
    );
}

#[test]
fn the_cause_is_what_did_most_harm_not_what_lasted_longest() {
    let shared = Evidence {
        gross: spread(500, 1.3, 6.0, 9.0),
        tare: spread(500, 0.1, 4.0, 8.0),
        worker_wait: Some(0.2),
        ..fine()
    };
    let stopped = Evidence {
        tare: spread(500, 0.1, 90.0, 205.0),
        stood_still_ns: 200_000_000,
        ..shared.clone()
    };
    let (ruling, _) = judge((0..20).map(|at| {
        if at % 7 == 6 {
            stopped.clone()
        } else {
            shared.clone()
        }
    }));
    assert_eq!(
        (ruling.verdict, ruling.cause),
        (Verdict::Disturbed, Some(Cause::Stopped))
    );
    assert!(ruling.confidence < 1.0);
}

#[test]
fn contradictions_make_a_run_invalid() {
    let ruling = Judge::default().rule(&["2 were counted, but 3 were recorded".to_owned()]);
    assert_eq!(
        (ruling.verdict, ruling.cause),
        (Verdict::Invalid, Some(Cause::Conservation))
    );
    assert!(ruling.meaning.starts_with("do not use these numbers"));
}

#[test]
fn episodes_are_told_apart_and_bounded() {
    let stall = Evidence {
        tare: spread(500, 0.05, 1.0, 80.0),
        ..fine()
    };
    let (ruling, _) = judge((0..2_000).map(|at| if at % 10 == 5 { stall.clone() } else { fine() }));
    assert_eq!(ruling.episodes.len(), EPISODES);
    assert_eq!(ruling.left_out, 200 - EPISODES as u64);
    assert_eq!(ruling.episodes[1].since_ns, 15 * SLICE_NS);
}

proptest! {
    #[test]
    fn noise_of_a_healthy_machine_never_alarms(
        noise in prop::collection::vec(
            (0.05..20.0f64, 0.0..1.5f64, 0.0..1.5f64, 0.0..0.6f64, 0.0..0.08f64, 0u64..4_000), 1..200)
    ) {
        let slices = noise.into_iter().map(|(net_ms, tare_ms, late_ms, wait, steal, count)| Evidence {
            net: spread(count, net_ms, net_ms * 3.0, net_ms * 10.0),
            gross: spread(count, net_ms + tare_ms / 10.0, net_ms * 3.0 + tare_ms, net_ms * 10.0 + tare_ms),
            tare: spread(count, tare_ms / 10.0, tare_ms, tare_ms * 5.0),
            late: spread(count, late_ms / 10.0, late_ms, late_ms * 5.0),
            planned: count as f64,
            started: count,
            worker_run: Some(0.3),
            worker_wait: Some(wait),
            steal: Some(steal),
            ..fine()
        });
        let (ruling, found_ns) = judge(slices);
        prop_assert_eq!((ruling.verdict, found_ns), (Verdict::Clean, None));
    }

    #[test]
    fn the_span_of_a_disturbance_is_found_wherever_it_lies(
        before in 1usize..40, length in 2usize..40, tare_ms in 12.0..500.0f64
    ) {
        let slow = Evidence {
            gross: spread(500, 1.2, 2.0 + tare_ms, 5.0 + tare_ms),
            tare: spread(500, 0.05, tare_ms, tare_ms * 1.1),
            worker_wait: Some(0.4),
            ..fine()
        };
        let slices = (0..before + length + 5).map(|at| {
            if at >= before && at < before + length { slow.clone() } else { fine() }
        });
        let (ruling, found_ns) = judge(slices);
        prop_assert_eq!(ruling.cause, Some(Cause::CpuContention));
        prop_assert_eq!(ruling.since_ns, Some(before as u64 * SLICE_NS));
        prop_assert_eq!(ruling.until_ns, Some((before + length) as u64 * SLICE_NS));
        prop_assert!(found_ns.unwrap() <= (before as u64 + 2) * SLICE_NS);
    }
}
