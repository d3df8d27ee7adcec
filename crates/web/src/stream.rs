//! The events of one test as a stream for a browser (server-sent events).

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{self, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::json;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, broadcast};

use crate::control::Refusal;
use crate::hub::{Event, Kind, Running};

/// Streams open at a time.
const STREAMS_AT_MOST: usize = 64;
/// How often a silent stream shows that it lives.
const ALIVE_EVERY: Duration = Duration::from_secs(10);

/// Hands out the streams.
#[derive(Clone, Debug)]
pub(crate) struct Streams(Arc<Semaphore>);

impl Default for Streams {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(STREAMS_AT_MOST)))
    }
}

struct Reader {
    first: Option<sse::Event>,
    events: broadcast::Receiver<Event>,
    over: bool,
    _slot: OwnedSemaphorePermit,
}

impl Streams {
    /// The state now as an event `state`, then everything that is posted, until the end of the test. `lost` tells a
    /// reader that was too slow how many events it missed.
    pub(crate) fn open(&self, run: &Running) -> Result<Response, Refusal> {
        let full = || Refusal {
            status: 503,
            message: format!("{STREAMS_AT_MOST} pages are looking on already"),
            hint: "close one of them".to_owned(),
        };
        let slot = self.0.clone().try_acquire_owned().map_err(|_| full())?;
        let (state, events) = run.follow();
        let over = state["running"] == false;
        let reader = Reader {
            first: Some(sse::Event::default().event("state").data(state.to_string())),
            events,
            over,
            _slot: slot,
        };
        let events = stream::unfold(reader, |mut reader| async move {
            let event = reader.next().await?;
            Some((Ok::<_, Infallible>(event), reader))
        });
        let alive = KeepAlive::new().interval(ALIVE_EVERY);
        Ok(Sse::new(events).keep_alive(alive).into_response())
    }
}

impl Reader {
    async fn next(&mut self) -> Option<sse::Event> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        if self.over {
            return None;
        }
        match self.events.recv().await {
            Ok(event) => {
                self.over = event.kind == Kind::End;
                let sent = sse::Event::default().event(event.kind.name());
                Some(sent.id(event.number.to_string()).data(&*event.data))
            }
            Err(RecvError::Lagged(count)) => {
                let lost = json!({ "count": count }).to_string();
                Some(sse::Event::default().event("lost").data(lost))
            }
            Err(RecvError::Closed) => None,
        }
    }
}
