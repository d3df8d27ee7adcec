//! Answers whose time is known.
//!
//! Times count from the moment the request was read; answering is delayed,
//! never the reading of other connections.

use std::time::{Duration, Instant};

use super::{Call, content, echo};
use crate::codec;
use crate::limits;
use crate::reply::{Body, Due, Reply};
use crate::state::Booking;

const MILLISECOND: Duration = Duration::from_millis(1);
/// An exponential time is cut here, so that a run cannot wait for a freak.
const MEANS_AT_MOST: f64 = 50.0;

pub(super) fn fixed(call: &Call<'_>) -> Reply {
    match codec::duration(call.argument(0), MILLISECOND) {
        Some(time) => content::hello(call).due(Due::After(time)),
        None => Reply::usage("/fixed/TIME, for example /fixed/10ms"),
    }
}

pub(super) fn exponential(call: &Call<'_>) -> Reply {
    let Some(mean) = codec::duration(call.argument(0), MILLISECOND) else {
        return Reply::usage("/exp/MEAN, for example /exp/10ms");
    };
    let factor = -f64::ln(1.0 - call.state.draw());
    content::hello(call).due(Due::After(mean.mul_f64(factor.min(MEANS_AT_MOST))))
}

pub(super) fn bimodal(call: &Call<'_>) -> Reply {
    let fast = codec::duration(call.argument(0), MILLISECOND);
    let slow = codec::duration(call.argument(1), MILLISECOND);
    let share = codec::fraction(call.argument(2));
    let (Some(fast), Some(slow), Some(share)) = (fast, slow, share) else {
        return Reply::usage("/bimodal/FAST/SLOW/SHARE, for example /bimodal/5ms/100ms/0.1");
    };
    let time = if call.state.draw() < share {
        slow
    } else {
        fast
    };
    content::hello(call).due(Due::After(time))
}

pub(super) fn stall(call: &Call<'_>) -> Reply {
    let time = |name: &str, default: &str| {
        let text = call.request.query_value(name);
        codec::duration(text.as_deref().unwrap_or(default), MILLISECOND)
    };
    match (time("every", "1s"), time("for", "200ms")) {
        (Some(every), Some(length)) if length < every => {
            content::hello(call).due(after_stall(call.state.started, every, length))
        }
        _ => Reply::usage("/stall?every=TIME&for=TIME with for < every"),
    }
}

/// Every period ends with a stall of `length`; an answer that falls into it waits for its end.
fn after_stall(started: Instant, every: Duration, length: Duration) -> Due {
    let running = started.elapsed();
    let into_period = Duration::from_nanos(
        u64::try_from(running.as_nanos() % every.as_nanos().max(1)).unwrap_or(0),
    );
    if into_period < every - length {
        Due::Now
    } else {
        Due::At(started + running + (every - into_period))
    }
}

/// A service with so many places: who finds all of them taken waits in line, and where the line is full is refused.
pub(super) fn queue(call: &Call<'_>) -> Reply {
    let time = codec::duration(call.argument(0), MILLISECOND).filter(|time| !time.is_zero());
    let places = call.argument(1).parse().ok();
    let places = places.filter(|places| (1..=limits::QUEUE_PLACES).contains(places));
    let line = call.request.query_value("line");
    let line: Option<u32> = match line.as_deref().map(str::parse) {
        None => None,
        Some(Ok(line)) => Some(line),
        Some(Err(_)) => return Reply::usage("/queue/TIME/PLACES?line=N, N a number"),
    };
    let (Some(time), Some(places)) = (time, places) else {
        return Reply::usage("/queue/TIME/PLACES, for example /queue/20ms/4?line=10");
    };
    // The line of N moves up by one place whenever one of the places is free again.
    let patience = line.map(|line| time.saturating_mul(line) / places);
    let booking = Booking {
        name: call.request.path,
        places: places as usize,
        time,
        patience,
    };
    match call.state.book(&booking, Instant::now()) {
        Some(end) => content::hello(call).due(Due::At(end)),
        None => Reply::new(503, "text/plain; charset=utf-8", "the line is full\n"),
    }
}

pub(super) fn slow_bytes(call: &Call<'_>) -> Reply {
    let bytes = codec::size(call.argument(0));
    let over = codec::duration(call.argument(1), MILLISECOND);
    match (bytes, over) {
        (Some(bytes), Some(over)) => Reply::empty(200)
            .with("Content-Type", "application/octet-stream")
            .body(Body::Slow { bytes, over }),
        _ => Reply::usage("/slow/bytes/N/over/TIME, for example /slow/bytes/1000/over/2s"),
    }
}

pub(super) fn delay(call: &Call<'_>) -> Reply {
    match codec::duration(call.argument(0), Duration::from_secs(1)) {
        Some(time) => echo::anything(call).due(Due::After(time)),
        None => Reply::usage("/delay/SECONDS, for example /delay/1.5"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_wait_for_the_end_of_a_stall_and_only_then() {
        let (every, length) = (Duration::from_secs(1000), Duration::from_secs(999));
        let ago = |seconds| Instant::now() - Duration::from_secs(seconds);
        assert_eq!(after_stall(Instant::now(), every, length), Due::Now);
        let started = ago(500);
        match after_stall(started, every, length) {
            Due::At(end) => assert_eq!(end, started + every),
            other => panic!("{other:?}"),
        }
    }
}
