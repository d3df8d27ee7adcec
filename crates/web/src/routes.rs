//! The paths of the API: an explicit list, and what each does.

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, delete, get, post};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;

use crate::control::{Control, Filter, Order, Refusal, Scaling};
use crate::hub::Running;
use crate::server::App;
use crate::{answer, pages};

/// The API's own document, in OpenAPI 3.1.
pub const OPENAPI: &str = include_str!("../openapi.json");

/// Tests listed when nobody says how many.
const RUNS_LISTED: usize = 100;
/// Tests listed at most.
const RUNS_AT_MOST: usize = 1_000;

/// One path with one method.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// `get`, `post` or `delete`.
    pub method: &'static str,
    /// The path, with its parameters in braces.
    pub path: &'static str,
    serve: fn() -> MethodRouter<App>,
}

type Answered = Result<Response, Refusal>;
type Asked = Query<HashMap<String, String>>;

/// Every path of the API.
pub const ROUTES: &[Route] = &[
    Route {
        method: "get",
        path: "/api/openapi.json",
        serve: || get(async || answer::text(OPENAPI.to_owned())),
    },
    Route {
        method: "get",
        path: "/api/v1/server",
        serve: || get(server),
    },
    Route {
        method: "get",
        path: "/api/v1/runs",
        serve: || get(runs),
    },
    Route {
        method: "post",
        path: "/api/v1/runs",
        serve: || post(start),
    },
    Route {
        method: "post",
        path: "/api/v1/preview",
        serve: || post(preview),
    },
    Route {
        method: "get",
        path: "/api/v1/runs/{id}",
        serve: || get(run),
    },
    Route {
        method: "delete",
        path: "/api/v1/runs/{id}",
        serve: || delete(forget),
    },
    Route {
        method: "get",
        path: "/api/v1/runs/{id}/view",
        serve: || get(view),
    },
    Route {
        method: "get",
        path: "/api/v1/runs/{id}/findings",
        serve: || get(findings),
    },
    Route {
        method: "get",
        path: "/api/v1/runs/{id}/events",
        serve: || get(events),
    },
    Route {
        method: "get",
        path: "/api/v1/runs/{id}/logs",
        serve: || get(logs),
    },
    Route {
        method: "get",
        path: "/api/v1/runs/{id}/failures",
        serve: || get(failures),
    },
    Route {
        method: "post",
        path: "/api/v1/runs/{id}/stop",
        serve: || post(stop),
    },
    Route {
        method: "post",
        path: "/api/v1/runs/{id}/pause",
        serve: || post(pause),
    },
    Route {
        method: "post",
        path: "/api/v1/runs/{id}/resume",
        serve: || post(resume),
    },
    Route {
        method: "post",
        path: "/api/v1/runs/{id}/scale",
        serve: || post(scale),
    },
    Route {
        method: "get",
        path: "/api/v1/compare",
        serve: || get(compare),
    },
];

pub(crate) fn table() -> Router<App> {
    let router = ROUTES.iter().fold(Router::new(), |router, route| {
        router.route(route.path, (route.serve)())
    });
    router.fallback(async |State(app): State<App>, uri: Uri| match uri.path() {
        path if path.starts_with("/api/") => {
            Refusal::missing("there is no such path").into_response()
        }
        _ => pages::answer(&app.assets, &uri),
    })
}

async fn server(State(app): State<App>) -> Response {
    let running: Vec<Value> = app.hub.running().iter().map(|run| run.summary()).collect();
    answer::document(&json!({ "version": env!("CARGO_PKG_VERSION"), "running": running }))
}

async fn runs(State(app): State<App>, Query(asked): Asked) -> Answered {
    let limit = match asked.get("limit") {
        None => RUNS_LISTED,
        Some(text) => text
            .parse::<usize>()
            .map_err(|_| Refusal::wrong(format!("`{text}` is not a number of tests")))?,
    };
    let filter = Filter {
        text: asked.get("text").cloned().unwrap_or_default(),
        limit: limit.min(RUNS_AT_MOST),
    };
    let earlier = wait(&app, move |control| control.runs(&filter)).await?;
    let running: Vec<Value> = app.hub.running().iter().map(|run| run.summary()).collect();
    Ok(answer::document(
        &json!({ "running": running, "runs": earlier }),
    ))
}

async fn start(State(app): State<App>, headers: HeaderMap, body: Bytes) -> Answered {
    let wanted = document(&headers, &body)?;
    let started = wait(&app, move |control| control.start(&wanted)).await?;
    Ok(answer::document(&started))
}

async fn preview(State(app): State<App>, headers: HeaderMap, body: Bytes) -> Answered {
    let wanted = document(&headers, &body)?;
    let shown = wait(&app, move |control| control.preview(&wanted)).await?;
    Ok(answer::document(&shown))
}

async fn run(State(app): State<App>, Path(id): Path<String>) -> Answered {
    Ok(answer::document(&live(&app, &id)?.summary()))
}

async fn forget(State(app): State<App>, Path(id): Path<String>) -> Answered {
    if app.hub.find(&id).is_some_and(|run| !run.is_over()) {
        return Err(Refusal::conflict("the test is still running").hint("stop it first"));
    }
    let gone = id.clone();
    wait(&app, move |control| control.forget(&gone)).await?;
    app.hub.forget(&id);
    Ok(answer::done())
}

async fn view(State(app): State<App>, Path(id): Path<String>) -> Answered {
    Ok(answer::text(
        wait(&app, move |control| control.view(&id)).await?,
    ))
}

async fn findings(State(app): State<App>, Path(id): Path<String>) -> Answered {
    let found = wait(&app, move |control| control.findings(&id)).await?;
    Ok(answer::document(&found))
}

async fn events(State(app): State<App>, Path(id): Path<String>) -> Answered {
    app.streams.open(&*live(&app, &id)?)
}

async fn logs(State(app): State<App>, Path(id): Path<String>) -> Answered {
    Ok(answer::document(&live(&app, &id)?.logs()))
}

async fn failures(State(app): State<App>, Path(id): Path<String>) -> Answered {
    Ok(answer::document(&live(&app, &id)?.failures()))
}

async fn stop(State(app): State<App>, Path(id): Path<String>) -> Answered {
    steer(&app, id, Order::Stop).await
}

async fn pause(State(app): State<App>, Path(id): Path<String>) -> Answered {
    steer(&app, id, Order::Pause).await
}

async fn resume(State(app): State<App>, Path(id): Path<String>) -> Answered {
    steer(&app, id, Order::Resume).await
}

async fn scale(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Answered {
    let wanted = document(&headers, &body)?;
    let number = |name: &str| match &wanted[name] {
        Value::Null => Ok(None),
        value => value
            .as_u64()
            .map(Some)
            .ok_or_else(|| Refusal::wrong(format!("`{name}` must be a whole number of VUs"))),
    };
    let text = |name: &str| match &wanted[name] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Number(number) => Ok(Some(number.to_string())),
        _ => Err(Refusal::wrong(format!("`{name}` must be a text"))),
    };
    let (vus, max, rate) = (number("vus")?, number("max")?, text("rate")?);
    if vus.is_none() && max.is_none() && rate.is_none() {
        return Err(Refusal::wrong("none of `vus`, `max` and `rate` is given"));
    }
    let scaling = Scaling {
        vus,
        max,
        rate,
        scenario: text("scenario")?,
    };
    steer(&app, id, Order::Scale(scaling)).await
}

async fn compare(State(app): State<App>, Query(asked): Asked) -> Answered {
    let named = |name: &str| {
        let id = asked.get(name).filter(|id| !id.is_empty()).cloned();
        id.ok_or_else(|| Refusal::wrong(format!("`{name}` must name a test")))
    };
    let (before, after) = (named("before")?, named("after")?);
    let compared = wait(&app, move |control| control.compare(&before, &after)).await?;
    Ok(answer::document(&compared))
}

async fn steer(app: &App, id: String, order: Order) -> Answered {
    let run = live(app, &id)?;
    if run.is_over() {
        return Err(Refusal::conflict("the test is over"));
    }
    wait(app, move |control| control.steer(&id, &order)).await?;
    Ok(answer::done())
}

fn live(app: &App, id: &str) -> Result<Arc<Running>, Refusal> {
    let missing = || Refusal::missing(format!("no test `{id}` is running here"));
    app.hub.find(id).ok_or_else(missing)
}

/// The JSON document of a request. Its type must be said: a form on another site cannot send that type unasked.
fn document(headers: &HeaderMap, body: &[u8]) -> Result<Value, Refusal> {
    let media = headers
        .get(header::CONTENT_TYPE)
        .and_then(|v| v.to_str().ok());
    let is_json = media.is_some_and(|m| {
        m.split(';')
            .next()
            .is_some_and(|m| m.trim() == "application/json")
    });
    if !is_json {
        return Err(Refusal {
            status: 415,
            message: "the body must be of the type application/json".to_owned(),
            hint: String::new(),
        });
    }
    match serde_json::from_slice(body) {
        Ok(document @ Value::Object(_)) => Ok(document),
        Ok(_) => Err(Refusal::wrong("the body must be a JSON object")),
        Err(e) => Err(Refusal::wrong(format!("the body is not JSON: {e}"))),
    }
}

/// Makes a call that may wait, on a thread for that.
async fn wait<T: Send + 'static>(
    app: &App,
    call: impl FnOnce(&dyn Control) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let control = app.control.clone();
    let called = tokio::task::spawn_blocking(move || call(&*control)).await;
    called.unwrap_or_else(|_| Err(Refusal::failed("this is a defect of netload")))
}
