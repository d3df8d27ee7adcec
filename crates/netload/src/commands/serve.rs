//! `netload serve`: the web UI, which starts tests and shows them and the earlier ones. Beside it the hidden command that
//! its tests are: the same binary, told by a pipe what to run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use netload_plan::{Options, Problem};
use netload_script::Source;
use serde_json::Value;

use super::Command;
use super::run::{self, Extra};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::Category;
use crate::settings::Settings;
use crate::signals;
use crate::terminal::settings::TerminalSettings;
use crate::terminal::{Terminal, stdout};
use crate::typed::Typed;
use crate::ui::address::{Address, DEFAULT};
use crate::ui::children::TASK;
use crate::ui::{self, Watched, pipe};

/// How long tests may take to end when the server does.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often it looks whether they did.
const LOOK_EVERY: Duration = Duration::from_millis(100);

pub(super) const COMMAND: Command = Command {
    name: "serve",
    about: "Start, watch and compare tests in a browser",
    details: "Tests started from a page are processes of their own. Ctrl-C ends them in order, then the server. The \
              pages stand on a documented API: /api/openapi.json.",
    categories: &[Category::Serve, Category::Keeping, Category::Terminal],
    operand: None,
    examples: &[
        ("On this machine", "netload serve"),
        (
            "For the network, with a token of your own",
            "NETLOAD_UI_TOKEN=s3cretw0rd netload serve --address 0.0.0.0:5665",
        ),
    ],
    hidden: false,
    act: serve,
};

fn serve(typed: &Typed) -> Result<Exit, Failure> {
    let address = Address::read(typed, typed.text("address").unwrap_or(DEFAULT))?;
    let (served, children) = ui::serve_tests(typed, &address)?;
    let (stop, stopped) = channel();
    signals::on_interrupt(move || stop.send(()).is_ok())?;
    stdout::line(&format!("serving on {}", served.link))?;
    // An error means that the signal thread is gone, which cannot be waited for either.
    let _ = stopped.recv();
    children.stop_all();
    let begin = Instant::now();
    while !children.is_empty() && begin.elapsed() < PATIENCE {
        std::thread::sleep(LOOK_EVERY);
    }
    Ok(Exit::Success)
}

pub(super) const TASK_COMMAND: Command = Command {
    name: TASK,
    about: "Run a test for `netload serve`",
    details: "Not for people: what to run comes on standard input.",
    categories: run::COMMAND.categories,
    operand: None,
    examples: &[],
    hidden: true,
    act: task,
};

fn task(typed: &Typed) -> Result<Exit, Failure> {
    let wanted = pipe::first_line()?;
    let settings = settings(typed, &wanted)?;
    let (desk, writer) = pipe::desk()?;
    let shown = TerminalSettings::silent().hiding(&settings.secrets);
    let terminal = Terminal::start(shown, None)?;
    let watched = Watched::new(desk, &terminal);
    let extra = Extra {
        id: wanted["id"].as_str().unwrap_or_default().to_owned(),
        labels: texts(&wanted["labels"]),
        watched: Some(watched.clone()),
        orders: Some(&writer),
    };
    let done = run::run_with(typed, &settings, &terminal, extra);
    // Log lines are told by the terminal's thread: the last ones too.
    terminal.screen.settle();
    if let Some(view) = watched.kept.view() {
        writer.last_view(&view);
    }
    writer.finish();
    done
}

/// The settings with everything that the page asked for on top.
fn settings(typed: &Typed, wanted: &Value) -> Result<Settings, Failure> {
    let source = match (wanted["file"].as_str(), wanted["script"].as_str()) {
        (Some(path), _) => Source::File(PathBuf::from(path)),
        (None, text) => Source::Text {
            text: text.unwrap_or_default().to_owned(),
            folder: std::env::current_dir().unwrap_or_default(),
        },
    };
    let title = wanted["title"].as_str().unwrap_or_default().to_owned();
    let mut settings = Settings::resolve(typed, Some((source, title)), true)?;
    settings.env.extend(texts(&wanted["env"]));
    let refused = |problems: Vec<Problem>| Failure::configuration(Some("the form"), problems);
    settings.on_top = Options::from_json(&wanted["options"]).map_err(refused)?.0;
    Ok(settings)
}

fn texts(object: &Value) -> BTreeMap<String, String> {
    let all = object.as_object().into_iter().flatten();
    all.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
        .collect()
}
