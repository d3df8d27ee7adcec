//! What a plan needs: VUs over time and total length.
//!
//! Owns the sum over scenarios. VUs are shared by scenarios that do not overlap, so the number to
//! initialise is the largest sum at any one time, not the sum of the largest.

use crate::duration::Nanos;
use crate::executor::{Demand, Demands};
use crate::scenario::Scenario;
use crate::share::Share;

/// VUs and time that the scenarios of a plan need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirements {
    /// VUs to initialise before the run.
    pub planned_vus: u64,
    /// Most VUs at one time, those initialised on demand included.
    pub max_vus: u64,
    /// When the last VU is given back at the latest, in nanoseconds since the start of the test;
    /// `None` when a scenario runs until stopped.
    pub total_duration_ns: Option<Nanos>,
}

/// One scenario's demands while they are added up.
struct Row {
    start_ns: Nanos,
    demands: Demands,
    next: Option<Demand>,
    /// What it holds.
    now: Demand,
    /// The most it holds at the current instant, which may see several demands.
    peak: Demand,
    endless: bool,
}

impl Requirements {
    /// What the share of these scenarios needs.
    pub fn of(scenarios: &[Scenario], share: &Share) -> Self {
        let mut rows: Vec<Row> = scenarios
            .iter()
            .map(|scenario| {
                let mut demands = scenario.demands(share);
                Row {
                    start_ns: scenario.start_time_ns,
                    next: demands.next(),
                    demands,
                    now: Demand::default(),
                    peak: Demand::default(),
                    endless: scenario.executor.run_ns().is_none(),
                }
            })
            .collect();
        let mut needs = Self {
            planned_vus: 0,
            max_vus: 0,
            total_duration_ns: Some(0),
        };
        let mut held = 0;
        while let Some(now_ns) = rows.iter().filter_map(Row::next_ns).min() {
            rows.iter_mut().for_each(|row| row.advance_to(now_ns));
            let planned = rows.iter().map(|row| row.peak.planned).sum();
            let all = rows.iter().map(|row| row.peak.vus()).sum();
            needs.planned_vus = needs.planned_vus.max(planned);
            needs.max_vus = needs.max_vus.max(all);
            let left = rows.iter().map(|row| row.now.vus()).sum();
            if held > 0 && left == 0 {
                needs.total_duration_ns = Some(now_ns);
            }
            held = left;
        }
        if rows.iter().any(|row| row.endless) && held > 0 {
            needs.total_duration_ns = None;
        }
        needs
    }
}

impl Row {
    fn next_ns(&self) -> Option<Nanos> {
        let next = self.next.as_ref()?;
        Some(self.start_ns.saturating_add(next.offset_ns))
    }

    /// Takes every demand at `now_ns`. What is given back at an instant is free at that instant.
    fn advance_to(&mut self, now_ns: Nanos) {
        let mut peak = None;
        while self.next_ns() == Some(now_ns) {
            if let Some(demand) = self.next.take() {
                self.now = demand;
                let higher = |peak: &Demand| peak.vus() > demand.vus();
                peak = Some(peak.filter(higher).unwrap_or(demand));
            }
            self.next = self.demands.next();
        }
        self.peak = peak.unwrap_or(self.now);
    }
}
