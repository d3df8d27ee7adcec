//! How many VUs a scenario holds at which time, from its start until its graceful stop ends.
//!
//! Owns the law by which VUs are held: whoever may still be finishing an iteration is not free for
//! another scenario. Leaves out adding up scenarios ([`crate::requirements`]).

use std::collections::VecDeque;
use std::iter::Peekable;

use super::ramping_vus::VuSteps;
use super::{Executor, stages_ns};
use crate::duration::Nanos;
use crate::share::Share;

/// From an instant on, a scenario holds so many VUs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// When, in nanoseconds since the start of the scenario.
    pub offset_ns: Nanos,
    /// VUs initialised before the run.
    pub planned: u64,
    /// VUs that may be initialised on demand.
    pub unplanned: u64,
}

impl Demand {
    /// All VUs of the demand.
    pub fn vus(&self) -> u64 {
        self.planned + self.unplanned
    }
}

/// The demands of a scenario, by rising offset; the last one is zero unless it runs until stopped.
#[derive(Debug)]
pub struct Demands(Law);

#[derive(Debug)]
enum Law {
    /// One number all along.
    Flat(VecDeque<Demand>),
    /// The number of VUs that loop or finish their last iteration.
    Ramp(Box<Held>),
}

impl Demands {
    /// The demands of a share of `executor`, whose scenario stops gracefully in `graceful_stop_ns`.
    pub fn new(executor: &Executor, graceful_stop_ns: Nanos, share: &Share) -> Self {
        if let Executor::RampingVus(ramp) = executor {
            let end_ns = stages_ns(&ramp.stages).saturating_add(graceful_stop_ns);
            return Self(Law::Ramp(Box::new(Held {
                steps: ramp.steps(share).peekable(),
                linger_ns: ramp.graceful_ramp_down_ns,
                end_ns,
                window: VecDeque::new(),
                held: None,
                over: false,
            })));
        }
        let planned = executor.planned_vus(share);
        let unplanned = executor.max_vus(share) - planned;
        let mut demands = VecDeque::from([Demand {
            offset_ns: 0,
            planned,
            unplanned,
        }]);
        demands.extend(executor.run_ns().map(|run_ns| Demand {
            offset_ns: run_ns.saturating_add(graceful_stop_ns),
            planned: 0,
            unplanned: 0,
        }));
        Self(Law::Flat(demands))
    }
}

impl Iterator for Demands {
    type Item = Demand;

    fn next(&mut self) -> Option<Demand> {
        match &mut self.0 {
            Law::Flat(demands) => demands.pop_front(),
            Law::Ramp(held) => held.next(),
        }
    }
}

/// The largest number of VUs within the last `linger_ns`, since those that left may be finishing.
#[derive(Debug)]
struct Held {
    steps: Peekable<VuSteps>,
    linger_ns: u64,
    end_ns: u64,
    /// Steps that are or may become the largest, by falling number. No longer than the VUs of the
    /// share are many.
    window: VecDeque<Lingering>,
    held: Option<u64>,
    over: bool,
}

#[derive(Debug)]
struct Lingering {
    vus: u64,
    /// When the last VU of this step is gone; `None` while it is the current step.
    gone_ns: Option<u64>,
}

impl Held {
    fn next(&mut self) -> Option<Demand> {
        while !self.over {
            let step_ns = self.steps.peek().map(|step| step.offset_ns);
            let gone_ns = self.window.front().and_then(|step| step.gone_ns);
            let at_ns = match (step_ns, gone_ns) {
                (Some(step_ns), gone_ns) if gone_ns.is_none_or(|gone| step_ns <= gone) => {
                    self.take_step();
                    step_ns
                }
                (_, Some(gone_ns)) if gone_ns < self.end_ns => {
                    self.window.pop_front();
                    gone_ns
                }
                _ => {
                    self.over = true;
                    self.window.clear();
                    self.end_ns
                }
            };
            let vus = self.window.front().map_or(0, |step| step.vus);
            if self.held != Some(vus) {
                self.held = Some(vus);
                return Some(Demand {
                    offset_ns: at_ns,
                    planned: vus,
                    unplanned: 0,
                });
            }
        }
        None
    }

    fn take_step(&mut self) {
        let Some(step) = self.steps.next() else {
            return;
        };
        if let Some(last) = self.window.back_mut() {
            last.gone_ns = Some(step.offset_ns.saturating_add(self.linger_ns));
        }
        while self.window.back().is_some_and(|last| last.vus <= step.vus) {
            self.window.pop_back();
        }
        self.window.push_back(Lingering {
            vus: step.vus,
            gone_ns: None,
        });
    }
}
