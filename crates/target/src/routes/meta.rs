//! Paths about the server itself: health, counters, connections, TLS, the log.

use serde_json::json;

use super::{Call, content};
use crate::reply::Reply;

pub(super) fn health(_: &Call<'_>) -> Reply {
    Reply::text("ok\n")
}

pub(super) fn counter(call: &Call<'_>) -> Reply {
    Reply::text(call.state.count(call.argument(0)).to_string())
}

pub(super) fn connection_close(call: &Call<'_>) -> Reply {
    content::hello(call).closing()
}

pub(super) fn connection(call: &Call<'_>) -> Reply {
    Reply::json(&json!({
        "connection": call.request.origin.connection,
        "accepted": call.state.accepted(),
    }))
}

pub(super) fn tls(call: &Call<'_>) -> Reply {
    let Some(session) = call.session else {
        return Reply::json(&json!({ "secure": false }));
    };
    let version = session.protocol_version().and_then(|v| v.as_str());
    let suite = session.negotiated_cipher_suite().map(|s| s.suite());
    Reply::json(&json!({
        "secure": true,
        "version": version,
        "cipher_suite": suite.and_then(|s| s.as_str()),
        "server_name": session.server_name(),
        "client_certificates": session.peer_certificates().map_or(0, |chain| chain.len()),
    }))
}

pub(super) fn log(call: &Call<'_>) -> Reply {
    match &call.state.log {
        Some(log) => Reply::json(&log.to_json()),
        None => Reply::new(404, "text/plain", "this server does not log requests\n"),
    }
}

pub(super) fn log_clear(call: &Call<'_>) -> Reply {
    if let Some(log) = &call.state.log {
        log.clear();
    }
    Reply::empty(204)
}
