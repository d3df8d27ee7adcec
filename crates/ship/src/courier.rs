//! One output at work: it takes batches at once, speaks at its interval, and delivers as long as it takes.
//!
//! Owns the retries. Taking and delivering are two tasks, so that a receiver that hangs never keeps batches waiting.
//! Invariant: a sample counts as delivered only when the receiver said so, where the protocol lets it say anything.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};

use crate::account::Account;
use crate::batch::Batch;
use crate::carrier::{Carrier, Refusal};
use crate::outbox::{Outbox, Parcel};

/// The first pause after a failure; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause between attempts.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// So many failures in a row are a reason to tell the user: one alone is a connection that was closed while idle.
const FAILURES_TOLD: u32 = 2;
/// Part of a second that a batch may come early and still end an interval, in nanoseconds.
const EARLY_NS: u64 = 200_000_000;

/// What an output says: results in, bytes out. Neither a clock nor a network is in it.
pub(crate) trait Protocol: Send {
    /// How often it speaks, in nanoseconds.
    fn interval_ns(&self) -> u64;

    /// Takes note of what was measured.
    fn absorb(&mut self, batch: &Batch);

    /// Everything there is to say at `unix_ns`. `last`: whether it is the end of the run.
    fn speak(&mut self, unix_ns: u64, last: bool) -> Vec<Parcel>;
}

/// What is handed to a courier.
#[derive(Clone)]
pub(crate) enum Message {
    Batch(Arc<Batch>),
    /// The run is over, at this time.
    End(u64),
}

/// Takes batches until the end.
pub(crate) async fn take(
    mut protocol: Box<dyn Protocol>,
    mut inbox: mpsc::Receiver<Message>,
    outbox: Rc<Outbox>,
    account: Arc<Account>,
    started_unix_ns: u64,
) {
    let mut spoken_ns = started_unix_ns;
    let mut last_ns = started_unix_ns;
    let put = |parcels: Vec<Parcel>| {
        for parcel in parcels {
            if outbox.push(parcel) {
                account.blame("its buffer was full");
            }
        }
    };
    while let Some(message) = inbox.recv().await {
        match message {
            Message::Batch(batch) => {
                protocol.absorb(&batch);
                last_ns = batch.unix_ns;
                if last_ns.saturating_sub(spoken_ns) + EARLY_NS >= protocol.interval_ns() {
                    spoken_ns = last_ns;
                    put(protocol.speak(last_ns, false));
                }
            }
            Message::End(unix_ns) => {
                // Receivers take the later of two values for the same time: the end must be later.
                put(protocol.speak(unix_ns.max(last_ns + 1_000_000), true));
                break;
            }
        }
    }
    outbox.close();
}

/// Delivers parcels until there are no more, or until the time after the end is up.
pub(crate) async fn deliver(
    mut carrier: Carrier,
    outbox: Rc<Outbox>,
    account: Arc<Account>,
    mut given_up: watch::Receiver<bool>,
) {
    let mut trouble = Trouble::default();
    loop {
        let parcel = tokio::select! {
            parcel = outbox.next() => parcel,
            _ = given_up.wait_for(|up| *up) => None,
        };
        let Some(parcel) = parcel else { return };
        loop {
            let attempt = tokio::select! {
                attempt = carrier.deliver(&parcel.bytes) => attempt,
                _ = given_up.wait_for(|up| *up) => {
                    account.blame(trouble.last.as_deref().unwrap_or("the run ended before it answered"));
                    return;
                }
            };
            match attempt {
                Ok(()) => {
                    account.deliver(parcel.samples);
                    trouble.over(&account);
                    break;
                }
                Err(Refusal::Final(reason)) => {
                    trouble.refused(&reason, &account);
                    break;
                }
                Err(Refusal::Again(reason)) => {
                    trouble.failed(&reason, &account);
                    tokio::select! {
                        () = tokio::time::sleep(trouble.pause(outbox.is_closed())) => {}
                        _ = given_up.wait_for(|up| *up) => return,
                    }
                }
            }
        }
    }
}

/// The failures in a row.
#[derive(Default)]
struct Trouble {
    failures: u32,
    is_told: bool,
    is_refused: bool,
    last: Option<String>,
}

impl Trouble {
    fn failed(&mut self, reason: &str, account: &Account) {
        self.failures += 1;
        account.blame(reason);
        self.last = Some(reason.to_owned());
        if self.failures == FAILURES_TOLD {
            self.is_told = true;
            account.warn(&format!(
                "cannot deliver: {reason}; it keeps results and tries again"
            ));
        }
    }

    /// The receiver will never take this parcel; one sentence is enough for all of them.
    fn refused(&mut self, reason: &str, account: &Account) {
        account.blame(reason);
        self.last = Some(reason.to_owned());
        if !self.is_refused {
            self.is_refused = true;
            account.warn(&format!("was refused: {reason}"));
        }
    }

    fn over(&mut self, account: &Account) {
        self.failures = 0;
        if std::mem::take(&mut self.is_told) {
            account.warn("delivers again");
        }
    }

    /// At the end nobody wants to wait for long pauses.
    fn pause(&self, is_end: bool) -> Duration {
        if is_end {
            return FIRST_PAUSE;
        }
        let doubled = FIRST_PAUSE.saturating_mul(1 << self.failures.saturating_sub(1).min(8));
        doubled.min(LONGEST_PAUSE)
    }
}
