//! The option `httpDebug`: requests and responses in the log, as they went over the wire.

use std::cell::RefCell;

use netload_engine::log::{Level, Record};
use netload_engine::worker::Worker;
use netload_http::{Call, Exchange};
use netload_plan::options::HttpDebug;

use super::job::Job;

/// Bytes of one body shown at most.
const BODY_SHOWN: usize = 64 * 1024;

/// Whether the plan wants requests in the log.
pub(super) fn is_on(worker: &Worker) -> bool {
    worker.plan.http.http_debug != HttpDebug::Off
}

/// Room for the bytes of each request of a call, when the plan wants to see them. The first may have been sent already.
pub(super) fn first(worker: &Worker, call: &Call) -> Option<RefCell<Vec<u8>>> {
    is_on(worker).then(|| {
        let mut bytes = Vec::new();
        call.prepared().copy_to(&mut bytes);
        RefCell::new(bytes)
    })
}

/// Logs the request and the answer of one hop.
pub(super) fn show(job: &Job, request: &[u8], exchange: &Exchange) {
    let full = job.local.worker.plan.http.http_debug == HttpDebug::Full;
    let (head, body) = request.split_at(head_end(request));
    log(job, "Request", head, full.then_some(body));
    if exchange.head().is_some() {
        let body = full.then(|| exchange.body());
        log(job, "Response", exchange.raw_head(), body);
    }
}

fn log(job: &Job, what: &str, head: &[u8], body: Option<&[u8]>) {
    let head = String::from_utf8_lossy(head).replace('\r', "");
    let mut text = format!("{what}:\n{head}");
    if let Some(body) = body {
        let shown = &body[..body.len().min(BODY_SHOWN)];
        text.push_str(&String::from_utf8_lossy(shown));
        text.push('\n');
    }
    let (vu, iteration) = job.vu;
    let record = Record::new(Level::Info, text)
        .from_source("http-debug")
        .with("vu", vu.to_string())
        .with("iter", iteration.to_string());
    job.local.worker.log(record);
}

/// Where the head ends, the empty line included.
fn head_end(bytes: &[u8]) -> usize {
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n");
    end.map_or(bytes.len(), |at| at + 4)
}
