//! Runs in and out of the file: whole, cut short, side by side, damaged, too many.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use netload_record::{Feed, Frame, Head, Key, Part, Point, Receiver, Tail, Update};
use netload_store::{Filter, RUNNING_WITHIN_NS, State, Store, StoreError, Writer};
use serde_json::json;

const SECOND_NS: u64 = 1_000_000_000;

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "netload-store-{}-{}",
            std::process::id(),
            NUMBER.fetch_add(1, Relaxed)
        );
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }

    fn file(&self) -> PathBuf {
        self.0.join("deeper").join("runs.db")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn head(number: u64, branch: &str) -> Head {
    Head {
        format: 1,
        id: format!("20261122-0445{number:02}-000a"),
        started_unix_ns: number * 100 * SECOND_NS,
        title: "shop.js".to_owned(),
        labels: [("branch".to_owned(), branch.to_owned())].into(),
        ..Head::default()
    }
}

fn update(second: u64) -> Arc<Update> {
    let frame = |at_ns, span_ns, key, samples| Frame {
        at_ns,
        span_ns,
        points: vec![(
            key,
            Point::Counter {
                sum: samples as f64,
                samples,
            },
        )],
        ..Frame::default()
    };
    let since = second / 10 * 10;
    Arc::new(Update {
        first_fresh: if second == 0 { 0 } else { 2 },
        fresh_keys: match second {
            0 => vec![
                Key::whole("http_reqs"),
                Key::of("http_reqs", Part::Name("a".to_owned())),
            ],
            _ => Vec::new(),
        },
        second: frame(second * SECOND_NS, SECOND_NS, 0, 100),
        span: frame(
            since * SECOND_NS,
            (second + 1 - since) * SECOND_NS,
            1,
            (second + 1 - since) * 100,
        ),
        generator: None,
    })
}

fn tail() -> Tail {
    Tail {
        elapsed_ns: 25 * SECOND_NS,
        exit_code: 99,
        ending: "a threshold failed".to_owned(),
        failed: true,
        document: json!({ "metrics": { "http_reqs": { "values": { "rate": 100.0 } } }, "generator": { "verdict": "clean" } }),
        evidence: Vec::new(),
    }
}

fn keep(folder: &Folder, head: &Head, seconds: u64, end: bool) {
    let (mut writer, outcome) = Writer::start(&folder.file()).unwrap();
    writer.begin(head);
    (0..seconds).for_each(|second| writer.update(&update(second)));
    if end {
        writer.end(&Arc::new(tail()));
        assert_eq!(outcome.problem(), None);
    } else {
        // As when the process goes away: what was handed over is written, nobody tells an end.
        drop(writer);
        let store = Store::open(&folder.file()).unwrap();
        let written = || {
            store
                .load(&head.id)
                .map_or(0, |record| record.seconds.len() as u64)
        };
        let tries = 1_000;
        assert!((0..tries).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            written() == seconds
        }));
    }
}

fn all() -> Filter {
    Filter {
        limit: 100,
        ..Filter::default()
    }
}

#[test]
fn a_run_comes_back_as_it_was() {
    let folder = Folder::new();
    let head = head(1, "main");
    keep(&folder, &head, 25, true);
    let store = Store::open_existing(&folder.file()).unwrap();
    let record = store.load(&head.id).unwrap();
    assert_eq!(record.head, head);
    assert_eq!((record.seconds.len(), record.spans.len()), (25, 3));
    assert_eq!(
        record
            .total(&Key::of("http_reqs", Part::Name("a".to_owned())))
            .unwrap()
            .samples(),
        2_500
    );
    assert_eq!(
        record.total(&Key::whole("http_reqs")).unwrap().samples(),
        2_500
    );
    assert_eq!(record.tail, Some(tail()));
    let line = &store.list(&all(), 0).unwrap()[0];
    assert_eq!(
        (line.state, line.line.rate, line.line.exit_code),
        (State::Finished, Some(100.0), Some(99))
    );
    assert!(matches!(store.load("20261122"), Err(StoreError::NoRun(_))));
}

#[test]
fn a_run_without_an_end_is_running_and_later_interrupted() {
    let folder = Folder::new();
    let head = head(1, "main");
    keep(&folder, &head, 12, false);
    let store = Store::open_existing(&folder.file()).unwrap();
    let heard_ns = head.started_unix_ns + 12 * SECOND_NS;
    let state = |now_ns| store.list(&all(), now_ns).unwrap()[0].state;
    assert_eq!(state(heard_ns + 1), State::Running);
    assert_eq!(state(heard_ns + RUNNING_WITHIN_NS), State::Interrupted);
    let line = &store.list(&all(), u64::MAX).unwrap()[0].line;
    assert_eq!((line.rate, line.elapsed_ns), (Some(100.0), 12 * SECOND_NS));
}

#[test]
fn several_processes_write_at_once() {
    let folder = Folder::new();
    let feeds: Vec<Feed> = (0..4)
        .map(|number| {
            let (mut writer, _) = Writer::start(&folder.file()).unwrap();
            writer.begin(&head(number, "main"));
            let feed = Feed::default();
            feed.add(Box::new(writer));
            feed
        })
        .collect();
    feeds.iter().for_each(|feed| feed.end(&Arc::new(tail())));
    let store = Store::open_existing(&folder.file()).unwrap();
    assert_eq!(store.list(&all(), 0).unwrap().len(), 4);
}

#[test]
fn runs_are_named_by_id_by_place_and_by_label() {
    let folder = Folder::new();
    for (number, branch) in [(1, "main"), (2, "fix"), (3, "main")] {
        keep(&folder, &head(number, branch), 1, true);
    }
    let store = Store::open_existing(&folder.file()).unwrap();
    let ids = |name: &str| store.select(name).unwrap();
    let id = |number| head(number, "").id;
    assert_eq!(ids("last"), [id(3)]);
    assert_eq!(ids("last~2"), [id(1)]);
    assert_eq!(ids("20261122-044502"), [id(2)]);
    assert_eq!(ids("branch=main"), [id(3), id(1)]);
    let refused = |name: &str| store.select(name).unwrap_err().to_string();
    assert_eq!(refused("last~3"), "there is no run `last~3`");
    assert_eq!(refused("branch=none"), "there is no run `branch=none`");
    assert!(refused("20261122").starts_with("`20261122` can mean several runs: "));
    assert_eq!(refused(""), "there is no run ``");
    let filter = Filter {
        labels: vec![("branch".to_owned(), "main".to_owned())],
        title: Some("SHOP".to_owned()),
        limit: 1,
    };
    assert_eq!(store.list(&filter, 0).unwrap()[0].id, id(3));
}

#[test]
fn the_oldest_runs_go_first_and_the_newest_stays() {
    let folder = Folder::new();
    (1..=3).for_each(|number| keep(&folder, &head(number, "main"), 20, true));
    let mut store = Store::open_existing(&folder.file()).unwrap();
    let (runs, bytes) = store.size().unwrap();
    assert_eq!(runs, 3);
    assert_eq!(store.prune(bytes).unwrap(), 0);
    assert_eq!(store.prune(bytes - 1).unwrap(), 1);
    assert!(store.load(&head(1, "").id).is_err());
    assert_eq!(store.prune(0).unwrap(), 1);
    assert_eq!(store.list(&all(), 0).unwrap()[0].id, head(3, "").id);
    assert_eq!(
        store
            .delete(&[head(3, "").id, "nothing".to_owned()])
            .unwrap(),
        1
    );
    assert_eq!(store.size().unwrap(), (0, 0));
}

#[test]
fn files_that_are_no_store_are_told_and_left_alone() {
    let folder = Folder::new();
    assert!(matches!(
        Store::open_existing(&folder.file()),
        Err(StoreError::Missing(_))
    ));
    std::fs::create_dir_all(folder.file().parent().unwrap()).unwrap();
    std::fs::write(
        folder.file(),
        "not a database, and longer than the head of one would be ".repeat(20),
    )
    .unwrap();
    let error = Store::open(&folder.file()).unwrap_err().to_string();
    assert!(error.contains("file is not a database"), "{error}");
    std::fs::remove_file(folder.file()).unwrap();
    drop(Store::open(&folder.file()).unwrap());
    let other = rusqlite::Connection::open(folder.file()).unwrap();
    other.pragma_update(None, "user_version", 99).unwrap();
    assert!(matches!(
        Store::open(&folder.file()),
        Err(StoreError::Newer { .. })
    ));
}
