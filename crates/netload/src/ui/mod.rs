//! The web UI of this process: `netload serve`, which starts tests, and `--ui`, which shows the one that runs.
//!
//! Tests started from a page are processes of their own ([`children`]): a script that crashes or eats all memory must not
//! take down the server, its history and the other tests. A run with `--ui` shows itself from within.

pub(crate) mod address;
pub(crate) mod children;
mod control;
mod curve;
mod desk;
mod history;
mod keep;
pub(crate) mod pipe;
mod wanted;

use std::sync::Arc;

use netload_record::Feed;
use netload_web::{Asset, Config, Hub, Running, Served, serve};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::running::Reins;
use crate::terminal::Terminal;
use crate::typed::Typed;
use address::{Address, DEFAULT};
use children::Children;
use control::Here;
pub(crate) use desk::{Desk, Way};
use history::History;
pub(crate) use keep::Kept;

/// The pages.
const ASSETS: &[Asset] = &[
    Asset {
        path: "/",
        media: "text/html; charset=utf-8",
        bytes: netload_pages::assets::APP_PAGE.as_bytes(),
    },
    Asset {
        path: "/assets/app.js",
        media: "text/javascript; charset=utf-8",
        bytes: netload_pages::assets::APP_SCRIPT.as_bytes(),
    },
    Asset {
        path: "/assets/app.css",
        media: "text/css; charset=utf-8",
        bytes: netload_pages::assets::APP_STYLE.as_bytes(),
    },
];

/// What a run has when pages look on.
#[derive(Clone)]
pub(crate) struct Watched {
    /// What it tells.
    pub(crate) desk: Arc<Desk>,
    /// What is kept of it.
    pub(crate) kept: Kept,
}

impl Watched {
    /// Receives the record of the run.
    pub(crate) fn receive(&self, feed: &Feed) {
        for receiver in self.kept.receivers(self.desk.clone()) {
            feed.add(receiver);
        }
    }

    /// For a run whose events go that way; its log goes there too.
    pub(crate) fn new(desk: Arc<Desk>, terminal: &Terminal) -> Self {
        let told = desk.clone();
        terminal
            .screen
            .tap(Box::new(move |record| told.log(record)));
        Self {
            desk,
            kept: Kept::new(),
        }
    }
}

/// Serves pages for the test of this process, when `--ui` asks for them.
pub(crate) fn watch(
    typed: &Typed,
    id: &str,
    reins: &Reins,
    terminal: &Terminal,
) -> Result<Option<Watched>, Failure> {
    let Some(text) = wanted_at(typed) else {
        return Ok(None);
    };
    let address = Address::read(typed, &text)?;
    let hub = Hub::default();
    let run: Arc<Running> = hub.open(id);
    let watched = Watched::new(Arc::new(Desk::new(Way::Here(run))), terminal);
    let here = Here {
        hub: hub.clone(),
        children: Children::default(),
        own: Some((id.to_owned(), reins.clone(), watched.kept.clone())),
        history: History::of(typed),
    };
    let served = start(&address, hub, here)?;
    let link = address.link_of(&served, id);
    terminal
        .screen
        .text(format!("the test can be watched at {link}\n"));
    Ok(Some(watched))
}

/// The address that `--ui` or k6's variables name.
fn wanted_at(typed: &Typed) -> Option<String> {
    match typed.text("ui")? {
        "" | "false" => None,
        "true" | DEFAULT => {
            let host = typed.text("uiHost").unwrap_or("localhost");
            let port = typed.text("uiPort").unwrap_or("5665");
            Some(format!("{host}:{port}"))
        }
        text => Some(text.to_owned()),
    }
}

/// Serves pages that start tests.
pub(crate) fn serve_tests(typed: &Typed, address: &Address) -> Result<(Served, Children), Failure> {
    let (hub, children) = (Hub::default(), Children::new(keeping(typed)?));
    let here = Here {
        hub: hub.clone(),
        children: children.clone(),
        own: None,
        history: History::of(typed),
    };
    Ok((start(address, hub, here)?, children))
}

/// How tests are kept, as typed for the server.
fn keeping(typed: &Typed) -> Result<Vec<String>, Failure> {
    let mut arguments = Vec::new();
    if typed.switch("noStore")? {
        arguments.push("--no-store".to_owned());
    }
    for (key, flag) in [("store", "--store"), ("label", "--label")] {
        for text in typed.texts(key) {
            arguments.push(format!("{flag}={text}"));
        }
    }
    Ok(arguments)
}

fn start(address: &Address, hub: Hub, here: Here) -> Result<Served, Failure> {
    let config = Config {
        address: address.socket,
        name: address.name.clone(),
        token: address.token.clone(),
        assets: ASSETS.to_vec(),
        hub,
        control: Arc::new(here),
    };
    serve(config).map_err(|e| {
        Failure::new(Exit::ApiCannotStart, format!("the web UI: {e}"))
            .hint("another port can be given; port 0 takes a free one")
    })
}
