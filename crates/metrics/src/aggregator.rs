//! The one place where the workers' windows come together: totals, sub-metrics, scopes, checks and thresholds.
//!
//! Each series of each worker is routed once to the targets it counts for; a window is then merged by number.

use std::collections::HashMap;
use std::sync::Arc;

use crate::accuracy::Accuracy;
use crate::aggregate::Aggregate;
use crate::batches::{Batches, Dispersion};
use crate::recorder::Window;
use crate::registry::{Kind, Metric, MetricId, Registry};
use crate::summary::{Group, MetricSummary, Scope, Summary, ThresholdOutcome};
use crate::tags::{TagSet, TagsId};
use crate::threshold::{Aggregation, Operator};

/// A condition on a metric that decides whether the run passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// The expression as written.
    pub source: String,
    /// The number to look at.
    pub aggregation: Aggregation,
    /// How to compare it.
    pub operator: Operator,
    /// With what.
    pub limit: f64,
    /// Whether failing ends the run.
    pub abort_on_fail: bool,
    /// Failing does not end the run before it has lasted so long, in nanoseconds.
    pub delay_abort_ns: u64,
}

#[derive(Debug)]
struct Judged {
    rule: Threshold,
    ok: bool,
    number: Option<f64>,
}

/// What samples are added up for.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    Whole,
    /// Samples with these tags; the text is the part of the name in braces, braces included.
    Tagged(TagSet, String),
    Scope(Scope),
}

#[derive(Debug)]
struct Target {
    metric: MetricId,
    part: Part,
    data: Aggregate,
    /// Of trends, except in scopes.
    batches: Option<Box<Batches>>,
    thresholds: Vec<Judged>,
}

#[derive(Debug, Default)]
struct WorkerView {
    tags: Vec<TagSet>,
    routes: HashMap<(MetricId, TagsId), Arc<[usize]>>,
}

/// Adds up everything the workers send.
#[derive(Debug)]
pub struct Aggregator {
    registry: Arc<Registry>,
    targets: Vec<Target>,
    workers: Vec<WorkerView>,
    scopes: bool,
    root: Group,
    blamed: Vec<Arc<str>>,
    samples_lost: u64,
    accuracy: Accuracy,
}

impl Aggregator {
    /// For `workers` workers. `scopes`: whether metrics are also kept by group and by scenario.
    pub fn new(registry: Arc<Registry>, workers: usize, scopes: bool) -> Self {
        let mut aggregator = Self {
            registry,
            targets: Vec::new(),
            workers: (0..workers).map(|_| WorkerView::default()).collect(),
            scopes,
            root: Group::default(),
            blamed: Vec::new(),
            samples_lost: 0,
            accuracy: Accuracy::default(),
        };
        let expected = TagSet::new([("expected_response", "true")]);
        let metric = aggregator.registry.builtin.http_req_duration;
        let part = Part::Tagged(expected, "{expected_response:true}".to_owned());
        aggregator.target(metric, part);
        aggregator
    }

    /// Judges a metric, or with tags the sub-metric of the samples that carry them. `braces` is how the user wrote the
    /// tags, with the braces. Must be called before the first window.
    pub fn add_thresholds(
        &mut self,
        metric: MetricId,
        tags: &TagSet,
        braces: &str,
        rules: Vec<Threshold>,
    ) {
        let part = if tags.is_empty() {
            Part::Whole
        } else {
            Part::Tagged(tags.clone(), braces.to_owned())
        };
        // A metric is listed when a part of it is judged.
        self.target(metric, Part::Whole);
        let target = self.target(metric, part);
        let judged = rules.into_iter().map(|rule| Judged {
            rule,
            ok: true,
            number: None,
        });
        self.targets[target].thresholds.extend(judged);
    }

    /// Adds a window; its histograms keep their content until the recorder clears them.
    pub fn absorb(&mut self, window: &Window) {
        self.workers[window.worker]
            .tags
            .extend(window.fresh_tags.iter().cloned());
        for delta in &window.series {
            let route = self.route(window.worker, delta.metric, delta.tags);
            for &target in &*route {
                let target = &mut self.targets[target];
                target.data.merge(&delta.data);
                if let (Some(batches), Aggregate::Trend(values)) =
                    (&mut target.batches, &delta.data)
                {
                    batches.absorb(values);
                }
            }
        }
        for check in &window.checks {
            self.root.absorb(
                &check.group,
                check.name.as_deref(),
                check.passes,
                check.fails,
            );
        }
        if self.blamed.len() < window.blamed.len() {
            self.blamed.clone_from(&window.blamed);
        }
        self.samples_lost += window.samples_lost;
        self.accuracy.merge(&window.accuracy);
    }

    /// A second is over: what was absorbed since the last call is compared with other seconds.
    pub fn close_window(&mut self) {
        for target in &mut self.targets {
            if let Some(batches) = &mut target.batches {
                batches.close_window();
            }
        }
    }

    /// Adds one sample that no worker made, such as the number of VUs.
    pub fn add(&mut self, metric: MetricId, tags: &TagSet, value: f64, unix_ns: u64) {
        for target in self.targets_of(metric, tags) {
            self.targets[target].data.add(value, unix_ns);
        }
    }

    /// The tag set behind a worker's number, once its window was absorbed.
    pub fn tags(&self, worker: usize, id: TagsId) -> Option<&TagSet> {
        self.workers.get(worker)?.tags.get(id.0 as usize)
    }

    /// The sub-metrics that are kept: the metric, the tags of its samples, and how the tags were written, with braces.
    pub fn tagged(&self) -> impl Iterator<Item = (MetricId, &TagSet, &str)> {
        self.targets.iter().filter_map(|t| match &t.part {
            Part::Tagged(tags, braces) => Some((t.metric, tags, braces.as_str())),
            _ => None,
        })
    }

    /// The merged samples of a metric so far.
    pub fn total(&self, metric: MetricId) -> Option<&Aggregate> {
        let whole = |t: &&Target| t.metric == metric && t.part == Part::Whole;
        self.targets.iter().find(whole).map(|t| &t.data)
    }

    /// Requests so far, and those of them that failed.
    pub fn requests(&self) -> (u64, u64) {
        let builtin = &self.registry.builtin;
        let all = match self.total(builtin.http_reqs) {
            Some(Aggregate::Counter(counter)) => counter.sum as u64,
            _ => 0,
        };
        let failed = match self.total(builtin.http_req_failed) {
            Some(Aggregate::Rate(rate)) => rate.passes,
            _ => 0,
        };
        (all, failed)
    }

    /// Judges all thresholds on what is known after `elapsed_ns`. Metrics without samples are left out unless it is
    /// the last time (`at_end`). Returns the name and expression of one that asks to end the run.
    pub fn judge(&mut self, elapsed_ns: u64, at_end: bool) -> Option<(String, String)> {
        let elapsed_s = elapsed_ns as f64 / 1e9;
        let mut abort = None;
        for target in &mut self.targets {
            if !at_end && target.data.samples() == 0 {
                continue;
            }
            for judged in &mut target.thresholds {
                let rule = &judged.rule;
                judged.number = rule.aggregation.of(&target.data, elapsed_s);
                judged.ok = judged
                    .number
                    .is_none_or(|number| rule.operator.holds(number, rule.limit));
                if !judged.ok && rule.abort_on_fail && elapsed_ns >= rule.delay_abort_ns {
                    let name = || full_name(&self.registry.metric(target.metric), &target.part);
                    abort.get_or_insert_with(|| (name(), rule.source.clone()));
                }
            }
        }
        abort
    }

    /// Everything known so far. Thresholds show what [`Self::judge`] said last.
    pub fn summary(&self, elapsed_ns: u64) -> Summary {
        let mut metrics = Vec::new();
        let mut scopes: HashMap<&Scope, Vec<MetricSummary>> = HashMap::new();
        for target in &self.targets {
            if target.data.samples() == 0 && !self.is_judged(target) {
                continue;
            }
            let entry = self.describe(target);
            match &target.part {
                Part::Scope(scope) => scopes.entry(scope).or_default().push(entry),
                _ => metrics.push(entry),
            }
        }
        let by_name = |a: &MetricSummary, b: &MetricSummary| {
            let key = |m: &MetricSummary| {
                (
                    m.parent.clone().unwrap_or(m.name.clone()),
                    m.parent.is_some(),
                )
            };
            key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
        };
        metrics.sort_by(by_name);
        let mut scopes: Vec<_> = scopes.into_iter().map(|(s, m)| (s.clone(), m)).collect();
        scopes.iter_mut().for_each(|(_, m)| m.sort_by(by_name));
        scopes.sort_by(|a, b| a.0.cmp(&b.0));
        Summary {
            elapsed_ns,
            metrics,
            root: self.root.clone(),
            scopes,
            series: self.workers.iter().map(|w| w.tags.len()).sum(),
            blamed_tags: self.blamed.iter().map(|t| t.to_string()).collect(),
            samples_lost: self.samples_lost,
            deliveries: Vec::new(),
            generator: None,
            accuracy: self.accuracy.clone(),
        }
    }

    /// Whether a target has thresholds, or is the whole metric of one that has.
    fn is_judged(&self, target: &Target) -> bool {
        let part_of = |t: &Target| t.metric == target.metric && !t.thresholds.is_empty();
        match target.part {
            Part::Whole => self.targets.iter().any(part_of),
            _ => !target.thresholds.is_empty(),
        }
    }

    fn describe(&self, target: &Target) -> MetricSummary {
        let metric = self.registry.metric(target.metric);
        let outcome = |j: &Judged| ThresholdOutcome {
            source: j.rule.source.clone(),
            ok: j.ok,
            number: j.number,
        };
        MetricSummary {
            name: full_name(&metric, &target.part),
            parent: matches!(target.part, Part::Tagged(..)).then(|| metric.name.to_string()),
            kind: metric.kind,
            contains: metric.contains,
            data: target.data.clone(),
            dispersion: match (&target.batches, &target.data) {
                (Some(batches), Aggregate::Trend(all)) => batches.dispersion(all),
                _ => Dispersion::default(),
            },
            thresholds: target.thresholds.iter().map(outcome).collect(),
        }
    }

    fn route(&mut self, worker: usize, metric: MetricId, tags: TagsId) -> Arc<[usize]> {
        if let Some(route) = self.workers[worker].routes.get(&(metric, tags)) {
            return route.clone();
        }
        let set = self.tags(worker, tags).cloned().unwrap_or_default();
        let route: Arc<[usize]> = self.targets_of(metric, &set).into();
        self.workers[worker]
            .routes
            .insert((metric, tags), route.clone());
        route
    }

    /// All targets that a series counts for; new ones are made for the whole metric and for its scopes.
    fn targets_of(&mut self, metric: MetricId, tags: &TagSet) -> Vec<usize> {
        let mut found = vec![self.target(metric, Part::Whole)];
        for (at, target) in self.targets.iter().enumerate() {
            if let Part::Tagged(wanted, _) = &target.part
                && target.metric == metric
                && tags.contains_all(wanted)
            {
                found.push(at);
            }
        }
        if self.scopes {
            if let Some(group) = tags.value("group").filter(|g| !g.is_empty()) {
                found.push(self.target(metric, Part::Scope(Scope::Group(group.to_owned()))));
            }
            if let Some(scenario) = tags.value("scenario") {
                let scope = Scope::Scenario(scenario.to_owned());
                found.push(self.target(metric, Part::Scope(scope)));
            }
        }
        found
    }

    fn target(&mut self, metric: MetricId, part: Part) -> usize {
        let same = |t: &Target| t.metric == metric && t.part == part;
        if let Some(at) = self.targets.iter().position(same) {
            return at;
        }
        let kind = self.registry.metric(metric).kind;
        let batched = kind == Kind::Trend && !matches!(part, Part::Scope(_));
        self.targets.push(Target {
            metric,
            part,
            data: Aggregate::empty(kind),
            batches: batched.then(Box::default),
            thresholds: Vec::new(),
        });
        self.targets.len() - 1
    }
}

fn full_name(metric: &Metric, part: &Part) -> String {
    match part {
        Part::Tagged(_, braces) => format!("{}{braces}", metric.name),
        _ => metric.name.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::{Recorder, Stamp};
    use crate::registry::Contains;

    fn rule(aggregation: Aggregation, operator: Operator, limit: f64) -> Threshold {
        Threshold {
            source: "x".to_owned(),
            aggregation,
            operator,
            limit,
            abort_on_fail: true,
            delay_abort_ns: 0,
        }
    }

    #[test]
    fn two_workers_add_up_by_content_not_by_number() {
        let registry = Arc::new(Registry::new());
        let m = registry.builtin.http_reqs;
        let mut aggregator = Aggregator::new(registry.clone(), 2, true);
        let ok = TagSet::new([("status", "200")]);
        aggregator.add_thresholds(
            m,
            &ok,
            "{status:200}",
            vec![rule(Aggregation::Count, Operator::Greater, 9.0)],
        );
        for worker in 0..2 {
            let mut recorder = Recorder::new(worker, registry.clone(), 100, false);
            if worker == 1 {
                recorder.tags.extend(TagsId::EMPTY, &[("only", "here")]);
            }
            let tags = recorder
                .tags
                .extend(TagsId::EMPTY, &[("status", "200"), ("scenario", "s")]);
            let other = recorder.tags.extend(tags, &[("status", "500")]);
            for _ in 0..5 {
                recorder.record(m, tags, 1.0, Stamp::default());
                recorder.record(m, other, 1.0, Stamp::default());
            }
            let window = recorder.take_window();
            aggregator.absorb(&window);
            recorder.recycle(window);
        }
        assert_eq!(aggregator.judge(1_000_000_000, true), None);
        let summary = aggregator.summary(1_000_000_000);
        let count = |name: &str| match &summary.metric(name).unwrap().data {
            Aggregate::Counter(c) => c.sum,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            (count("http_reqs"), count("http_reqs{status:200}")),
            (20.0, 10.0)
        );
        assert_eq!(summary.metrics[1].parent.as_deref(), Some("http_reqs"));
        assert_eq!(summary.scopes[0].0, Scope::Scenario("s".to_owned()));
    }

    #[test]
    fn thresholds_on_silent_metrics_wait_for_the_end() {
        let registry = Arc::new(Registry::new());
        let silent = registry
            .declare("silent", Kind::Counter, Contains::Default)
            .unwrap();
        let mut aggregator = Aggregator::new(registry, 1, false);
        let count = rule(Aggregation::Count, Operator::Greater, 0.0);
        aggregator.add_thresholds(silent, &TagSet::default(), "", vec![count]);
        assert_eq!(aggregator.judge(1, false), None);
        assert!(!aggregator.summary(1).thresholds_failed());
        assert_eq!(
            aggregator.judge(1, true),
            Some(("silent".to_owned(), "x".to_owned()))
        );
        assert!(aggregator.summary(1).thresholds_failed());
    }

    #[test]
    fn an_abort_waits_for_its_delay() {
        let registry = Arc::new(Registry::new());
        let m = registry.builtin.iterations;
        let mut aggregator = Aggregator::new(registry, 1, false);
        let mut late = rule(Aggregation::Count, Operator::Less, 1.0);
        late.delay_abort_ns = 10;
        aggregator.add_thresholds(m, &TagSet::default(), "", vec![late]);
        aggregator.add(m, &TagSet::default(), 1.0, 1);
        assert_eq!(aggregator.judge(9, false), None);
        assert!(aggregator.judge(10, false).is_some());
    }

    #[test]
    fn checks_build_a_tree() {
        let registry = Arc::new(Registry::new());
        let mut recorder = Recorder::new(0, registry.clone(), 100, false);
        let check = recorder.check_slot("::a::b", Some("ok"));
        recorder.check(check, true);
        recorder.check(check, false);
        assert_eq!(recorder.check_slot("::a::b", Some("ok")), check);
        let group = recorder.check_slot("::c", None);
        recorder.check(group, true);
        let mut aggregator = Aggregator::new(registry, 1, false);
        aggregator.absorb(&recorder.take_window());
        let root = aggregator.summary(0).root;
        let b = &root.groups[0].groups[0];
        assert_eq!(
            (b.path.as_str(), b.checks[0].path.as_str()),
            ("::a::b", "::a::b::ok")
        );
        assert_eq!((b.checks[0].passes, b.checks[0].fails), (1, 1));
        assert_eq!(root.groups[1].name, "c");
    }
}
