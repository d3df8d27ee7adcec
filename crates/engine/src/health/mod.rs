//! Whether the generator itself touched the numbers: evidence twice a second, a verdict for the run.
//!
//! The coordinator owns it and calls it ten times a second; no worker ever does anything for it but hand over its
//! windows. Owns gathering and keeping evidence; the judge beside it is pure. Invariant: memory does not grow with the
//! length of the run.

mod audit;
mod clocks;
mod finding;
mod judge;
mod load;
mod slice;
mod sources;
mod words;

#[cfg(test)]
mod tests;

use std::sync::atomic::Ordering::Relaxed;

use netload_metrics::generator::{CleanPart, Evidence, Report, Spread, Verdict};
use netload_metrics::{Aggregator, Builtin, Histogram, Summary, Window};

use crate::state::RunState;
use audit::AtWork;
use clocks::ClockWatch;
use judge::Judge;
use load::LoadWatch;
use slice::Slice;
use sources::Sources;

/// Length of a slice, in nanoseconds: two in a row make an alarm, so a disturbance is known within two seconds.
pub(crate) const SLICE_NS: u64 = 500_000_000;
/// Workers hand over at the end of a slice; their windows need so long to arrive, in nanoseconds.
pub(crate) const ARRIVAL_NS: u64 = 50_000_000;
/// Shorter rests at the end of a run say nothing, in nanoseconds.
const REST_LEAST_NS: u64 = 200_000_000;
/// Slices that make one entry of the evidence at first: a second.
const SLICES_PER_ENTRY: u32 = 2;
/// Entries of evidence kept; beyond it two become one.
const ENTRIES: usize = 600;
/// Time between two looks beyond which the coordinator stood still, in nanoseconds.
const LOOK_EVERY_NS: u64 = 100_000_000;
/// Part of the slices with a step of the wall clock from which on no stamp can be trusted.
const STEPPED_AT_MOST: f64 = 0.2;
/// Fewer slices with a step do not make a run invalid.
const STEPPED_LEAST: u64 = 5;

/// The health of the generator in one run.
pub(crate) struct Health {
    metrics: Builtin,
    sources: Sources,
    clocks: ClockWatch,
    load: LoadWatch,
    at_work: AtWork,
    judge: Judge,
    slice: Slice,
    begun: bool,
    /// Start of the load and of the slice, monotonic nanoseconds.
    origin_ns: u64,
    slice_ns: u64,
    looked_ns: u64,
    stood_still_ns: u64,
    evidence: Vec<Evidence>,
    per_entry: u32,
    in_entry: u32,
    clean_ns: u64,
    clean_net: Histogram,
    clean_gross: Histogram,
    now: Option<String>,
}

impl Health {
    /// Opens the sources; the worker threads must run.
    pub(crate) fn new(metrics: Builtin, workers: usize) -> Self {
        Self {
            metrics,
            sources: Sources::open(workers),
            clocks: ClockWatch::new(),
            load: LoadWatch::default(),
            at_work: AtWork::default(),
            judge: Judge::default(),
            slice: Slice::default(),
            begun: false,
            origin_ns: 0,
            slice_ns: 0,
            looked_ns: 0,
            stood_still_ns: 0,
            evidence: Vec::new(),
            per_entry: SLICES_PER_ENTRY,
            in_entry: 0,
            clean_ns: 0,
            clean_net: Histogram::default(),
            clean_gross: Histogram::default(),
            now: None,
        }
    }

    /// The load starts now.
    pub(crate) fn begin(&mut self, now_ns: u64) {
        self.slice.clear();
        self.clocks.look();
        self.clocks.tell(&mut Evidence::default());
        self.sources.read(1, &mut Evidence::default());
        self.begun = true;
        self.origin_ns = now_ns;
        self.slice_ns = now_ns;
        self.looked_ns = now_ns;
    }

    /// Adds a window that the aggregator has absorbed.
    pub(crate) fn absorb(&mut self, window: &Window, aggregator: &Aggregator) {
        if self.begun {
            self.slice.absorb(window, &self.metrics, aggregator);
        }
    }

    /// Looks at what can be seen at a glance, and closes the slice when it is over. Called ten times a second while the
    /// load runs.
    pub(crate) fn look(&mut self, state: &RunState, now_ns: u64) {
        let since_ns = now_ns.saturating_sub(self.looked_ns);
        self.looked_ns = now_ns;
        self.stood_still_ns = self
            .stood_still_ns
            .max(since_ns.saturating_sub(LOOK_EVERY_NS));
        self.at_work.look(state.vus_active.load(Relaxed), since_ns);
        self.load.look(state);
        self.clocks.look();
        // Workers hand over on the same grid of half seconds.
        let over = now_ns % SLICE_NS >= ARRIVAL_NS
            && now_ns / SLICE_NS > (self.slice_ns - ARRIVAL_NS) / SLICE_NS;
        if over {
            self.close(state, now_ns);
        }
    }

    fn close(&mut self, state: &RunState, now_ns: u64) {
        let span_ns = now_ns.saturating_sub(self.slice_ns);
        let mut evidence = Evidence {
            at_ns: self.slice_ns.saturating_sub(self.origin_ns),
            span_ns,
            stood_still_ns: std::mem::take(&mut self.stood_still_ns),
            ..Evidence::default()
        };
        self.slice_ns = now_ns;
        self.sources.read(span_ns, &mut evidence);
        self.clocks.tell(&mut evidence);
        self.load.tell(state, now_ns, &mut evidence);
        self.slice.tell(&mut evidence);
        // A run that is being ended is cut off, not disturbed.
        if !state.is_ending() {
            self.judge.hear(&mut evidence);
        }
        if evidence.verdict == Verdict::Clean {
            self.clean_ns += span_ns;
            self.clean_net.merge(&self.slice.net);
            self.clean_gross.merge(&self.slice.gross);
        }
        self.slice.clear();
        self.keep(evidence);
        self.now = self.judge.now();
    }

    fn keep(&mut self, evidence: Evidence) {
        match self.evidence.last_mut() {
            Some(last) if self.in_entry < self.per_entry => last.absorb(&evidence),
            _ => {
                self.in_entry = 0;
                self.evidence.push(evidence);
            }
        }
        self.in_entry += 1;
        if self.evidence.len() > ENTRIES {
            let mut halved: Vec<Evidence> = Vec::with_capacity(ENTRIES);
            for (at, entry) in self.evidence.drain(..).enumerate() {
                match halved.last_mut() {
                    Some(last) if at % 2 == 1 => last.absorb(&entry),
                    _ => halved.push(entry),
                }
            }
            self.evidence = halved;
            self.per_entry *= 2;
        }
    }

    /// What is wrong now, in one sentence; none when nothing is.
    pub(crate) fn now(&self) -> Option<&str> {
        self.now.as_deref()
    }

    /// The load is over and every worker has handed over.
    pub(crate) fn end(&mut self, state: &RunState, now_ns: u64) {
        if now_ns.saturating_sub(self.slice_ns) >= REST_LEAST_NS {
            self.close(state, now_ns);
        }
        self.begun = false;
    }

    /// The report on a run that is over.
    pub(crate) fn finish(self, state: &RunState, summary: &Summary) -> Report {
        let mut audit = audit::audit(state, summary, &self.at_work);
        let stepped = self.clocks.stepped;
        if stepped >= STEPPED_LEAST && stepped as f64 > STEPPED_AT_MOST * self.clocks.slices as f64
        {
            audit.contradictions.push(
                "the wall clock was set again and again, so no receive stamp can be trusted"
                    .to_owned(),
            );
        }
        let ruling = self.judge.rule(&audit.contradictions);
        let touched = self.evidence.iter().any(|e| e.verdict != Verdict::Clean);
        Report {
            verdict: ruling.verdict,
            since_ns: ruling.since_ns,
            until_ns: ruling.until_ns,
            cause: ruling.cause,
            detail: ruling.detail,
            meaning: words::without_stamps(ruling.meaning, &summary.accuracy.stamps),
            confidence: ruling.confidence,
            episodes: ruling.episodes,
            episodes_left_out: ruling.left_out,
            evidence: self.evidence,
            little_residual: audit.little_residual,
            contradictions: audit.contradictions,
            unread: self.sources.unread().to_vec(),
            clean: (touched && self.clean_net.count() > 0).then(|| CleanPart {
                span_ns: self.clean_ns,
                net: Spread::from(&self.clean_net),
                gross: Spread::from(&self.clean_gross),
            }),
            zero: None,
        }
    }
}
