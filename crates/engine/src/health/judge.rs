//! From slices of evidence to a verdict: when it began, why, and what it means.
//!
//! No I/O and no clock: the same evidence always gets the same verdict. A single weak sign is chance; two in a row, or
//! one strong one, begin an episode, which ends with two slices in a row without any.

use netload_metrics::generator::{Cause, Episode, Evidence, Touched, Verdict};

use super::finding::{Finding, Weight, weigh};
use super::words;

/// Weights in a row that begin an episode.
const ALARM: u32 = 2;
/// Slices without a finding that end one.
const QUIET: u32 = 2;
/// Slices that begin earlier hold the opening of the connections, in nanoseconds since the load started.
const OPENING_NS: u64 = 500_000_000;
/// Episodes kept at most.
pub(super) const EPISODES: usize = 64;

/// The judge of one run.
#[derive(Debug, Default)]
pub(super) struct Judge {
    /// Slices with a finding since the last without, or the running episode.
    present: Option<Course>,
    alarmed: bool,
    quiet: u32,
    closed: Vec<Course>,
    left_out: u64,
}

/// Findings in a row.
#[derive(Clone, Debug)]
pub(super) struct Course {
    pub(super) since_ns: u64,
    pub(super) until_ns: u64,
    pub(super) found_ns: u64,
    /// All slices together.
    pub(super) evidence: Evidence,
    pub(super) touched: Touched,
    weight: u32,
    /// By verdict and cause.
    votes: Vec<Vote>,
}

/// What slices with the same verdict and cause weigh together, and the harm they saw.
#[derive(Clone, Copy, Debug)]
struct Vote {
    verdict: Verdict,
    cause: Cause,
    weight: u32,
    harm: f64,
}

/// What is said about the whole run.
#[derive(Debug)]
pub(super) struct Ruling {
    pub(super) verdict: Verdict,
    pub(super) since_ns: Option<u64>,
    pub(super) until_ns: Option<u64>,
    pub(super) cause: Option<Cause>,
    pub(super) detail: String,
    pub(super) meaning: String,
    pub(super) confidence: f64,
    pub(super) episodes: Vec<Episode>,
    pub(super) left_out: u64,
}

impl Judge {
    /// Hears a slice, writes its own verdict into it, and tells whether an episode began.
    pub(super) fn hear(&mut self, evidence: &mut Evidence) -> bool {
        let finding = weigh(evidence, evidence.at_ns < OPENING_NS);
        let Some(finding) = finding else {
            self.hear_nothing();
            return false;
        };
        evidence.verdict = finding.verdict;
        evidence.touched = finding.touched;
        self.quiet = 0;
        let end_ns = evidence.at_ns + evidence.span_ns;
        match &mut self.present {
            Some(course) => course.absorb(evidence, &finding),
            None => self.present = Some(Course::new(evidence, &finding)),
        }
        let course = self.present.as_mut().filter(|c| c.weight >= ALARM);
        match course {
            Some(course) if !self.alarmed => {
                course.found_ns = end_ns;
                self.alarmed = true;
                true
            }
            _ => false,
        }
    }

    fn hear_nothing(&mut self) {
        self.quiet += 1;
        if !self.alarmed {
            self.present = None;
        } else if self.quiet >= QUIET {
            self.close();
        }
    }

    fn close(&mut self) {
        if let Some(course) = self.present.take().filter(|_| self.alarmed) {
            match self.closed.len() < EPISODES {
                true => self.closed.push(course),
                false => self.left_out += 1,
            }
        }
        self.alarmed = false;
    }

    /// The running episode in one sentence, for the live view.
    pub(super) fn now(&self) -> Option<String> {
        let course = self.present.as_ref().filter(|_| self.alarmed)?;
        let (verdict, cause, _) = course.vote();
        let detail = words::detail(cause, &course.evidence);
        let since = words::second(course.since_ns);
        Some(format!("{} since {since}: {detail}", verdict.name()))
    }

    /// The ruling on everything heard. `contradictions`: counts that do not agree, as sentences.
    pub(super) fn rule(mut self, contradictions: &[String]) -> Ruling {
        self.close();
        let episodes: Vec<Episode> = self.closed.iter().map(Course::episode).collect();
        if let Some(first) = contradictions.first() {
            return Ruling {
                verdict: Verdict::Invalid,
                since_ns: None,
                until_ns: None,
                cause: Some(Cause::Conservation),
                detail: first.clone(),
                meaning: words::INVALID.to_owned(),
                confidence: 1.0,
                episodes,
                left_out: self.left_out,
            };
        }
        let verdict = episodes.iter().map(|e| e.verdict).max().unwrap_or_default();
        let worst: Vec<&Course> = self
            .closed
            .iter()
            .filter(|c| c.vote().0 == verdict)
            .collect();
        let Some(mut whole) = worst.first().map(|c| (*c).clone()) else {
            return Ruling {
                verdict: Verdict::Clean,
                since_ns: None,
                until_ns: None,
                cause: None,
                detail: String::new(),
                meaning: words::CLEAN.to_owned(),
                confidence: 1.0,
                episodes,
                left_out: self.left_out,
            };
        };
        for course in &worst[1..] {
            whole.join(course);
        }
        let (_, cause, confidence) = whole.vote();
        // The numbers are touched by everything, also by what did not decide the verdict.
        let mut touched = Touched::default();
        self.closed.iter().for_each(|c| touched.absorb(c.touched));
        Ruling {
            verdict,
            since_ns: Some(whole.since_ns),
            until_ns: Some(whole.until_ns),
            cause: Some(cause),
            detail: words::detail(cause, &whole.evidence),
            meaning: words::meaning(verdict, touched, &whole.evidence),
            confidence,
            episodes,
            left_out: self.left_out,
        }
    }
}

impl Course {
    fn new(evidence: &Evidence, finding: &Finding) -> Self {
        Self {
            since_ns: evidence.at_ns,
            until_ns: evidence.at_ns + evidence.span_ns,
            found_ns: evidence.at_ns + evidence.span_ns,
            evidence: evidence.clone(),
            touched: finding.touched,
            weight: finding.weight as u32,
            votes: vec![Vote::of(evidence, finding)],
        }
    }

    fn absorb(&mut self, evidence: &Evidence, finding: &Finding) {
        self.until_ns = evidence.at_ns + evidence.span_ns;
        self.evidence.absorb(evidence);
        self.touched.absorb(finding.touched);
        self.weight += finding.weight as u32;
        self.count(Vote::of(evidence, finding));
    }

    /// Adds a later course.
    fn join(&mut self, later: &Self) {
        self.until_ns = later.until_ns;
        self.evidence.absorb(&later.evidence);
        self.touched.absorb(later.touched);
        self.weight += later.weight;
        later.votes.iter().for_each(|vote| self.count(*vote));
    }

    fn count(&mut self, vote: Vote) {
        let same = |v: &&mut Vote| (v.verdict, v.cause) == (vote.verdict, vote.cause);
        match self.votes.iter_mut().find(same) {
            Some(known) => {
                known.weight += vote.weight;
                known.harm += vote.harm;
            }
            None => self.votes.push(vote),
        }
    }

    /// The worst verdict that enough slices agree on, the cause that did most harm, and its share of it.
    fn vote(&self) -> (Verdict, Cause, f64) {
        let weight_of = |verdict: Verdict| -> u32 {
            let same = self.votes.iter().filter(|v| v.verdict == verdict);
            same.map(|v| v.weight).sum()
        };
        let enough = |v: &Verdict| {
            weight_of(*v) >= Weight::Strong as u32 && weight_of(*v) * 3 >= self.weight
        };
        let verdicts = self.votes.iter().map(|v| v.verdict);
        let verdict = verdicts.clone().filter(enough).max();
        let verdict = verdict.or_else(|| verdicts.min()).unwrap_or_default();
        let mut causes: Vec<(Cause, f64)> = Vec::new();
        for vote in &self.votes {
            // Starts that found every VU busy during a disturbance are its consequence.
            if (vote.cause == Cause::AllBusy) != (verdict == Verdict::ConcurrencyBound) {
                continue;
            }
            match causes.iter_mut().find(|c| c.0 == vote.cause) {
                Some(known) => known.1 += vote.harm,
                None => causes.push((vote.cause, vote.harm)),
            }
        }
        let named = causes.iter().filter(|c| c.0 != Cause::Unknown);
        let most = named.max_by(|a, b| a.1.total_cmp(&b.1)).or(causes.first());
        let (cause, harm) = most.copied().unwrap_or((Cause::Unknown, 0.0));
        let all: f64 = self.votes.iter().map(|v| v.harm).sum();
        (verdict, cause, harm / all.max(f64::MIN_POSITIVE))
    }

    fn episode(&self) -> Episode {
        let (verdict, cause, _) = self.vote();
        Episode {
            verdict,
            since_ns: self.since_ns,
            until_ns: self.until_ns,
            found_ns: self.found_ns,
            cause,
            detail: words::detail(cause, &self.evidence),
        }
    }
}

impl Vote {
    fn of(evidence: &Evidence, finding: &Finding) -> Self {
        Self {
            verdict: finding.verdict,
            cause: finding.cause,
            weight: finding.weight as u32,
            harm: finding.harm(evidence),
        }
    }
}
