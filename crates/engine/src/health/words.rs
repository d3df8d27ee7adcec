//! The sentences about a verdict: what happened, with its numbers, and what that means for those of the run.

use netload_metrics::accuracy::Stamps;
use netload_metrics::generator::{Cause, Evidence, Touched, Verdict};

use super::finding::UNSTAMPED;

/// What a clean run means.
pub(super) const CLEAN: &str = "net and gross hold";

/// The meaning of a run in which responses came without stamps; the other way round it stays as it is.
pub(super) fn without_stamps(meaning: String, stamps: &Stamps) -> String {
    if stamps.share_without() < UNSTAMPED {
        return meaning;
    }
    let reason = stamps.reason();
    let blind = match stamps.kernel {
        0 => format!(
            "no response has a kernel stamp ({reason}), so net is what other tools measure: netload's own delays are in it"
        ),
        _ => format!(
            "{} of the responses have no kernel stamp ({reason}): their net has netload's own delays in it",
            percent(Some(stamps.share_without()))
        ),
    };
    match meaning == CLEAN {
        true => format!("gross holds, but {blind}"),
        false => format!("{meaning}; {blind}"),
    }
}

/// What a contradiction means.
pub(super) const INVALID: &str = "do not use these numbers: samples or time were lost";

/// A moment as seconds since the load started: `4s`, `4.5s`.
pub(super) fn second(ns: u64) -> String {
    let tenths = (ns + 50_000_000) / 100_000_000;
    match tenths % 10 {
        0 => format!("{}s", tenths / 10),
        tenth => format!("{}.{tenth}s", tenths / 10),
    }
}

/// The cause with its numbers, without full stop.
pub(super) fn detail(cause: Cause, e: &Evidence) -> String {
    match cause {
        Cause::Stopped => format!(
            "the process stood still for up to {} (stopped by a signal, a debugger or a suspended machine)",
            ms(e.stood_still_ns as f64 / 1e6)
        ),
        Cause::CpuQuota => format!(
            "the CPU quota of the container or cgroup was used up for up to {} of the time",
            percent(e.throttled)
        ),
        Cause::Steal => format!(
            "the hypervisor took up to {} of a CPU away",
            percent(e.steal)
        ),
        Cause::CpuContention => {
            let by = match (e.machine_busy, e.own_cpu) {
                (Some(busy), Some(own)) if busy - own > 0.05 => " that other programs used",
                _ => "",
            };
            format!(
                "worker {} waited up to {} of the time for a CPU{by}",
                e.worker,
                percent(e.worker_wait)
            )
        }
        Cause::OwnCpu => format!(
            "worker {} had work all the time and used {} of a CPU",
            e.worker,
            percent(e.worker_run)
        ),
        Cause::Memory => format!(
            "memory was fetched back from disk {} times",
            e.major_faults.unwrap_or(0)
        ),
        Cause::PacketDrops => format!(
            "this machine dropped {} received packets before anybody saw them (softnet)",
            e.softnet_dropped.unwrap_or(0)
        ),
        Cause::OpenFiles => format!(
            "{} requests found no free file descriptor (ulimit -n)",
            e.out_of_files
        ),
        Cause::Ports => format!(
            "{} requests found no free local port (net.ipv4.ip_local_port_range, --local-ips)",
            e.out_of_ports
        ),
        Cause::ClockStep => format!(
            "the wall clock was set {} by up to {}",
            times(e.clock_steps),
            ms(e.clock_step_ns as f64 / 1e6)
        ),
        Cause::AllBusy => {
            let waiting = e.dropped as f64 + e.behind;
            format!(
                "every VU or connection was busy when {waiting:.0} of {:.0} planned starts were due",
                e.planned.max(waiting)
            )
        }
        Cause::Conservation => "counts that must agree do not".to_owned(),
        Cause::Unknown => "nothing that could be read explains it".to_owned(),
    }
}

/// What a verdict other than clean means, without full stop.
pub(super) fn meaning(verdict: Verdict, touched: Touched, e: &Evidence) -> String {
    let mut parts = Vec::new();
    match verdict {
        Verdict::GeneratorBound if touched.failures => {
            parts.push("those failures are not the server's".to_owned());
        }
        Verdict::GeneratorBound if touched.load => {
            let done = e.started as f64 / e.planned.max(1.0);
            parts.push(format!(
                "only {:.0}% of the planned load was offered",
                (done * 100.0).min(100.0)
            ));
        }
        Verdict::GeneratorBound => {
            parts.push(
                "the rate is what this generator could do, not what the server can".to_owned(),
            );
        }
        Verdict::ConcurrencyBound => {
            parts.push(
                "the limit of VUs or connections, or the server, is the limit, not netload"
                    .to_owned(),
            );
            parts.push("net counts only what was sent".to_owned());
        }
        Verdict::Clean | Verdict::Disturbed | Verdict::Invalid => {}
    }
    if touched.net {
        parts.push(
            "net of exchanges within 0.1s of a step may be wrong by as much, gross holds"
                .to_owned(),
        );
    } else if touched.net_up {
        parts.push("net may be too large then, never too small".to_owned());
    } else if touched.gross {
        let added = (e.gross.p99_ms - e.net.p99_ms).max(0.0);
        parts.push(match added >= 0.1 {
            true => format!("net holds, p99 of gross was up to {} too large", ms(added)),
            false => format!(
                "net holds, single gross values were up to {} too large",
                ms(e.tare.max_ms)
            ),
        });
    } else if verdict != Verdict::ConcurrencyBound {
        parts.push("net holds for what was sent".to_owned());
    }
    if touched.starts {
        parts.push(format!(
            "planned starts were up to {} late",
            ms(e.late.max_ms)
        ));
    }
    parts.join("; ")
}

fn percent(share: Option<f64>) -> String {
    format!("{:.0}%", share.unwrap_or(0.0) * 100.0)
}

fn times(count: u64) -> String {
    match count {
        1 => "once".to_owned(),
        count => format!("{count} times"),
    }
}

fn ms(ms: f64) -> String {
    if ms >= 1_000.0 {
        format!("{:.1}s", ms / 1e3)
    } else if ms >= 10.0 {
        format!("{ms:.0}ms")
    } else {
        format!("{ms:.1}ms")
    }
}
