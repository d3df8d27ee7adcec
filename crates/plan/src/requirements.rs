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
    now: (u64, u64),
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
                    now: (0, 0),
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
            let planned = rows.iter().map(|row| row.now.0).sum();
            let all = rows.iter().map(|row| row.now.0 + row.now.1).sum();
            needs.planned_vus = needs.planned_vus.max(planned);
            needs.max_vus = needs.max_vus.max(all);
            if held > 0 && all == 0 {
                needs.total_duration_ns = Some(now_ns);
            }
            held = all;
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

    /// Takes every demand up to and including `now_ns`.
    fn advance_to(&mut self, now_ns: Nanos) {
        while self.next_ns().is_some_and(|next_ns| next_ns <= now_ns) {
            if let Some(demand) = self.next.take() {
                self.now = (demand.planned, demand.unplanned);
            }
            self.next = self.demands.next();
        }
    }
}
