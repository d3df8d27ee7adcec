//! `netload status`, `pause`, `resume`, `scale`: the commands that talk to a running test.

use serde_json::{Value, json};

use super::Command;
use crate::api;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::hit::load;
use crate::options::Category;
use crate::terminal::stdout;
use crate::typed::Typed;

const BASE: Command = Command {
    name: "",
    about: "",
    details: "The test must listen: `netload run --address localhost:6565`. Paused and externally controlled tests do \
              so by themselves.",
    categories: &[Category::Client, Category::Terminal],
    operand: None,
    examples: &[],
    hidden: false,
    act: status,
};

pub(super) const STATUS: Command = Command {
    name: "status",
    about: "Show where a running test is",
    ..BASE
};

pub(super) const PAUSE: Command = Command {
    name: "pause",
    about: "Pause a running test",
    act: |typed| change(typed, json!({ "paused": true })),
    ..BASE
};

pub(super) const RESUME: Command = Command {
    name: "resume",
    about: "Let a paused test go on",
    act: |typed| change(typed, json!({ "paused": false })),
    ..BASE
};

pub(super) const SCALE: Command = Command {
    name: "scale",
    about: "Change the virtual users or the rate of a running test",
    details: "Virtual users: scenarios with the executor constant-vus, ramping-vus or externally-controlled. Rate: \
              scenarios with an arrival rate. The test must listen: `netload run --address localhost:6565`.",
    categories: &[Category::Scale, Category::Client, Category::Terminal],
    examples: &[
        (
            "Fifty active users, a hundred at most",
            "netload scale --vus 50 --max 100",
        ),
        (
            "Five hundred starts a second from now on",
            "netload scale --rate 500/s",
        ),
    ],
    act: scale,
    ..BASE
};

fn status(typed: &Typed) -> Result<Exit, Failure> {
    show(&api::call(address(typed), "GET", "/v1/status", None)?)
}

fn scale(typed: &Typed) -> Result<Exit, Failure> {
    let number = |key| {
        typed.read(key, |text| {
            text.parse::<u64>()
                .map_err(|_| format!("`{text}` is not a number of virtual users"))
        })
    };
    let (vus, max) = (number("vus")?, number("maxVUs")?);
    let rate = typed.read("rate", |text| load::rate(text).map(|_| text.to_owned()))?;
    if vus.is_none() && max.is_none() && rate.is_none() {
        return Err(
            Failure::usage("`netload scale` needs a number of virtual users or a rate")
                .hint("netload scale --vus 50, netload scale --rate 500/s"),
        );
    }
    let mut wanted = json!({ "vus": vus, "vus-max": max });
    if let Some(rate) = rate {
        wanted["rate"] = rate.into();
    }
    if let Some(scenario) = typed.text("scaledScenario") {
        wanted["scenario"] = scenario.into();
    }
    change(typed, wanted)
}

fn change(typed: &Typed, attributes: Value) -> Result<Exit, Failure> {
    let document =
        json!({ "data": { "type": "status", "id": "default", "attributes": attributes } });
    show(&api::call(
        address(typed),
        "PATCH",
        "/v1/status",
        Some(&document),
    )?)
}

fn address(typed: &Typed) -> &str {
    typed.text("address").unwrap_or(api::ADDRESS)
}

fn show(document: &Value) -> Result<Exit, Failure> {
    let attributes = document["data"]["attributes"].as_object();
    for (name, value) in attributes.into_iter().flatten() {
        stdout::line(&format!("{name}: {value}"))?;
    }
    Ok(Exit::Success)
}
