//! One script and what its first comment lines say about running it.

use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a script may take unless it says otherwise.
const PATIENCE: Duration = Duration::from_secs(60);

/// One script with its settings.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    /// The path inside the folder of scripts, without its extension: `k6-http/cookies`.
    pub(crate) name: String,
    /// The file.
    pub(crate) path: PathBuf,
    /// `// args:` further arguments; `{dir}` is a folder of this run.
    pub(crate) args: Vec<String>,
    /// `// command:` arguments in the place of `run` and what observes it.
    pub(crate) command: Option<Vec<String>>,
    /// `// stdin: yes` hands the script in on standard input, its `{tls}`, `{base}` and `{scripts}` filled in.
    pub(crate) by_stdin: bool,
    /// `// file:` a file in the folder of the run, `NAME text`.
    pub(crate) files: Vec<(String, String)>,
    /// `// env:` variables of the process, `NAME=value`.
    pub(crate) env: Vec<(String, String)>,
    /// `// npm:` packages that are served at `{tls}/files/NAME/`, `NAME@VERSION`.
    pub(crate) packages: Vec<String>,
    /// `// mask:` aspects that are not compared.
    masks: Vec<String>,
    /// `// compare:` aspects that are compared only on request.
    pub(crate) compares: Vec<String>,
    /// `// seconds:` about how long it takes, to start long ones first.
    pub(crate) seconds: u64,
    /// When the process is given up.
    pub(crate) patience: Duration,
}

impl Case {
    /// Reads the comment lines at the start of a script.
    pub(crate) fn read(folder: &Path, path: &Path) -> Result<Case, Box<dyn std::error::Error>> {
        let text = std::fs::read_to_string(path)?;
        let name = path.strip_prefix(folder)?.with_extension("");
        let mut case = Case {
            name: name.to_string_lossy().into_owned(),
            path: path.to_owned(),
            args: Vec::new(),
            command: None,
            by_stdin: false,
            files: Vec::new(),
            env: Vec::new(),
            packages: Vec::new(),
            masks: Vec::new(),
            compares: Vec::new(),
            seconds: 1,
            patience: PATIENCE,
        };
        for line in text.lines().map_while(|line| line.strip_prefix("//")) {
            if let Some((key, value)) = line.trim().split_once(": ") {
                case.set(key, value)?;
            }
        }
        Ok(case)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), Box<dyn std::error::Error>> {
        let words = || value.split_whitespace().map(String::from);
        match key {
            "args" => self.args.extend(words()),
            "command" => self.command = Some(words().collect()),
            "stdin" => self.by_stdin = value == "yes",
            "file" => {
                let (name, text) = value.split_once(' ').ok_or("file wants NAME text")?;
                self.files.push((name.into(), text.into()));
            }
            "env" => {
                for word in words() {
                    let (name, value) = word.split_once('=').ok_or("env wants NAME=value")?;
                    self.env.push((name.into(), value.into()));
                }
            }
            "npm" => self.packages.extend(words()),
            "mask" => self.masks.extend(words()),
            "compare" => self.compares.extend(words()),
            "seconds" => self.seconds = value.parse()?,
            _ => {}
        }
        Ok(())
    }

    /// Whether an aspect is left out of the comparison.
    pub(crate) fn masks(&self, aspect: &str) -> bool {
        self.masks.iter().any(|mask| mask == aspect)
    }

    /// Whether samples of that metric are left out: `// mask: samples:NAME`.
    pub(crate) fn masks_metric(&self, metric: &str) -> bool {
        self.masks
            .iter()
            .filter_map(|mask| mask.strip_prefix("samples:"))
            .any(|masked| masked == metric)
    }

    /// Whether values of that metric are left out, but not their number: `// mask: values:NAME`.
    pub(crate) fn masks_values(&self, metric: &str) -> bool {
        self.masks
            .iter()
            .filter_map(|mask| mask.strip_prefix("values:"))
            .any(|masked| masked == metric)
    }
}
