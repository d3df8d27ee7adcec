//! Where windows arrive: they are added up, judged, shown, and passed on to the outputs.

use std::sync::Arc;

use netload_metrics::aggregator::Threshold;
use netload_metrics::{
    Aggregate, Aggregator, Histogram, Recorder, Registry, RunInfo, Sink, SinkError, Stamp, Summary,
    TagSet, TagsId, Window,
};
use netload_plan::Plan;

use crate::log::{Level, Log, Record};
use crate::run::{Recent, RunError};

/// Everything measured, on the coordinator's thread.
pub(crate) struct Collector {
    pub aggregator: Aggregator,
    pub recent: Recent,
    /// For what no worker measures, such as the number of VUs.
    own: Recorder,
    sinks: Vec<Output>,
    registry: Arc<Registry>,
    plan: Arc<Plan>,
    log: Arc<dyn Log>,
    second: Second,
    blamed: bool,
}

struct Output {
    sink: Box<dyn Sink>,
    failed: bool,
}

#[derive(Default)]
struct Second {
    durations: Histogram,
    requests: f64,
    failed: u64,
    iterations: f64,
}

/// What a collector is made of.
pub(crate) struct Parts {
    pub plan: Arc<Plan>,
    pub registry: Arc<Registry>,
    pub workers: usize,
    pub sinks: Vec<Box<dyn Sink>>,
    pub log: Arc<dyn Log>,
    pub scopes: bool,
    pub thresholds: bool,
    pub started_unix_ns: u64,
}

impl Collector {
    /// Opens the outputs.
    pub(crate) fn new(parts: Parts) -> Result<Self, RunError> {
        let Parts {
            plan,
            registry,
            workers,
            mut sinks,
            log,
            ..
        } = parts;
        // The coordinator itself records as one more worker.
        let views = workers + 1;
        let mut aggregator = Aggregator::new(registry.clone(), views, parts.scopes);
        if parts.thresholds {
            add_thresholds(&mut aggregator, &registry, &plan);
        }
        let thresholds = plan.thresholds.iter().map(|set| {
            let sources = set.expressions.iter().map(|e| e.source.clone());
            (set.source.clone(), sources.collect())
        });
        let info = RunInfo {
            registry: registry.clone(),
            workers: views,
            started_unix_ns: parts.started_unix_ns,
            thresholds: thresholds.collect(),
        };
        for sink in &mut sinks {
            sink.start(&info).map_err(|error| RunError::Output {
                name: sink.describe(),
                reason: error.to_string(),
            })?;
        }
        let keep = sinks.iter().any(|s| s.wants_samples());
        let limit = netload_metrics::tags::Interner::DEFAULT_LIMIT;
        Ok(Self {
            aggregator,
            recent: Recent::default(),
            own: Recorder::new(workers, registry.clone(), limit, keep),
            sinks: sinks
                .into_iter()
                .map(|sink| Output {
                    sink,
                    failed: false,
                })
                .collect(),
            registry,
            plan,
            log,
            second: Second::default(),
            blamed: false,
        })
    }

    /// Adds a worker's window and passes it on.
    pub(crate) fn absorb(&mut self, window: &Window) {
        self.aggregator.absorb(window);
        self.second.absorb(window, &self.registry);
        if !window.blamed.is_empty() && !self.blamed {
            self.blamed = true;
            self.warn_of_blamed(window);
        }
        self.tell(|sink, aggregator| sink.window(window, aggregator));
    }

    /// Tells the outputs that a second is over.
    pub(crate) fn second(&mut self, second: &netload_metrics::Second<'_>) {
        self.tell(|sink, aggregator| sink.second(second, aggregator));
    }

    /// Gives every working output something; one that fails is told of and gets no more.
    fn tell(&mut self, give: impl Fn(&mut dyn Sink, &Aggregator) -> Result<(), SinkError>) {
        for output in self.sinks.iter_mut().filter(|output| !output.failed) {
            if let Err(error) = give(&mut *output.sink, &self.aggregator) {
                output.failed = true;
                let text = format!(
                    "the output {} failed and gets no more results: {error}",
                    output.sink.describe()
                );
                self.log.log(Record::new(Level::Error, text));
            }
        }
    }

    /// Records how many VUs there are and how many run, as k6 does once a second.
    pub(crate) fn record_vus(&mut self, active: f64, initialized: f64, unix_ns: u64) {
        let tags = self.run_tags();
        let stamp = Stamp {
            unix_ns,
            ..Stamp::default()
        };
        let m = self.registry.builtin;
        self.own.record(m.vus, tags, active, stamp);
        self.own.record(m.vus_max, tags, initialized, stamp);
        self.flush_own();
    }

    /// Records iterations of a scenario that were never attempted.
    pub(crate) fn record_dropped(&mut self, scenario: usize, count: u64, unix_ns: u64) {
        let base = self.run_tags();
        let own = &self.plan.scenarios[scenario];
        let mut tags: Vec<(&str, &str)> = Vec::new();
        tags.extend(own.tags.iter().map(|(k, v)| (k.as_str(), v.as_str())));
        if self
            .plan
            .system_tags
            .contains(netload_plan::SystemTag::Scenario)
        {
            tags.push(("scenario", &own.name));
        }
        let tags = self.own.tags.extend(base, &tags);
        let stamp = Stamp {
            unix_ns,
            ..Stamp::default()
        };
        let metric = self.registry.builtin.dropped_iterations;
        self.own.record(metric, tags, count as f64, stamp);
        self.flush_own();
    }

    /// Closes the running second and shows it as the last full one.
    pub(crate) fn next_second(&mut self, seconds: f64) {
        self.aggregator.close_window();
        let second = &mut self.second;
        self.recent = Recent {
            rate: second.requests / seconds,
            failed: second.failed as f64 / seconds,
            p50_ms: second.durations.percentile(50.0),
            p99_ms: second.durations.percentile(99.0),
            iterations: second.iterations / seconds,
            seconds: self.recent.seconds + 1,
        };
        second.durations.clear();
        second.requests = 0.0;
        second.failed = 0;
        second.iterations = 0.0;
    }

    /// Judges for the last time and tells the outputs.
    pub(crate) fn finish(&mut self, elapsed_ns: u64) -> Summary {
        self.aggregator.judge(elapsed_ns, true);
        self.aggregator.summary(elapsed_ns)
    }

    /// Closes the outputs and notes what became of the results.
    pub(crate) fn close(&mut self, summary: &mut Summary) {
        for output in &mut self.sinks {
            if let Err(error) = output.sink.finish(summary) {
                let name = output.sink.describe();
                let text = format!("the output {name} could not be completed: {error}");
                self.log.log(Record::new(Level::Error, text));
            }
            summary.deliveries.extend(output.sink.deliveries());
        }
    }

    fn run_tags(&mut self) -> TagsId {
        let tags: Vec<(&str, &str)> = self
            .plan
            .tags
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .collect();
        self.own.tags.extend(TagsId::EMPTY, &tags)
    }

    fn flush_own(&mut self) {
        let window = self.own.take_window();
        self.absorb(&window);
        self.own.recycle(window);
    }

    fn warn_of_blamed(&self, window: &Window) {
        let tags: Vec<String> = window.blamed.iter().map(|t| format!("'{t}'")).collect();
        let text = format!(
            "too many distinct values of the tag {}: further ones are counted together as '{}'; \
             give requests a name, for example with http.url`...` or the tag `name`",
            tags.join(" and "),
            netload_metrics::tags::OVERFLOW
        );
        self.log.log(Record::new(Level::Warning, text));
    }
}

impl Second {
    fn absorb(&mut self, window: &Window, registry: &Registry) {
        let m = registry.builtin;
        for delta in &window.series {
            match &delta.data {
                Aggregate::Trend(h) if delta.metric == m.http_req_duration => {
                    self.durations.merge(h);
                }
                Aggregate::Counter(c) if delta.metric == m.http_reqs => self.requests += c.sum,
                Aggregate::Counter(c) if delta.metric == m.iterations => self.iterations += c.sum,
                Aggregate::Rate(r) if delta.metric == m.http_req_failed => self.failed += r.passes,
                _ => {}
            }
        }
    }
}

/// Metrics that do not exist were refused when the plan was read.
fn add_thresholds(aggregator: &mut Aggregator, registry: &Registry, plan: &Plan) {
    for set in &plan.thresholds {
        let Some(metric) = registry.find(&set.metric_name) else {
            continue;
        };
        let tags = TagSet::new(set.tags.iter().map(|(k, v)| (k.as_str(), v.as_str())));
        let rules = set.expressions.iter().map(|e| Threshold {
            source: e.source.clone(),
            aggregation: e.aggregation,
            operator: e.operator,
            limit: e.limit,
            abort_on_fail: e.abort_on_fail,
            delay_abort_ns: e.delay_abort_eval_ns,
        });
        let braces = set.source.strip_prefix(&*metric.name).unwrap_or("").trim();
        let inner = braces.trim_start_matches('{').trim_end_matches('}').trim();
        let braces = format!("{{{inner}}}");
        aggregator.add_thresholds(metric.id, &tags, &braces, rules.collect());
    }
}
