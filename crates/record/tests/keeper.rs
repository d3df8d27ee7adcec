//! Windows of two workers in, updates once a second out.

use std::sync::{Arc, Mutex};

use netload_metrics::{
    Aggregator, Conservation, Kind, Recorder, Registry, RunInfo, Second, Sink, Stamp, TagsId,
};
use netload_record::{
    Feed, Frame, Head, Keeper, Key, OTHER, Part, Point, Receiver, Record, SERIES_LIMIT, Tail,
    Update,
};

/// Puts the updates of a run together, as the store does.
#[derive(Clone, Default)]
struct Collected(Arc<Mutex<Record>>);

impl Receiver for Collected {
    fn begin(&mut self, head: &Head) {
        self.0.lock().unwrap().head = head.clone();
    }

    fn update(&mut self, update: &Arc<Update>) {
        let mut record = self.0.lock().unwrap();
        assert_eq!(record.keys.len(), update.first_fresh as usize);
        record.keys.extend(update.fresh_keys.iter().cloned());
        record.seconds.push(update.second.clone());
        if record
            .spans
            .last()
            .is_some_and(|s| s.at_ns == update.span.at_ns)
        {
            record.spans.pop();
        }
        record.spans.push(update.span.clone());
    }

    fn end(&mut self, tail: &Arc<Tail>) {
        self.0.lock().unwrap().tail = Some((**tail).clone());
    }
}

struct Run {
    registry: Arc<Registry>,
    aggregator: Aggregator,
    keeper: Keeper,
    recorders: Vec<Recorder>,
    feed: Feed,
    collected: Collected,
    seconds: u64,
}

impl Run {
    fn start() -> Self {
        let registry = Arc::new(Registry::new());
        let feed = Feed::default();
        let collected = Collected::default();
        feed.add(Box::new(collected.clone()));
        let mut keeper = Keeper::new(Head::default(), feed.clone());
        let info = RunInfo {
            registry: registry.clone(),
            workers: 2,
            started_unix_ns: 7,
            thresholds: Vec::new(),
        };
        keeper.start(&info).unwrap();
        Self {
            aggregator: Aggregator::new(registry.clone(), 2, false),
            recorders: (0..2)
                .map(|w| Recorder::new(w, registry.clone(), 100_000, false))
                .collect(),
            registry,
            keeper,
            feed,
            collected,
            seconds: 0,
        }
    }

    fn request(&mut self, worker: usize, name: &str, ms: f64) {
        let recorder = &mut self.recorders[worker];
        let tags = [
            ("name", name),
            ("status", "200"),
            ("expected_response", "true"),
        ];
        let tags = recorder.tags.extend(TagsId::EMPTY, &tags);
        let m = self.registry.builtin;
        recorder.record(m.http_reqs, tags, 1.0, Stamp::default());
        recorder.record(m.http_req_duration, tags, ms, Stamp::default());
    }

    fn second(&mut self) {
        for recorder in &mut self.recorders {
            let window = recorder.take_window();
            self.aggregator.absorb(&window);
            self.keeper.window(&window, &self.aggregator).unwrap();
            recorder.recycle(window);
        }
        self.seconds += 1;
        let second = Second {
            elapsed_ns: self.seconds * 1_000_000_000,
            span_ns: 1_000_000_000,
            vus: 3,
            vus_max: 5,
            plan: Conservation {
                planned: Some(self.seconds * 10),
                started: self.seconds * 8,
                dropped: self.seconds * 2,
                ..Conservation::default()
            },
            ..Second::default()
        };
        self.keeper.second(&second, &self.aggregator).unwrap();
    }

    fn record(self) -> Record {
        self.feed.end(&Arc::new(Tail::default()));
        assert!(self.feed.is_empty());
        std::mem::take(&mut *self.collected.0.lock().unwrap())
    }
}

#[test]
fn seconds_and_spans_add_up_to_the_run() {
    let mut run = Run::start();
    for second in 0..25 {
        for worker in 0..2 {
            run.request(worker, "home", 1.0 + f64::from(second));
            run.request(worker, "item", 100.0);
        }
        let check = run.recorders[0].check_slot("::shop", Some("ok"));
        run.recorders[0].check(check, second % 5 != 0);
        run.second();
    }
    let record = run.record();
    assert_eq!((record.seconds.len(), record.spans.len()), (25, 3));
    let second = &record.seconds[4];
    assert_eq!(
        (second.at_ns, second.planned, second.started, second.dropped),
        (4_000_000_000, Some(10), 8, 2)
    );
    assert_eq!((second.vus, second.vus_max), (3, 5));
    let ends: Vec<u64> = record
        .spans
        .iter()
        .map(|s| s.until_ns() / 1_000_000_000)
        .collect();
    assert_eq!(ends, [10, 20, 25]);
    assert_eq!(record.spans.iter().map(|s| s.started).sum::<u64>(), 25 * 8);
    let count = |key: Key| record.total(&key).map(|point| point.samples());
    assert_eq!(count(Key::whole("http_reqs")), Some(100));
    let tagged = Part::Tagged("{expected_response:true}".to_owned());
    assert_eq!(count(Key::of("http_req_duration", tagged)), Some(100));
    let home = record
        .total(&Key::of("http_req_duration", Part::Name("home".to_owned())))
        .unwrap();
    let home = home.dist().unwrap();
    assert_eq!(
        (home.count, home.min, home.max, home.sum),
        (50, 1.0, 25.0, 2.0 * 325.0)
    );
    assert_eq!(
        count(Key::of("http_reqs", Part::Status("200".to_owned()))),
        Some(100)
    );
    let check = Part::Check {
        group: "::shop".to_owned(),
        name: "ok".to_owned(),
    };
    assert_eq!(
        record.total(&Key::of("checks", check)),
        Some(Point::Rate {
            passes: 20,
            total: 25
        })
    );
    assert_eq!(record.head.started_unix_ns, 7);
    assert!(
        record
            .head
            .metrics
            .iter()
            .any(|m| m.name == "http_reqs" && m.kind == Kind::Counter.name())
    );
    assert_eq!(record.tail, Some(Tail::default()));
    let coarse = Record {
        seconds: Frame::at_most(&record.seconds, 4).into_owned(),
        ..record.clone()
    };
    assert_eq!(coarse.seconds.len(), 4);
    assert_eq!(
        coarse.total(&Key::whole("http_req_duration")),
        record.total(&Key::whole("http_req_duration"))
    );
}

#[test]
fn too_many_names_are_counted_together() {
    let mut run = Run::start();
    let names = SERIES_LIMIT + 500;
    for name in 0..names {
        run.request(0, &format!("item {name}"), 1.0);
    }
    run.second();
    let record = run.record();
    assert!(record.is_folded());
    let parts = record
        .keys
        .iter()
        .filter(|key| !key.part.is_by_second())
        .count();
    assert!(parts <= SERIES_LIMIT + 10, "{parts}");
    let by_name = record.parts("http_reqs", |part| match part {
        Part::Name(name) => Some(name),
        _ => None,
    });
    let last = &record.spans[0];
    let counted: u64 = by_name
        .map(|(number, ..)| last.point(number).unwrap().samples())
        .sum();
    assert_eq!(counted, names as u64, "none is lost");
    let other = Key::of("http_reqs", Part::Name(OTHER.to_owned()));
    assert!(record.total(&other).unwrap().samples() > 500);
    assert_eq!(
        record.total(&Key::whole("http_reqs")).unwrap().samples(),
        names as u64
    );
}
