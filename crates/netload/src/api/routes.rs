//! The paths of the API and what they answer, in k6's JSON:API envelopes.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use netload_engine::{Control, End, Phase, RunState};
use netload_output::handle_summary::{self, SummaryContext};
use netload_plan::Executor;
use serde_json::{Value, json};

use super::Board;
use super::http::{Answer, Request};
use crate::running::Reins;

/// How long an answer waits for an order to be carried out.
const ORDER_TIMEOUT: Duration = Duration::from_secs(1);

/// How often it looks.
const LOOK_EVERY: Duration = Duration::from_millis(10);

/// Answers a request.
pub(super) async fn answer(request: Request, reins: &Reins, board: &Board) -> Answer {
    let path: Vec<&str> = request.path.trim_matches('/').split('/').collect();
    match (request.method.as_str(), path.as_slice()) {
        ("GET", ["ping"]) => Answer::found(json!("pong")),
        ("GET", ["v1", "status"]) => Answer::found(status(reins, board)),
        ("PATCH", ["v1", "status"]) => match change(&request.body, reins).await {
            Ok(()) => Answer::found(status(reins, board)),
            Err(refused) => refused,
        },
        ("GET", ["v1", "metrics"]) => Answer::found(json!({ "data": metrics(board) })),
        ("GET", ["v1", "metrics", name]) => one(metrics(board), name),
        ("GET", ["v1", "groups"]) => Answer::found(json!({ "data": groups(board) })),
        ("GET", ["v1", "groups", id]) => one(groups(board), id),
        (_, ["ping"] | ["v1", "status" | "metrics" | "groups", ..]) => Answer::error(
            405,
            "Method not allowed",
            "this path does not take that method",
        ),
        _ => Answer::error(404, "Not found", "there is no such path"),
    }
}

fn one(all: Vec<Value>, id: &str) -> Answer {
    match all.into_iter().find(|item| item["id"] == id) {
        Some(item) => Answer::found(json!({ "data": item })),
        None => Answer::error(404, "Not found", "there is nothing of this name"),
    }
}

fn status(reins: &Reins, board: &Board) -> Value {
    let state = reins.state();
    let phase = board.phase();
    let number = |f: fn(&RunState) -> i64| state.as_deref().map_or(0, f);
    let paused = state.as_ref().is_some_and(|s| s.paused.load(Relaxed));
    let stopped = state.as_ref().is_some_and(|s| s.ended().is_some()) || phase == Some(Phase::Done);
    let attributes = json!({
        "status": status_number(phase, stopped),
        "paused": paused,
        "vus": number(|s| s.vus_active.load(Relaxed)),
        "vus-max": number(|s| s.vus_initialized.load(Relaxed)),
        "stopped": stopped,
        "running": matches!(phase, Some(Phase::Setup | Phase::Load | Phase::Teardown)),
        "tainted": board.summary().thresholds_failed(),
    });
    json!({ "data": { "type": "status", "id": "default", "attributes": attributes } })
}

/// k6's number for where a run is.
fn status_number(phase: Option<Phase>, stopped: bool) -> u8 {
    match phase {
        None => 0,
        Some(Phase::Init) => 1,
        Some(Phase::Paused) => 4,
        Some(Phase::Setup) => 6,
        Some(Phase::Load) if stopped => 10,
        Some(Phase::Load) => 7,
        Some(Phase::Teardown) => 8,
        Some(Phase::Done) => 9,
    }
}

/// Carries out what the document asks for.
async fn change(body: &[u8], reins: &Reins) -> Result<(), Answer> {
    let wrong = |detail: &str| Answer::error(400, "Invalid request", detail);
    let document: Value =
        serde_json::from_slice(body).map_err(|_| wrong("the body is not JSON"))?;
    let wanted = &document["data"]["attributes"];
    if !wanted.is_object() {
        return Err(wrong("the body has no data.attributes"));
    }
    let state = reins
        .state()
        .ok_or_else(|| wrong("the test has not been loaded yet"))?;
    if wanted["stopped"] == true {
        state.end(End::Api);
    }
    if let Some(paused) = wanted["paused"].as_bool() {
        state.order(Control::Pause(paused));
        until(|| state.paused.load(Relaxed) == paused || state.ended().is_some()).await;
    }
    let (vus, max) = (wanted["vus"].as_u64(), wanted["vus-max"].as_u64());
    if vus.is_some() || max.is_some() {
        let scales = |e: &Executor| matches!(e, Executor::ExternallyControlled(_));
        if !state.scenarios.iter().any(|s| scales(&s.scenario.executor)) {
            return Err(wrong(
                "only a test with an externally-controlled scenario can be scaled",
            ));
        }
        state.order(Control::Scale { vus, max });
        until(|| {
            vus.is_none_or(|vus| {
                state.vus_active.load(Relaxed) == i64::try_from(vus).unwrap_or(i64::MAX)
            })
        })
        .await;
    }
    Ok(())
}

/// Waits until an order is carried out, but not for long.
async fn until(done: impl Fn() -> bool) {
    let looking = async {
        while !done() {
            tokio::time::sleep(LOOK_EVERY).await;
        }
    };
    // An order that takes longer is still carried out; the answer then tells the state before it.
    let _ = tokio::time::timeout(ORDER_TIMEOUT, looking).await;
}

fn metrics(board: &Board) -> Vec<Value> {
    let summary = board.summary();
    let data = handle_summary::data(&summary, &SummaryContext::default());
    let all = data["metrics"].as_object().into_iter().flatten();
    all.map(|(name, metric)| {
        let thresholds = metric["thresholds"].as_object();
        let tainted = thresholds.map(|all| all.values().any(|t| t["ok"] == false));
        json!({
            "type": "metrics",
            "id": name,
            "attributes": {
                "type": metric["type"],
                "contains": metric["contains"],
                "tainted": tainted,
                "sample": metric["values"],
            },
        })
    })
    .collect()
}

fn groups(board: &Board) -> Vec<Value> {
    let data = handle_summary::data(&board.summary(), &SummaryContext::default());
    let mut all = Vec::new();
    list_group(&data["root_group"], &Value::Null, &mut all);
    all
}

fn list_group(group: &Value, parent: &Value, all: &mut Vec<Value>) {
    let link = |id: &Value| json!({ "type": "groups", "id": id });
    let inner = group["groups"].as_array().cloned().unwrap_or_default();
    let inner_links: Vec<Value> = inner.iter().map(|g| link(&g["id"])).collect();
    let parent_link = if parent.is_null() {
        Value::Null
    } else {
        link(parent)
    };
    all.push(json!({
        "type": "groups",
        "id": group["id"],
        "attributes": { "name": group["name"], "path": group["path"], "checks": group["checks"] },
        "relationships": { "groups": { "data": inner_links }, "parent": { "data": parent_link } },
    }));
    for child in &inner {
        list_group(child, &group["id"], all);
    }
}
