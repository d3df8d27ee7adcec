//! `netload run SCRIPT`: a k6 script, from its first line to the exit code.

use std::collections::BTreeMap;
use std::fs;
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use netload_engine::run::SummaryData;
use netload_engine::{Level, Log, Record};
use netload_metrics::Summary;
use netload_output::handle_summary::{self, SummaryContext, Terminals};
use netload_output::machine_readable::{self, MachineContext};
use netload_output::{Mode, Palette, SummaryOptions, TimeUnit, document, summary_export, text};
use netload_plan::{Executor, Plan};

use super::{Command, Operand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::keeping::{self, About, Keeping};
use crate::load_script::{self, Loaded};
use crate::measurement::measurement;
use crate::options::Category;
use crate::running::{self, Done, Gate, Job, Reins};
use crate::settings::{Settings, trend_stats};
use crate::terminal::settings::{TerminalSettings, size};
use crate::terminal::{Terminal, stdout};
use crate::typed::Typed;
use crate::ui::{self, Watched, pipe};
use crate::{api, format, network, workers};

/// The operand of commands that take a script.
pub(super) const SCRIPT: Operand = Operand {
    name: "SCRIPT",
    help: "The script's file; - reads it from standard input",
    what: "one script",
    example: "script.js",
    required: true,
    is_file: true,
};

pub(super) const COMMAND: Command = Command {
    name: "run",
    about: "Run a k6 script",
    details: "Options, environment variables and exit codes are k6's. Values win in this order: command line, \
              environment, script, configuration file, default.",
    categories: &[
        Category::Load,
        Category::Lifecycle,
        Category::Requests,
        Category::Network,
        Category::Results,
        Category::Keeping,
        Category::Generator,
        Category::Script,
        Category::Control,
        Category::Ui,
        Category::Terminal,
    ],
    operand: Some(SCRIPT),
    examples: &[
        ("As the script says", "netload run script.js"),
        (
            "50 virtual users for one minute",
            "netload run -u 50 -d 1m script.js",
        ),
        (
            "Up to 100 users in 30 seconds, then down",
            "netload run -s 30s:100 -s 10s:0 script.js",
        ),
        (
            "With a value for __ENV and every sample in a file",
            "netload run -e BASE_URL=http://127.0.0.1:8080 -o json=samples.json script.js",
        ),
    ],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let typed = &typed.with_variables(script_variables(typed)?, COMMAND.categories);
    let settings = Settings::resolve(typed, None, true)?;
    run(typed, &settings)
}

/// What `-e K6_NAME=VALUE` sets: k6 reads the options of a test from the environment that the script sees.
fn script_variables(typed: &Typed) -> Result<BTreeMap<String, String>, Failure> {
    if typed.stated("includeSystemEnvVars")? == Some(false) {
        return Ok(BTreeMap::new());
    }
    let pairs = typed.texts("env").iter();
    let pairs = pairs.filter_map(|text| text.split_once('='));
    let of_k6 = pairs.filter(|(name, _)| name.starts_with("K6_"));
    Ok(of_k6
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect())
}

/// Runs a script with these settings.
pub(super) fn run(typed: &Typed, settings: &Settings) -> Result<Exit, Failure> {
    let console = settings.outside_script().console_output;
    let shown = TerminalSettings::resolve(typed)?.hiding(&settings.secrets);
    let terminal = Terminal::start(shown, console)?;
    run_with(typed, settings, &terminal, Extra::default())
}

/// What somebody who starts a run for somebody else adds to it.
#[derive(Default)]
pub(super) struct Extra<'a> {
    /// The run's id; empty for a new one.
    pub(super) id: String,
    /// Labels.
    pub(super) labels: BTreeMap<String, String>,
    /// Who looks on.
    pub(super) watched: Option<Watched>,
    /// Where answers to orders go; orders are taken only when there is something.
    pub(super) orders: Option<&'a pipe::Writer>,
}

/// What tells a run from others.
struct Named {
    id: String,
    labels: BTreeMap<String, String>,
}

/// Runs a script with these settings on this terminal.
pub(super) fn run_with(
    typed: &Typed,
    settings: &Settings,
    terminal: &Terminal,
    extra: Extra<'_>,
) -> Result<Exit, Failure> {
    let done = run_openly(typed, settings, terminal, extra);
    done.map_err(|failure| failure.redacted(&settings.secrets))
}

/// [`run_with`], whose failures may show secrets.
fn run_openly(
    typed: &Typed,
    settings: &Settings,
    terminal: &Terminal,
    extra: Extra<'_>,
) -> Result<Exit, Failure> {
    let gate = Gate::read(typed)?;
    let reins = Reins::held()?;
    let id = match extra.id.as_str() {
        "" => keeping::new_id(),
        id => id.to_owned(),
    };
    let watched = match extra.watched {
        Some(watched) => Some(watched),
        None => ui::watch(typed, &id, &reins, terminal)?,
    };
    if let (Some(writer), Some(watched)) = (extra.orders, &watched) {
        pipe::obey(reins.clone(), watched.kept.clone(), writer)?;
    }
    let loaded = load_script::load(settings, terminal.screen.clone() as Arc<dyn Log>)?;
    let linger = loaded.resolved.plan.options.linger.unwrap_or(false);
    let report = Report::new(&loaded, settings, terminal);
    let named = Named {
        id,
        labels: extra.labels,
    };
    let mut job = job(loaded, settings, &report, (typed, terminal), named)?;
    let keeping = job.keeping.clone();
    if let Some(watched) = watched {
        watched.receive(&keeping.feed);
        job.desk = Some(watched.desk);
    }
    let done = running::carry_out(job, terminal, &reins)?;
    let ended = running::exit(&done.result, gate);
    let findings = keeping.end(&done, &ended, terminal);
    report.write(&done)?;
    if done.result.documents.is_none() && !settings.as_json && settings.mode != Mode::Disabled {
        stdout::bytes(keeping.words(&findings).as_bytes())?;
    }
    if linger {
        reins.linger(terminal);
    }
    ended
}

fn job(
    loaded: Loaded,
    settings: &Settings,
    report: &Report<'_>,
    (typed, terminal): (&Typed, &Terminal),
    named: Named,
) -> Result<Job<netload_script::Script>, Failure> {
    let mut plan = loaded.resolved.plan;
    let mut network = network::config(&plan.connect)?;
    network::choose_http(typed, &mut network)?;
    plan.measurement = measurement(typed)?;
    let workers = workers::count(typed)?;
    let about = About {
        id: named.id,
        labels: named.labels,
        command: settings.command,
        title: settings.title.clone(),
        options: plan.options.to_json(),
        script: settings.script(),
        workers,
    };
    Ok(Job {
        keeping: Arc::new(Keeping::start(typed, about, terminal)?),
        title: Some(settings.title.clone()),
        network,
        workers,
        zero: typed.switch("zero")?,
        environment: typed.environment.clone(),
        outputs: plan.options.out.clone().unwrap_or_default(),
        judged: settings.judged,
        scopes: settings.mode == Mode::Full,
        summary_data: report.summary_data(loaded.script.has_function("handleSummary")),
        address: settings
            .address
            .clone()
            .or_else(|| steered(&plan).then(|| api::ADDRESS.to_owned())),
        desk: None,
        program: Arc::new(loaded.script),
        registry: loaded.registry,
        plan: Arc::new(plan),
    })
}

/// Whether the test can only go on when somebody tells it to.
fn steered(plan: &Plan) -> bool {
    let external = |e: &Executor| matches!(e, Executor::ExternallyControlled(_));
    plan.paused || plan.scenarios.iter().any(|s| external(&s.executor))
}

/// What is written at the end, and where.
struct Report<'a> {
    settings: &'a Settings,
    terminal: &'a Terminal,
    context: SummaryContext,
    options: SummaryOptions,
    exported: String,
}

impl<'a> Report<'a> {
    fn new(loaded: &Loaded, settings: &'a Settings, terminal: &'a Terminal) -> Self {
        let plan: &Plan = &loaded.resolved.plan;
        let time_unit = TimeUnit::parse(&plan.summary_time_unit.to_string()).unwrap_or_default();
        let stdout = std::io::stdout().is_terminal();
        let palette = terminal.settings.stdout;
        Self {
            settings,
            terminal,
            context: SummaryContext {
                trend_stats: trend_stats(plan),
                time_unit,
                no_color: palette == Palette::Plain,
                terminals: Terminals {
                    stdout,
                    stderr: std::io::stderr().is_terminal(),
                },
                setup_data: None,
            },
            options: SummaryOptions {
                mode: settings.mode,
                trend_stats: trend_stats(plan),
                time_unit,
                palette,
                width: if stdout {
                    size().0
                } else {
                    SummaryOptions::DEFAULT_WIDTH
                },
            },
            exported: loaded.resolved.plan.options.to_json().to_string(),
        }
    }

    /// What handleSummary gets, when there is such a function and a summary is wanted.
    fn summary_data(&self, exists: bool) -> Option<SummaryData> {
        if !exists || self.settings.mode == Mode::Disabled {
            return None;
        }
        let (context, newer, script) = (
            self.context.clone(),
            self.settings.newer_summary,
            self.exported.clone(),
        );
        Some(Box::new(move |summary, setup_data| {
            if newer {
                return machine_readable::document(summary, &machine(&context, &script))
                    .to_string();
            }
            // The key is there even when setup returned nothing.
            let setup_data = setup_data.and_then(|text| serde_json::from_str(text).ok());
            let setup_data = Some(setup_data.unwrap_or_default());
            let context = SummaryContext {
                setup_data,
                ..context.clone()
            };
            handle_summary::data(summary, &context).to_string()
        }))
    }

    fn write(&self, done: &Done) -> Result<(), Failure> {
        let summary = &done.result.summary;
        if let Some(path) = &self.settings.summary_export {
            self.save(path, self.export(summary, done).as_bytes());
        }
        if self.settings.as_json {
            stdout::line(&format::pretty(&document::document(
                summary,
                Some(&done.tally),
            )))?;
        }
        let Some(documents) = &done.result.documents else {
            if !self.settings.as_json && self.settings.mode != Mode::Disabled {
                let first = text::headline(summary, &done.tally, &self.options);
                let text = first + &text::render(summary, &self.options);
                stdout::bytes(text.as_bytes())?;
            }
            return Ok(());
        };
        for (destination, content) in documents {
            match destination.as_str() {
                "stdout" => stdout::bytes(content)?,
                "stderr" => self
                    .terminal
                    .screen
                    .text(String::from_utf8_lossy(content).into_owned()),
                path => self.save(Path::new(path), content),
            }
        }
        Ok(())
    }

    fn export(&self, summary: &Summary, done: &Done) -> String {
        if self.settings.newer_summary {
            return machine_readable::render(summary, &machine(&self.context, &self.exported));
        }
        let data = done.result.setup_data.as_deref();
        let context = SummaryContext {
            setup_data: data.and_then(|text| serde_json::from_str(text).ok()),
            ..self.context.clone()
        };
        summary_export::render(summary, &context)
    }

    /// Writes a file of the summary. As in k6 a failure is told and does not change the exit code: the test has run.
    fn save(&self, path: &Path, content: &[u8]) {
        if let Err(e) = fs::write(path, content) {
            let text = format!("cannot write the summary to `{}`: {e}", path.display());
            self.terminal.screen.log(Record::new(Level::Error, text));
        }
    }
}

fn machine<'a>(context: &'a SummaryContext, script: &'a str) -> MachineContext<'a> {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    MachineContext {
        trend_stats: &context.trend_stats,
        script,
        generated_unix_ns: u64::try_from(now.as_nanos()).unwrap_or(u64::MAX),
    }
}
