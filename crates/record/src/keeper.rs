//! The sink that turns the windows of a run into frames and hands them on once a second.
//!
//! Each series of each worker is routed once to the keys it counts for. Invariant: receivers get every second once, in
//! order, with the keys that it needs.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use netload_metrics::{
    Aggregate, Aggregator, Conservation, Kind, MetricId, Registry, RunInfo, Second, Sink,
    SinkError, Summary, TagsId, Window,
};

use crate::frame::Frame;
use crate::key::{self, Key, Part, SERIES_LIMIT, Tagged};
use crate::point::Point;
use crate::record::{Head, MetricInfo, Tail};

/// How long the spans are in which all parts but the whole are kept, in nanoseconds.
const SPAN_NS: u64 = 10_000_000_000;
/// The version of [`Head`], [`Tail`] and everything between.
const HEAD_FORMAT: u32 = 1;

/// What a run has brought since the last update.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Update {
    /// The number of the first of the fresh keys.
    pub first_fresh: u32,
    /// Keys that are new, continuing the numbering.
    pub fresh_keys: Vec<Key>,
    /// The second that is over.
    pub second: Frame,
    /// The running span of up to ten seconds so far: the next update with the same `at_ns` takes its place.
    pub span: Frame,
    /// What is wrong with the generator now, in one sentence.
    pub generator: Option<String>,
}

/// Who wants to know how a run goes. Called on the coordinator's thread: must not wait for anything.
pub trait Receiver: Send {
    /// The load is about to start.
    fn begin(&mut self, head: &Head);

    /// A second is over.
    fn update(&mut self, update: &Arc<Update>);

    /// The run is over. Not called for a run that was refused before it started.
    fn end(&mut self, tail: &Arc<Tail>);
}

/// The receivers of a run, shared by the [`Keeper`] and whoever knows the end.
#[derive(Clone, Default)]
pub struct Feed(Arc<Mutex<Vec<Box<dyn Receiver>>>>);

impl Feed {
    /// Adds a receiver; before the run starts, so that it misses nothing.
    pub fn add(&self, receiver: Box<dyn Receiver>) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(receiver);
    }

    /// Whether nobody listens.
    pub fn is_empty(&self) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_empty()
    }

    /// Tells everybody that the run is over, and forgets them.
    pub fn end(&self, tail: &Arc<Tail>) {
        let mut receivers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for mut receiver in receivers.drain(..) {
            receiver.end(tail);
        }
    }

    fn each(&self, mut tell: impl FnMut(&mut dyn Receiver)) {
        let mut receivers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for receiver in receivers.iter_mut() {
            tell(&mut **receiver);
        }
    }
}

/// One key and what it has seen in the running second.
#[derive(Debug)]
struct Slot {
    data: Aggregate,
    scale: i8,
    by_second: bool,
    touched: bool,
}

/// What a worker's series counts for: numbers of slots.
type Route = Arc<[u32]>;

/// The sink.
pub struct Keeper {
    head: Head,
    feed: Feed,
    registry: Option<Arc<Registry>>,
    tagged: Option<Vec<Tagged>>,
    routes: HashMap<(usize, MetricId, TagsId), Route>,
    checks: HashMap<(Arc<str>, Arc<str>), u32>,
    numbers: HashMap<Key, u32>,
    slots: Vec<Slot>,
    /// Keys that count towards [`SERIES_LIMIT`].
    parts: usize,
    touched: Vec<u32>,
    fresh: Vec<Key>,
    span: Frame,
    plan: Conservation,
}

impl Keeper {
    /// A keeper for a run with this head; start and metrics are filled in when the load starts.
    pub fn new(head: Head, feed: Feed) -> Self {
        Self {
            head,
            feed,
            registry: None,
            tagged: None,
            routes: HashMap::new(),
            checks: HashMap::new(),
            numbers: HashMap::new(),
            slots: Vec::new(),
            parts: 0,
            touched: Vec::new(),
            fresh: Vec::new(),
            span: Frame::default(),
            plan: Conservation::default(),
        }
    }

    fn route(&mut self, window: &Window, series: usize, aggregator: &Aggregator) -> Option<Route> {
        let delta = &window.series[series];
        let place = (window.worker, delta.metric, delta.tags);
        if let Some(route) = self.routes.get(&place) {
            return Some(route.clone());
        }
        let registry = self.registry.clone()?;
        let tags = aggregator.tags(window.worker, delta.tags)?;
        let tagged = self
            .tagged
            .get_or_insert_with(|| all_tagged(aggregator, &registry));
        let (kind, keys) = key::keys(&registry, delta.metric, tags, tagged);
        let route: Route = keys.into_iter().map(|key| self.slot(key, kind)).collect();
        self.routes.insert(place, route.clone());
        Some(route)
    }

    /// The number of the slot for a key, or for what it is counted with when there are too many.
    fn slot(&mut self, key: Key, kind: Kind) -> u32 {
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let by_second = key.part.is_by_second();
        let folded = key.part.folded();
        if !by_second && self.parts >= SERIES_LIMIT && folded != key.part {
            let number = self.slot(
                Key {
                    part: folded,
                    ..key.clone()
                },
                kind,
            );
            return number;
        }
        self.parts += usize::from(!by_second);
        // Far fewer than 2^32: parts are limited here, metrics by their registry.
        let number = self.slots.len() as u32;
        self.slots.push(Slot {
            data: Aggregate::empty(kind),
            scale: key::scale_of(&key),
            by_second,
            touched: false,
        });
        self.numbers.insert(key.clone(), number);
        self.fresh.push(key);
        number
    }

    fn touch(&mut self, number: u32) -> &mut Aggregate {
        let slot = &mut self.slots[number as usize];
        if !slot.touched {
            slot.touched = true;
            self.touched.push(number);
        }
        &mut slot.data
    }

    fn absorb_checks(&mut self, window: &Window) {
        for check in &window.checks {
            let Some(name) = &check.name else { continue };
            let place = (check.group.clone(), name.clone());
            let number = match self.checks.get(&place) {
                Some(number) => *number,
                None => {
                    let part = Part::Check {
                        group: check.group.to_string(),
                        name: name.to_string(),
                    };
                    let number = self.slot(Key::of("checks", part), Kind::Rate);
                    self.checks.insert(place, number);
                    number
                }
            };
            if let Aggregate::Rate(rate) = self.touch(number) {
                rate.passes += check.passes;
                rate.total += check.passes + check.fails;
            }
        }
    }

    /// Closes the running second.
    fn close(&mut self, second: &Second<'_>) -> Update {
        let before = std::mem::replace(&mut self.plan, second.plan);
        let planned = second
            .plan
            .planned
            .map(|now| now - before.planned.unwrap_or(0).min(now));
        let frame = Frame {
            at_ns: second.elapsed_ns.saturating_sub(second.span_ns),
            span_ns: second.span_ns,
            vus: second.vus,
            vus_max: second.vus_max,
            planned,
            started: second.plan.started.saturating_sub(before.started),
            dropped: second.plan.dropped.saturating_sub(before.dropped),
            points: Vec::new(),
        };
        let mut of_span = frame.clone();
        let mut of_second = frame;
        self.touched.sort_unstable();
        for number in self.touched.drain(..) {
            let slot = &mut self.slots[number as usize];
            slot.touched = false;
            let point = Point::of(&slot.data, slot.scale);
            if slot.by_second {
                slot.data.clear();
                of_second.points.push((number, point));
            } else {
                // Thousands of these, seldom all at work: their memory is given back.
                slot.data = Aggregate::empty(kind_of(&slot.data));
                of_span.points.push((number, point));
            }
        }
        if self.span.span_ns == 0 || self.span.span_ns >= SPAN_NS {
            self.span = of_span;
        } else {
            self.span.merge(&of_span);
        }
        let fresh_keys = std::mem::take(&mut self.fresh);
        Update {
            first_fresh: (self.slots.len() - fresh_keys.len()) as u32,
            fresh_keys,
            second: of_second,
            span: self.span.clone(),
            generator: second.generator.map(str::to_owned),
        }
    }
}

fn all_tagged(aggregator: &Aggregator, registry: &Registry) -> Vec<Tagged> {
    let one = |(metric, tags, braces): (MetricId, &netload_metrics::TagSet, &str)| Tagged {
        metric: registry.metric(metric).name.to_string(),
        tags: tags.clone(),
        braces: braces.to_owned(),
    };
    aggregator.tagged().map(one).collect()
}

fn kind_of(data: &Aggregate) -> Kind {
    match data {
        Aggregate::Counter(_) => Kind::Counter,
        Aggregate::Gauge(_) => Kind::Gauge,
        Aggregate::Rate(_) => Kind::Rate,
        Aggregate::Trend(_) => Kind::Trend,
    }
}

impl Sink for Keeper {
    fn describe(&self) -> String {
        "the record of the run".to_owned()
    }

    fn start(&mut self, info: &RunInfo) -> Result<(), SinkError> {
        self.head.format = HEAD_FORMAT;
        self.head.started_unix_ns = info.started_unix_ns;
        let metrics = info.registry.all().into_iter();
        self.head.metrics = metrics
            .map(|metric| MetricInfo {
                name: metric.name.to_string(),
                kind: metric.kind.name().to_owned(),
                contains: metric.contains.name().to_owned(),
            })
            .collect();
        self.registry = Some(info.registry.clone());
        let head = &self.head;
        self.feed.each(|receiver| receiver.begin(head));
        Ok(())
    }

    fn window(&mut self, window: &Window, aggregator: &Aggregator) -> Result<(), SinkError> {
        for series in 0..window.series.len() {
            let Some(route) = self.route(window, series, aggregator) else {
                continue;
            };
            for number in &*route {
                self.touch(*number).merge(&window.series[series].data);
            }
        }
        self.absorb_checks(window);
        Ok(())
    }

    fn second(&mut self, second: &Second<'_>, _: &Aggregator) -> Result<(), SinkError> {
        let update = Arc::new(self.close(second));
        self.feed.each(|receiver| receiver.update(&update));
        Ok(())
    }

    fn finish(&mut self, _: &Summary) -> Result<(), SinkError> {
        Ok(())
    }
}
