//! From settings to a loaded script with its plan: what `run`, `demo` and `inspect` begin with.

use std::sync::Arc;

use netload_engine::{Level, Log, ProgramError, Record};
use netload_metrics::Registry;
use netload_plan::{Features, Place, Plan, Scenario, Warning};
use netload_script::{RuntimeOptions, Script, Source};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::running::{self, judge};
use crate::settings::{Resolved, Settings};

/// A script, ready to run.
pub(crate) struct Loaded {
    /// The program.
    pub(crate) script: Script,
    /// The metrics, with those of the script.
    pub(crate) registry: Arc<Registry>,
    /// Options and plan.
    pub(crate) resolved: Resolved,
}

/// Loads the script and makes its plan.
pub(crate) fn load(settings: &Settings, log: Arc<dyn Log>) -> Result<Loaded, Failure> {
    let registry = Arc::new(Registry::new());
    let mut options = RuntimeOptions::new(registry.clone(), log.clone());
    options.env.clone_from(&settings.env);
    options.system_env = settings.system_env;
    options.global_alias = settings.global_alias;
    let (features, _) = Features::of(&settings.outside_script());
    options.freeze_env = features.freeze_env();
    options.memory_limit_bytes = settings.vu_memory_bytes;
    options.remote.clone_from(&settings.remote);
    options.secrets.clone_from(&settings.secrets);
    let (script, exported) = Script::load(settings.source.clone(), options)
        .map_err(|error| refused(error).redacted(&settings.secrets))?;
    // An archive has the options it was packed with, whatever its script says.
    let exported = match &settings.source {
        Source::Archive(archive) => archive.options.clone(),
        _ => exported,
    };
    let resolved = plan(settings, &exported, &script, &registry)?;
    for warning in &resolved.warnings {
        log.log(Record::new(Level::Warning, sentence(warning)));
    }
    Ok(Loaded {
        script,
        registry,
        resolved,
    })
}

/// The plan of a script with these options. Everything that is wrong with them is told at once, thresholds that fit no
/// metric included.
fn plan(
    settings: &Settings,
    exported: &Value,
    script: &Script,
    registry: &Registry,
) -> Result<Resolved, Failure> {
    let mut planned = settings.plan(exported);
    let plan = planned.as_ref().ok().map(|resolved| &resolved.plan);
    let missing = plan.and_then(|plan| missing_function(script, plan, &settings.title));
    let unfit = unfit_thresholds(settings, exported, plan, registry);
    for failure in missing.into_iter().chain(unfit) {
        planned = Err(match planned {
            Ok(_) => failure,
            Err(others) => others.and(failure),
        });
    }
    planned
}

/// The thresholds that cannot be judged. Where there is no plan, each is looked at by itself.
fn unfit_thresholds(
    settings: &Settings,
    exported: &Value,
    plan: Option<&Plan>,
    registry: &Registry,
) -> Vec<Failure> {
    if !settings.judged {
        return Vec::new();
    }
    let place = Place::root("options").key("thresholds");
    let of_plan = |plan: &Plan| {
        let problems = judge::problems(plan, registry, &place);
        let failure = || Failure::configuration(Some(&settings.title), problems.clone());
        (!problems.is_empty()).then(failure)
    };
    if let Some(plan) = plan {
        return of_plan(plan).into_iter().collect();
    }
    let all = exported["thresholds"].as_object();
    let alone = |(metric, expressions): (&String, &Value)| {
        let only = json!({ "thresholds": { metric: expressions } });
        match settings.plan(&only) {
            Ok(resolved) => of_plan(&resolved.plan),
            Err(failure) => Some(failure),
        }
    };
    all.into_iter().flatten().filter_map(alone).collect()
}

fn refused(error: ProgramError) -> Failure {
    match &error {
        ProgramError::Exception(_) => running::thrown("the init code", &error),
        ProgramError::Timeout(text) => Failure::new(Exit::Timeout, text),
        // Nobody else can interrupt a script that is being loaded.
        ProgramError::Interrupted => Failure::new(
            Exit::AbortedByScript,
            "the script aborted the test while it was loaded",
        ),
        error => Failure::new(Exit::Failure, error.to_string().trim_end()),
    }
}

fn sentence(warning: &Warning) -> String {
    match &warning.hint {
        Some(hint) => format!("{warning}; {hint}"),
        None => warning.to_string(),
    }
}

/// Every scenario must name a function that the script exports.
fn missing_function(script: &Script, plan: &Plan, title: &str) -> Option<Failure> {
    let missing = |scenario: &&Scenario| !script.has_function(&scenario.exec);
    plan.scenarios.iter().find(missing).map(|scenario| {
        let exec = &scenario.exec;
        let message = format!(
            "the scenario `{}` wants the function `{exec}`, which the script does not export",
            scenario.name
        );
        let known: Vec<&str> = script.functions().iter().map(String::as_str).collect();
        Failure::new(Exit::BadConfiguration, message)
            .at(title)
            .hint(netload_plan::names::hint(exec, &known))
    })
}
