//! The verdict on the generator: one paragraph for people, the object `generator` of the document for machines.
//!
//! `generator` in the document:
//!
//! - `verdict`: `clean`, `disturbed`, `concurrency-bound`, `generator-bound` or `invalid`; `since_s`, `until_s`: when it
//!   came to that and when that was last so, in seconds since the load started, `null` when clean.
//! - `cause`: `stopped`, `cpu-quota`, `steal`, `cpu-contention`, `own-cpu`, `memory`, `packet-drops`, `open-files`, `ports`,
//!   `clock-step`, `all-busy`, `conservation`, `unknown` or `null`; `detail`: the cause with its numbers; `meaning`: what it
//!   means for the numbers; `confidence`: the part of the touched time that the cause explains.
//! - `episodes`: stretches that were not clean: `verdict`, `since_s`, `until_s`, `found_s` (when it was known), `cause`, `detail`.
//! - `evidence`: by seconds (longer steps in long runs); shares are from 0 to 1, `null` is what could not be read.
//! - `little_residual`: the part of the VUs' time that no iteration accounts for; `contradictions`: counts that do not agree.
//! - `unread`: what could not be read: `quantity`, `reason`, `effect`.
//! - `clean_window`: `seconds` that nothing touched, with `net` and `gross` of these; `null` when all or none were.
//! - `zero`: what `--zero` measured before the test, or `null`; see docs/generator.md.

use netload_metrics::generator::{CleanPart, Episode, Evidence, Report, Spread, Verdict, Zero};
use serde_json::{Value, json};

use crate::TimeUnit;
use crate::handle_summary::number;
use crate::line::{Line, wrap};
use crate::number::{self, grouped};
use crate::palette::Style;

/// The paragraph: its head stands at `indent`, its text at `text_at`, and no line is wider than `width`.
pub(crate) fn lines(
    report: &Report,
    title: &str,
    (indent, text_at): (usize, usize),
    width: usize,
) -> Vec<Line> {
    let style = match report.verdict {
        Verdict::Clean => Style::Good,
        Verdict::Disturbed | Verdict::ConcurrencyBound => Style::Warning,
        Verdict::GeneratorBound | Verdict::Invalid => Style::Bad,
    };
    let room = width.saturating_sub(text_at).max(20);
    let mut lines = Vec::new();
    for (at, text) in sentences(report).into_iter().enumerate() {
        for (row, text) in wrap(&text, room).into_iter().enumerate() {
            let line = match (at, row) {
                (0, 0) => Line::indented(indent).styled(Style::Title, title),
                _ => Line::new(),
            };
            let style = if at == 0 { style } else { Style::Faint };
            lines.push(line.blank_to(text_at).styled(style, text));
        }
    }
    if let Some(zero) = &report.zero {
        for text in wrap(&zero_sentence(zero), room) {
            lines.push(Line::new().blank_to(text_at).styled(Style::Faint, text));
        }
    }
    lines
}

/// The verdict, what it means, the clean part, and what could not be read.
fn sentences(report: &Report) -> Vec<String> {
    let mut first = report.verdict.name().to_owned();
    if let (Some(since), Some(until)) = (report.since_ns, report.until_ns) {
        first += &format!(" from {} to {}", second(since), second(until));
    }
    if !report.detail.is_empty() {
        first += &format!(": {}", report.detail);
    }
    let mut all = vec![first];
    if report.verdict == Verdict::Clean {
        all[0] += &format!(": {}", report.meaning);
    } else if !report.meaning.is_empty() {
        all.push(format!("{}.", capital(&report.meaning)));
    }
    if let Some(clean) = &report.clean
        && report.verdict != Verdict::Clean
    {
        all.push(format!(
            "In the {} that nothing touched: net p50 {}, p99 {}; gross p50 {}, p99 {}.",
            second(clean.span_ns),
            ms(clean.net.p50_ms),
            ms(clean.net.p99_ms),
            ms(clean.gross.p50_ms),
            ms(clean.gross.p99_ms)
        ));
    }
    if !report.unread.is_empty() {
        let names: Vec<&str> = report.unread.iter().map(|u| u.quantity).collect();
        all.push(format!("Could not be read here: {}.", names.join(", ")));
    }
    all
}

/// What was measured before the test, in one sentence.
fn zero_sentence(zero: &Zero) -> String {
    let [p50, _, p99, _] = zero.tare_ms;
    format!(
        "On this machine against a server that does nothing, at {}/s: tare p50 {}, p99 {}.",
        grouped(zero.achieved_per_s.round() as u64),
        ms(p50),
        ms(p99)
    )
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

/// Seconds with a tenth where there is one.
fn second(ns: u64) -> String {
    let tenths = (ns + 50_000_000) / 100_000_000;
    match tenths % 10 {
        0 => format!("{}s", tenths / 10),
        tenth => format!("{}.{tenth}s", tenths / 10),
    }
}

fn ms(ms: f64) -> String {
    number::duration(ms, TimeUnit::Auto)
}

/// The object.
pub(crate) fn value(report: &Report) -> Value {
    json!({
        "verdict": report.verdict.name(),
        "since_s": report.since_ns.map(seconds),
        "until_s": report.until_ns.map(seconds),
        "cause": report.cause.map(|c| c.name()),
        "detail": report.detail,
        "meaning": report.meaning,
        "confidence": number(report.confidence),
        "episodes": report.episodes.iter().map(episode).collect::<Vec<_>>(),
        "episodes_left_out": report.episodes_left_out,
        "evidence": report.evidence.iter().map(evidence).collect::<Vec<_>>(),
        "little_residual": report.little_residual.map(number),
        "contradictions": report.contradictions,
        "unread": report.unread.iter().map(|u| json!({
            "quantity": u.quantity,
            "reason": u.reason,
            "effect": u.effect,
        })).collect::<Vec<_>>(),
        "clean_window": report.clean.as_ref().map(clean),
        "zero": report.zero.as_ref().map(zero),
    })
}

fn seconds(ns: u64) -> Value {
    number(ns as f64 / 1e9)
}

fn episode(episode: &Episode) -> Value {
    json!({
        "verdict": episode.verdict.name(),
        "since_s": seconds(episode.since_ns),
        "until_s": seconds(episode.until_ns),
        "found_s": seconds(episode.found_ns),
        "cause": episode.cause.name(),
        "detail": episode.detail,
    })
}

fn clean(part: &CleanPart) -> Value {
    json!({
        "seconds": seconds(part.span_ns),
        "net": spread(&part.net),
        "gross": spread(&part.gross),
    })
}

fn spread(spread: &Spread) -> Value {
    if spread.count == 0 {
        return json!({ "count": 0 });
    }
    json!({
        "count": spread.count,
        "avg": number(spread.mean_ms()),
        "p50": number(spread.p50_ms),
        "p99": number(spread.p99_ms),
        "max": number(spread.max_ms),
    })
}

fn evidence(e: &Evidence) -> Value {
    json!({
        "at_s": seconds(e.at_ns),
        "span_s": seconds(e.span_ns),
        "verdict": e.verdict.name(),
        "touched": e.touched.names(),
        "net_ms": spread(&e.net),
        "gross_ms": spread(&e.gross),
        "tare_ms": spread(&e.tare),
        "lateness_ms": spread(&e.late),
        "responses": e.responses,
        "unstamped": e.unstamped,
        "planned": number(e.planned),
        "started": e.started,
        "dropped": e.dropped,
        "behind": number(e.behind),
        "all_busy": number(e.all_busy),
        "worker": e.worker,
        "worker_run": e.worker_run.map(number),
        "worker_wait": e.worker_wait.map(number),
        "stood_still_ms": number(e.stood_still_ns as f64 / 1e6),
        "machine_busy": e.machine_busy.map(number),
        "own_cpu": e.own_cpu.map(number),
        "steal": e.steal.map(number),
        "throttled": e.throttled.map(number),
        "pressure_cpu": e.pressure_cpu.map(number),
        "pressure_memory": e.pressure_memory.map(number),
        "pressure_io": e.pressure_io.map(number),
        "softnet_dropped": e.softnet_dropped,
        "softnet_squeezed": e.softnet_squeezed,
        "retransmits": e.retransmits,
        "listen_drops": e.listen_drops,
        "ports_used": e.ports_used.map(number),
        "files_used": e.files_used.map(number),
        "major_faults": e.major_faults,
        "memory_available_bytes": e.memory_available_bytes,
        "clock_steps": e.clock_steps,
        "clock_step_ms": number(e.clock_step_ns as f64 / 1e6),
        "out_of_files": e.out_of_files,
        "out_of_ports": e.out_of_ports,
    })
}

/// What a measurement against a server that does nothing found.
pub fn zero(zero: &Zero) -> Value {
    let four = |values: &[f64; 4]| {
        let [p50, p90, p99, max] = values.map(number);
        json!({ "p50": p50, "p90": p90, "p99": p99, "max": max })
    };
    json!({
        "rate_per_s": zero.rate_per_s.map(number),
        "connections": zero.connections,
        "payload_bytes": zero.payload_bytes,
        "seconds": seconds(zero.span_ns),
        "exchanges": zero.exchanges,
        "achieved_per_s": number(zero.achieved_per_s),
        "tare_ms": four(&zero.tare_ms),
        "gross_ms": four(&zero.gross_ms),
        "lateness_ms": zero.late_ms.as_ref().map(four),
        "highest_honest_per_s": zero.highest_honest_per_s.map(number),
        "verdict": zero.verdict.name(),
        "detail": zero.detail,
    })
}
