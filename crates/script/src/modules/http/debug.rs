//! The option `httpDebug`: requests and responses in the log, as they went over the wire.

use netload_engine::log::{Level, Record};
use netload_engine::worker::Worker;
use netload_http::{Call, Hop};
use netload_plan::options::HttpDebug;

/// Bytes of one body shown at most.
const BODY_SHOWN: usize = 64 * 1024;

/// Whether the plan wants requests in the log.
pub(super) fn is_on(worker: &Worker) -> bool {
    worker.plan.http.http_debug != HttpDebug::Off
}

/// Logs one hop when the plan wants that. Of redirects only the request line is known.
pub(super) fn show(worker: &Worker, call: &Call, hop: &Hop<'_>) {
    if !is_on(worker) {
        return;
    }
    let full = worker.plan.http.http_debug == HttpDebug::Full;
    let line;
    let request = if *hop.url == call.request().url {
        call.prepared().bytes()
    } else {
        line = format!("{} {}\n\n", hop.method, hop.url.masked());
        line.as_bytes()
    };
    let (head, body) = request.split_at(head_end(request));
    log(worker, "Request", head, full.then_some(body));
    if hop.exchange.head().is_some() {
        let body = full.then(|| hop.exchange.body());
        log(worker, "Response", hop.exchange.raw_head(), body);
    }
}

fn log(worker: &Worker, what: &str, head: &[u8], body: Option<&[u8]>) {
    let head = String::from_utf8_lossy(head).replace('\r', "");
    let mut text = format!("{what}:\n{head}");
    if let Some(body) = body {
        let shown = &body[..body.len().min(BODY_SHOWN)];
        text.push_str(&String::from_utf8_lossy(shown));
        text.push('\n');
    }
    worker.log(Record::new(Level::Info, text).from_source("http-debug"));
}

/// Where the head ends, the empty line included.
fn head_end(bytes: &[u8]) -> usize {
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n");
    end.map_or(bytes.len(), |at| at + 4)
}
