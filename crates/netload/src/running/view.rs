//! The moment of a run as the view that is shown: filled ten times a second, or printed once a second.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use netload_engine::{Live, Phase, ScenarioState};
use netload_metrics::{Aggregate, Builtin, Registry};
use netload_output::Palette;
use netload_output::progress::{self, Iterations, Load, ProgressView, ScenarioView, Spread};
use netload_output::tally::{SharedTally, Tally};
use netload_plan::{Executor, Plan, Share};

use crate::terminal::Terminal;
use crate::terminal::screen::Screen;
use crate::terminal::settings::size;

/// Seconds of the rate that the picture shows.
const SECONDS_SHOWN: usize = 30;

/// Calls of [`Progress::show`] in a second.
const CALLS_PER_SECOND: u64 = 10;

/// How the progress is shown.
enum Way {
    Nothing,
    Lines,
    Frame,
}

/// Shows the progress of one run.
pub(super) struct Progress {
    screen: Arc<Screen>,
    way: Way,
    palette: Palette,
    builtin: Builtin,
    share: Share,
    total_ns: Option<u64>,
    vus_max: u64,
    calls: u64,
    seconds: u64,
    ended: bool,
    rates: VecDeque<f64>,
    tally: SharedTally,
    /// As of the last second: both cost more than a look ten times a second is worth.
    spread: Option<Spread>,
    causes: Vec<(String, u64)>,
}

impl Progress {
    /// For a plan, in the way that the terminal wants.
    pub(super) fn new(
        terminal: &Terminal,
        plan: &Plan,
        registry: &Registry,
        tally: SharedTally,
    ) -> Self {
        let settings = &terminal.settings;
        let ends = plan
            .scenarios
            .iter()
            .map(|s| Some(s.start_time_ns + bounded_ns(s.executor.run_ns())?));
        Self {
            screen: terminal.screen.clone(),
            way: match (settings.quiet, settings.live) {
                (true, _) => Way::Nothing,
                (false, true) => Way::Frame,
                (false, false) => Way::Lines,
            },
            palette: settings.stderr,
            builtin: registry.builtin,
            share: plan.share(),
            total_ns: ends
                .collect::<Option<Vec<u64>>>()
                .and_then(|all| all.into_iter().max()),
            vus_max: plan.max_vus(),
            calls: 0,
            seconds: 0,
            ended: false,
            rates: VecDeque::with_capacity(SECONDS_SHOWN),
            tally,
            spread: None,
            causes: Vec::new(),
        }
    }

    /// Shows a moment.
    pub(super) fn show(&mut self, live: &Live<'_>) {
        self.calls += 1;
        if live.recent.seconds != self.seconds {
            self.seconds = live.recent.seconds;
            if self.rates.len() == SECONDS_SHOWN {
                self.rates.pop_front();
            }
            self.rates.push_back(live.recent.rate);
            if matches!(self.way, Way::Frame) {
                self.spread = self.spread(live);
                self.causes = causes(&self.tally.snapshot());
            }
        }
        match self.way {
            Way::Nothing => {}
            Way::Frame => {
                let (columns, rows) = size();
                let mut lines = progress::frame(&self.view(live), columns, self.palette);
                // A frame taller than the terminal could not be taken away again.
                lines.truncate(rows.saturating_sub(1));
                self.screen.frame(lines.join("\n") + "\n");
            }
            Way::Lines if live.phase == Phase::Done => {
                if !self.ended {
                    self.ended = true;
                    self.screen.text(progress::plain(&self.view(live)));
                }
            }
            Way::Lines if self.calls.is_multiple_of(CALLS_PER_SECOND) => {
                self.screen.text(progress::plain(&self.view(live)));
            }
            Way::Lines => {}
        }
    }

    fn view(&self, live: &Live<'_>) -> ProgressView {
        let state = live.state;
        let (requests, failed) = live.aggregator.requests();
        let known = live.recent.rate > 0.0;
        let vus_active = count(state.vus_active.load(Relaxed));
        ProgressView {
            status: status(live).to_owned(),
            elapsed_ns: live.elapsed_ns,
            total_ns: self.total_ns,
            vus_active,
            // More may have been ordered than were planned.
            vus_max: self.vus_max.max(vus_active),
            iterations: Iterations {
                complete: state.iterations_completed(),
                interrupted: state.iterations_interrupted(),
                dropped: state.iterations_dropped(),
            },
            scenarios: state
                .scenarios
                .iter()
                .map(|s| self.scenario(s, live))
                .collect(),
            live: progress::Live {
                requests_per_s: live.recent.rate,
                recent_per_s: self.rates.iter().copied().collect(),
                p50_ms: known.then_some(live.recent.p50_ms),
                p99_ms: known.then_some(live.recent.p99_ms),
                requests,
                failed,
                spread: self.spread.clone(),
                causes: self.causes.clone(),
            },
            warnings: live
                .generator
                .map(|now| format!("generator {now}"))
                .into_iter()
                .collect(),
        }
    }

    /// The durations of all requests so far.
    fn spread(&self, live: &Live<'_>) -> Option<Spread> {
        let total = live.aggregator.total(self.builtin.http_req_duration)?;
        let Aggregate::Trend(durations) = total else {
            return None;
        };
        // The middle of a bucket of base 2 and scale 8.
        let middle = |(index, count): (i32, u64)| ((f64::from(index) + 0.5) / 256.0, count);
        let buckets: Vec<(f64, u64)> = durations
            .to_buckets()
            .positive_buckets()
            .map(middle)
            .map(|(octaves, count)| (octaves.exp2(), count))
            .collect();
        Spread::of(buckets.into_iter())
    }

    fn scenario(&self, state: &ScenarioState, live: &Live<'_>) -> ScenarioView {
        let started_ns = state.started_ns.load(Relaxed);
        let run_ns = bounded_ns(state.scenario.executor.run_ns());
        let elapsed_ns = match started_ns {
            0 => 0,
            started_ns => live.now_ns.saturating_sub(started_ns),
        };
        let done = state.done.load(Relaxed);
        let phase = match (started_ns, done) {
            (_, true) if live.state.ended().is_some() => progress::Phase::Stopped,
            (_, true) => progress::Phase::Done,
            (0, false) => progress::Phase::Waiting {
                starts_in_ns: state.scenario.start_time_ns.saturating_sub(live.elapsed_ns),
            },
            (_, false) => progress::Phase::Running,
        };
        let ordered = state.ordered_vus();
        let most = ordered.unwrap_or_else(|| state.scenario.max_vus(&self.share));
        let varies = ordered.is_some()
            || matches!(
                state.scenario.executor,
                Executor::RampingVus(_)
                    | Executor::ConstantArrivalRate(_)
                    | Executor::RampingArrivalRate(_)
            );
        ScenarioView {
            name: state.scenario.name.clone(),
            phase,
            elapsed_ns: run_ns.map_or(elapsed_ns, |run_ns| elapsed_ns.min(run_ns)),
            duration_ns: run_ns,
            vus_active: if varies {
                count(state.vus_active.load(Relaxed))
            } else {
                most
            },
            vus_max: varies.then_some(most),
            load: self.load(state, live.now_ns),
        }
    }

    fn load(&self, state: &ScenarioState, now_ns: u64) -> Load {
        let done = state.completed.count() + state.interrupted.count();
        match &state.scenario.executor {
            Executor::SharedIterations(shared) => Load::SharedIterations {
                done,
                total: self.share.segmentation().scale(shared.iterations),
            },
            Executor::PerVuIterations(each) => Load::PerVuIterations {
                done,
                total: self
                    .share
                    .segmentation()
                    .scale(each.vus)
                    .saturating_mul(each.iterations),
                each: each.iterations,
            },
            _ => match state.rate_at(now_ns) {
                Some(per_s) => Load::Arrivals { per_s },
                None => Load::Looping,
            },
        }
    }
}

/// What went wrong and how often, the most frequent first.
fn causes(tally: &Tally) -> Vec<(String, u64)> {
    let statuses = tally.statuses.iter().filter(|(status, _)| **status >= 400);
    let statuses = statuses.map(|(status, count)| (format!("status {status}"), *count));
    let errors = tally.errors.iter().map(|(text, e)| (text.clone(), e.count));
    let mut all: Vec<(String, u64)> = statuses.chain(errors).collect();
    all.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    all
}

fn status(live: &Live<'_>) -> &'static str {
    match live.phase {
        Phase::Init => "init",
        Phase::Paused => "paused",
        Phase::Setup => "setup",
        Phase::Load if live.state.ended().is_some() => "stopping",
        Phase::Load if live.state.paused.load(Relaxed) => "paused",
        Phase::Load | Phase::Done => "running",
        Phase::Teardown => "teardown",
    }
}

/// A length that nobody waits for, such as that of a run limited by its number of requests, is not worth showing.
fn bounded_ns(run_ns: Option<u64>) -> Option<u64> {
    const MONTH_NS: u64 = 30 * 86_400 * 1_000_000_000;
    run_ns.filter(|ns| *ns <= MONTH_NS)
}

fn count(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
