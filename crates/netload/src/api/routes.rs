//! The paths of the API and what they answer, in k6's JSON:API envelopes.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use netload_engine::{Control, End, Phase, Reply, RunState};
use netload_output::handle_summary::{self, SummaryContext};
use netload_web::Scaling;
use serde_json::{Map, Value, json};

use super::Board;
use super::http::{Answer, Request};
use crate::running::Reins;
use crate::steering;

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
        ("GET", ["v1", "setup"]) => Answer::found(setup_data(reins)),
        ("PUT", ["v1", "setup"]) => match set(&request.body, reins) {
            Ok(()) => Answer::found(setup_data(reins)),
            Err(refused) => refused,
        },
        ("POST", ["v1", "setup"]) => match ask(reins, Control::Setup).await {
            Ok(()) => Answer::found(setup_data(reins)),
            Err(refused) => refused,
        },
        ("POST", ["v1", "teardown"]) => match ask(reins, Control::Teardown).await {
            Ok(()) => Answer::found(Value::Null),
            Err(refused) => refused,
        },
        (_, ["v1", "setup" | "teardown"]) => Answer::error(
            405,
            "Method not allowed",
            "setup takes GET, PUT and POST, teardown takes POST",
        ),
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
    let mut attributes = attributes;
    let rates = state.as_deref().map(rates).unwrap_or_default();
    if !rates.is_empty() {
        attributes["rates"] = rates.into();
    }
    json!({ "data": { "type": "status", "id": "default", "attributes": attributes } })
}

/// What the scenarios with an arrival rate plan now, in iterations per second: k6 has nothing like it.
fn rates(state: &RunState) -> Map<String, Value> {
    let now_ns = netload_net::monotonic_ns();
    let scenarios = state.scenarios.iter();
    let rates =
        scenarios.filter_map(|s| Some((s.scenario.name.clone(), s.rate_at(now_ns)?.into())));
    rates.collect()
}

/// What setup returned, or what was set since.
fn setup_data(reins: &Reins) -> Value {
    let data = reins.state().and_then(|state| state.setup_data());
    let mut attributes = Map::new();
    if let Some(data) = data.and_then(|text| serde_json::from_str::<Value>(&text).ok()) {
        attributes.insert("data".to_owned(), data);
    }
    json!({ "data": { "type": "setupData", "id": "default", "attributes": attributes } })
}

/// Sets the data of setup: a JSON document, or nothing at all.
fn set(body: &[u8], reins: &Reins) -> Result<(), Answer> {
    let data = match body {
        [] => None,
        body => {
            let wrong = |e: serde_json::Error| {
                Answer::error(400, "Error parsing request body", &e.to_string())
            };
            let document: Value = serde_json::from_slice(body).map_err(wrong)?;
            Some(document.to_string().into())
        }
    };
    loaded(reins)?.set_setup_data(data);
    Ok(())
}

/// Lets the engine run setup or teardown, and waits for its end, which has a limit of its own.
async fn ask(reins: &Reins, order: fn(Reply) -> Control) -> Result<(), Answer> {
    let (reply, mut answer) = tokio::sync::mpsc::unbounded_channel();
    loaded(reins)?.order(order(reply));
    match answer.recv().await {
        Some(Ok(_)) => Ok(()),
        Some(Err(error)) => Err(Answer::error(500, "It failed", &error)),
        None => Err(Answer::error(409, "Too late", "the test is over")),
    }
}

fn loaded(reins: &Reins) -> Result<Arc<RunState>, Answer> {
    let none = || Answer::error(409, "Too early", "the test has not been loaded yet");
    reins.state().ok_or_else(none)
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
    let rate = match &wanted["rate"] {
        Value::Number(number) => Some(number.to_string()),
        other => other.as_str().map(str::to_owned),
    };
    let scaling = Scaling {
        vus: wanted["vus"].as_u64(),
        max: wanted["vus-max"].as_u64(),
        rate,
        scenario: wanted["scenario"].as_str().map(str::to_owned),
    };
    if scaling != Scaling::default() {
        steering::scale(&state, &scaling).map_err(|refusal| wrong(&refusal))?;
        until(|| {
            scaling.vus.is_none_or(|vus| {
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
