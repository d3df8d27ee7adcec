//! From settings to a loaded script with its plan: what `run`, `demo` and `inspect` begin with.

use std::sync::Arc;

use netload_engine::{Level, Log, ProgramError, Record};
use netload_metrics::Registry;
use netload_plan::{Plan, Warning};
use netload_script::{RuntimeOptions, Script, Source};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::running;
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
    let resolved = settings.plan(&exported)?;
    for warning in &resolved.warnings {
        log.log(Record::new(Level::Warning, sentence(warning)));
    }
    check_functions(&script, &resolved.plan, &settings.title)?;
    Ok(Loaded {
        script,
        registry,
        resolved,
    })
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
fn check_functions(script: &Script, plan: &Plan, title: &str) -> Result<(), Failure> {
    for scenario in &plan.scenarios {
        if script.has_function(&scenario.exec) {
            continue;
        }
        let exec = &scenario.exec;
        let message = format!(
            "the scenario `{}` wants the function `{exec}`, which the script does not export",
            scenario.name
        );
        let known: Vec<&str> = script.functions().iter().map(String::as_str).collect();
        return Err(Failure::new(Exit::BadConfiguration, message)
            .at(title)
            .hint(netload_plan::names::hint(exec, &known)));
    }
    Ok(())
}
