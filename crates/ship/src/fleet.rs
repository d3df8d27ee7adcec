//! All outputs over a network as one [`Sink`]: windows in, batches to every courier once a second.
//!
//! Owns the thread of the couriers. One thread carries all of them, as each has little to do; a receiver that hangs
//! keeps only its own task waiting. Invariant: [`Fleet::window`] adds up and hands over, and never waits.

use std::rc::Rc;
use std::sync::{Arc, mpsc as channel};
use std::thread::JoinHandle;
use std::time::Duration;

use netload_metrics::summary::Delivery;
use netload_metrics::{Aggregator, RunInfo, Second, Sink, SinkError, Summary, Window};
use netload_net::{Claim, Patience};
use tokio::sync::{mpsc, watch};
use tokio::task::LocalSet;

use crate::account::{Account, Warn};
use crate::batch::Collecting;
use crate::carrier::{Carrier, Route};
use crate::courier::{self, Message, Protocol};
use crate::outbox::Outbox;
use crate::scrape;

/// How long the end of a run waits for the receivers, all of them together.
pub const FINISH_LIMIT: Duration = Duration::from_secs(5);
/// Batches, about one a second, that wait for a courier. Couriers take them at once; this bounds what a mistake costs.
const INBOX_LIMIT_BATCHES: usize = 16;
/// What a thread may need to end beyond [`FINISH_LIMIT`].
const GRACE: Duration = Duration::from_millis(500);
/// How often the end of a run looks whether a full inbox has room.
const LOOK: Duration = Duration::from_millis(10);

/// An output that was understood but not started.
pub struct Opened {
    /// Name and receiver, as shown.
    pub(crate) shown: String,
    pub(crate) way: Way,
}

/// How an output works.
pub(crate) enum Way {
    /// It speaks at its interval.
    Push(Box<dyn Protocol>, Route),
    /// It answers when asked.
    Serve(Box<scrape::Page>, std::net::TcpListener),
}

/// The sink.
pub struct Fleet {
    opened: Vec<Opened>,
    shown: String,
    warn: Warn,
    running: Option<Running>,
}

struct Running {
    collecting: Collecting,
    started_unix_ns: u64,
    last_unix_ns: u64,
    couriers: Vec<(mpsc::Sender<Message>, Arc<Account>)>,
    given_up: watch::Sender<bool>,
    done: channel::Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread gets for one output.
struct Post {
    way: Way,
    inbox: mpsc::Receiver<Message>,
    account: Arc<Account>,
}

impl Fleet {
    /// All these outputs. `warn` gets sentences for the user while the run goes on, from another thread.
    pub fn new(opened: Vec<Opened>, warn: impl Fn(String) + Send + Sync + 'static) -> Self {
        let shown: Vec<&str> = opened.iter().map(|o| o.shown.as_str()).collect();
        Self {
            shown: shown.join(", "),
            opened,
            warn: Arc::new(warn),
            running: None,
        }
    }
}

impl Sink for Fleet {
    fn describe(&self) -> String {
        self.shown.clone()
    }

    fn start(&mut self, info: &RunInfo) -> Result<(), SinkError> {
        let mut posts = Vec::new();
        let mut couriers = Vec::new();
        for output in self.opened.drain(..) {
            let account = Arc::new(Account::new(output.shown, self.warn.clone()));
            let (sender, inbox) = mpsc::channel(INBOX_LIMIT_BATCHES);
            couriers.push((sender, account.clone()));
            posts.push(Post {
                way: output.way,
                inbox,
                account,
            });
        }
        let (given_up, watching) = watch::channel(false);
        let (ended, done) = channel::channel();
        let started_unix_ns = info.started_unix_ns;
        let failed = |error: std::io::Error| SinkError(error.to_string());
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(failed)?;
        let thread = std::thread::Builder::new()
            .name("outputs".to_owned())
            .spawn(move || {
                let _patience = Patience::begin(Claim::Equal);
                LocalSet::new().block_on(&runtime, carry(posts, watching, started_unix_ns));
                // A lookup of a name that hangs must not keep the process.
                runtime.shutdown_background();
                let _ = ended.send(());
            })
            .map_err(failed)?;
        self.running = Some(Running {
            collecting: Collecting::new(info.registry.clone()),
            started_unix_ns,
            last_unix_ns: started_unix_ns,
            couriers,
            given_up,
            done,
            thread: Some(thread),
        });
        Ok(())
    }

    fn window(&mut self, window: &Window, aggregator: &Aggregator) -> Result<(), SinkError> {
        let Some(running) = &mut self.running else {
            return Ok(());
        };
        running.collecting.absorb(window, aggregator);
        Ok(())
    }

    fn second(&mut self, second: &Second<'_>, _: &Aggregator) -> Result<(), SinkError> {
        if let Some(running) = &mut self.running {
            running.hand_over(second.unix_ns);
        }
        Ok(())
    }

    fn finish(&mut self, summary: &Summary) -> Result<(), SinkError> {
        let Some(running) = &mut self.running else {
            return Ok(());
        };
        let end_ns = running.started_unix_ns + summary.elapsed_ns;
        let end_ns = end_ns.max(running.last_unix_ns + 1);
        running.hand_over(end_ns);
        running.end(end_ns);
        Ok(())
    }

    fn deliveries(&self) -> Vec<Delivery> {
        let couriers = self.running.iter().flat_map(|r| &r.couriers);
        couriers.map(|(_, account)| account.delivery()).collect()
    }
}

impl Running {
    /// Closes the batch and gives it to everybody.
    fn hand_over(&mut self, unix_ns: u64) {
        let batch = self.collecting.take(unix_ns);
        let samples = batch.samples();
        if samples == 0 {
            return;
        }
        self.last_unix_ns = unix_ns;
        let batch = Arc::new(batch);
        for (inbox, account) in &self.couriers {
            account.offer(samples);
            if inbox.try_send(Message::Batch(batch.clone())).is_err() {
                account.blame("it could not keep up");
            }
        }
    }

    /// Tells everybody that it is over and waits, but not for long.
    fn end(&mut self, unix_ns: u64) {
        let mut left = FINISH_LIMIT;
        for (inbox, _) in &self.couriers {
            while let Err(mpsc::error::TrySendError::Full(_)) =
                inbox.try_send(Message::End(unix_ns))
            {
                if left.is_zero() {
                    break;
                }
                std::thread::sleep(LOOK);
                left = left.saturating_sub(LOOK);
            }
        }
        if self.done.recv_timeout(left).is_err() {
            self.given_up.send_replace(true);
            if self.done.recv_timeout(GRACE).is_err() {
                // The thread hangs in something that is not ours; the process ends without it.
                self.thread = None;
            }
        }
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            for (_, account) in &self.couriers {
                account.blame("the thread of the outputs broke off");
            }
        }
    }
}

/// The life of the thread: every output takes and delivers until the end.
async fn carry(posts: Vec<Post>, given_up: watch::Receiver<bool>, started_unix_ns: u64) {
    let mut tasks = Vec::new();
    for post in posts {
        let Post {
            way,
            inbox,
            account,
        } = post;
        match way {
            Way::Push(protocol, route) => {
                let outbox = Rc::new(Outbox::default());
                let taking = courier::take(
                    protocol,
                    inbox,
                    outbox.clone(),
                    account.clone(),
                    started_unix_ns,
                );
                tasks.push(tokio::task::spawn_local(taking));
                let carrier = Carrier::new(route);
                let delivering = courier::deliver(carrier, outbox, account, given_up.clone());
                tasks.push(tokio::task::spawn_local(delivering));
            }
            Way::Serve(page, listener) => {
                let serving = scrape::serve(*page, listener, inbox, account);
                tasks.push(tokio::task::spawn_local(serving));
            }
        }
    }
    for task in tasks {
        // A task that broke off has delivered what it has counted.
        let _ = task.await;
    }
}
