//! `netload hit URL`: one request over and over, without a script.

use std::collections::BTreeMap;
use std::sync::Arc;

use netload_hit::{Hit, Load};
use netload_metrics::Registry;
use netload_output::document;
use netload_output::hit::{self as text, HitView};
use netload_output::tally::Tally;
use netload_plan::duration::format_go;
use netload_plan::{Layered, Options, Origin, Place, Plan, Problem};
use serde_json::{Map, Value, json};

use super::{Command, Operand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::hit::{load, request, route};
use crate::keeping::{self, About, Keeping};
use crate::measurement::measurement;
use crate::options::Category;
use crate::running::{self, Gate, Job, Reins, judge};
use crate::terminal::settings::TerminalSettings;
use crate::terminal::{Terminal, stdout};
use crate::typed::Typed;
use crate::{format, ui, workers};

/// What a threshold without a metric is about.
const MAIN_METRIC: &str = "http_req_duration";

pub(super) const COMMAND: Command = Command {
    name: "hit",
    about: "Send one request over and over, without a script",
    details: "The request is written with curl's flags. The load is a number of connections that send as fast as the \
              server answers, for 10 seconds; or, with --rate, a number of requests per second that does not depend on \
              the server. Redirects are not followed without -L. At the end running requests may take up to 5 more seconds.",
    categories: &[
        Category::HitLoad,
        Category::HitRequest,
        Category::HitConnection,
        Category::HitResults,
        Category::Keeping,
        Category::Ui,
        Category::Generator,
        Category::Terminal,
    ],
    operand: Some(Operand {
        name: "URL",
        help: "The URL; http:// may be left out",
        what: "one URL",
        example: "http://127.0.0.1:8080/",
        required: true,
        is_file: false,
    }),
    examples: &[
        (
            "As fast as 64 connections can, for 30 seconds",
            "netload hit -c 64 -z 30s http://127.0.0.1:8080/",
        ),
        (
            "32 requests at once on each of 4 connections, over HTTP/2",
            "netload hit --http2 -c 4 --streams 32 https://127.0.0.1:8443/",
        ),
        (
            "1000 requests per second, whatever the server does",
            "netload hit -r 1000 http://127.0.0.1:8080/",
        ),
        (
            "Post JSON 10,000 times",
            "netload hit -n 10k --json '{\"a\": 1}' http://127.0.0.1:8080/post",
        ),
        (
            "Fail when the 99th percentile is too high",
            "netload hit --threshold 'p(99)<50' http://127.0.0.1:8080/",
        ),
    ],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let settings = TerminalSettings::resolve(typed)?;
    let as_json = format::is_json(typed)?;
    let gate = Gate::read(typed)?;
    let load = load::load(typed)?;
    let target = request::request(typed, &load)?;
    let title = format!("{} {}", target.method, target.url);
    let network = route::route(typed)?;
    let plan = plan(typed, &load)?;
    let registry = Arc::new(Registry::new());
    let unfit = judge::problems(&plan, &registry, &Place::root("thresholds"));
    if !unfit.is_empty() {
        return Err(Failure::configuration(Some("--threshold"), unfit));
    }
    let program = Hit::new(target).map_err(|e| Failure::usage(e.to_string()))?;
    let terminal = Terminal::start(settings, None)?;
    let reins = Reins::held()?;
    let workers = workers::count(typed)?;
    let id = keeping::new_id();
    let watched = ui::watch(typed, &id, &reins, &terminal)?;
    let about = About {
        id,
        command: "hit",
        title: title.clone(),
        labels: BTreeMap::new(),
        options: json!({ "load": words(&load), "thresholds": plan.options.to_json()["thresholds"] }),
        script: None,
        workers,
    };
    let keeping = Arc::new(Keeping::start(typed, about, &terminal)?);
    if let Some(watched) = &watched {
        watched.receive(&keeping.feed);
    }
    let job = Job {
        desk: watched.map(|watched| watched.desk),
        program: Arc::new(program),
        title: None,
        plan: Arc::new(plan),
        registry,
        network,
        workers,
        zero: typed.switch("zero")?,
        environment: typed.environment.clone(),
        outputs: typed.texts("out").to_vec(),
        judged: true,
        scopes: false,
        summary_data: None,
        address: None,
        keeping: keeping.clone(),
    };
    let done = running::carry_out(job, &terminal, &reins)?;
    let ended = unanswered(&done.tally).and_then(|()| running::exit(&done.result, gate));
    let findings = keeping.end(&done, &ended, &terminal);
    let summary = &done.result.summary;
    if as_json {
        stdout::line(&format::pretty(&document::document(
            summary,
            Some(&done.tally),
        )))?;
    } else {
        let view = HitView {
            request: &title,
            load: &words(&load),
            summary,
            tally: &done.tally,
        };
        let text = text::render(&view, terminal.settings.stdout) + &keeping.words(&findings);
        stdout::bytes(text.as_bytes())?;
    }
    if typed.switch("linger")? {
        reins.linger(&terminal);
    }
    ended
}

/// A load that got no response at all has measured nothing; that is no success.
fn unanswered(tally: &Tally) -> Result<(), Failure> {
    let most = tally.errors.iter().max_by_key(|(_, error)| error.count);
    match most {
        Some((text, _)) if tally.statuses.is_empty() => {
            Err(Failure::usage(format!("no request got a response: {text}")))
        }
        _ => Ok(()),
    }
}

/// The plan: no script, no options but thresholds, and the scenario of the load.
fn plan(typed: &Typed, load: &Load) -> Result<Plan, Failure> {
    let mut thresholds: Map<String, Value> = Map::new();
    for text in typed.texts("threshold") {
        let (metric, expression) = threshold(text);
        let expressions = thresholds.entry(metric).or_insert_with(|| json!([]));
        if let Some(all) = expressions.as_array_mut() {
            all.push(expression.into());
        }
    }
    let refused = |problems: Vec<Problem>| {
        let bare = problems.into_iter().map(|p| Problem {
            path: String::new(),
            ..p
        });
        Failure::configuration(Some("--threshold"), bare.collect())
    };
    let (options, _) = Options::from_json(&json!({ "thresholds": thresholds })).map_err(refused)?;
    let layered = Layered::new().with(Origin::CommandLine, options);
    let mut plan = Plan::resolve(&layered).map_err(refused)?;
    plan.scenarios = vec![load.scenario()];
    plan.measurement = measurement(typed)?;
    Ok(plan)
}

/// `METRIC:EXPRESSION`, or an expression alone. A metric may have tags: `http_req_duration{status:200}:p(99)<5`.
fn threshold(text: &str) -> (String, String) {
    let after_tags = text.rfind('}').unwrap_or(0);
    match text[after_tags..].split_once(':') {
        Some((_, expression)) => {
            let metric = &text[..text.len() - expression.len() - 1];
            (metric.trim().to_owned(), expression.trim().to_owned())
        }
        None => (MAIN_METRIC.to_owned(), text.to_owned()),
    }
}

/// The load in words.
fn words(load: &Load) -> String {
    let plural = if load.connections == 1 { "" } else { "s" };
    let mut connections = format!("{} connection{plural}", load.connections);
    if load.streams > 1 {
        connections += &format!(" with {} streams each", load.streams);
    }
    let mut words = match load.rate {
        Some(rate) => format!(
            "{} requests in {}, on up to {connections}",
            rate.count,
            format_go(rate.per_ns)
        ),
        None => connections,
    };
    if let Some(requests) = load.limit.requests {
        let plural = if requests == 1 { "" } else { "s" };
        words += &format!(", {requests} request{plural}");
    }
    if let Some(duration_ns) = load.limit.duration_ns {
        words += &format!(", {}", format_go(duration_ns));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_may_leave_out_its_metric() {
        let check = |text, metric: &str, expression: &str| {
            assert_eq!(threshold(text), (metric.to_owned(), expression.to_owned()));
        };
        check("p(99)<50", "http_req_duration", "p(99)<50");
        check("http_reqs: rate>100", "http_reqs", "rate>100");
        check(
            "http_req_duration{status:200}:p(99)<5",
            "http_req_duration{status:200}",
            "p(99)<5",
        );
    }
}
