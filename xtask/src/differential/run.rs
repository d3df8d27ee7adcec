//! Runs one script under one tool, each time against servers of its own.

use std::collections::hash_map::DefaultHasher;
use std::fs::File;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use netload_target::{Running, Target, TargetConfig};

use super::case::Case;
use super::observe::{self, Files};
use super::wire::Normalizer;
use super::{Observation, k6, npm, shell};

type Failure = Box<dyn std::error::Error>;

/// Changes when observations are made differently, so that remembered ones are not used.
const FORMAT: u32 = 4;

/// A program that runs k6 scripts.
pub(crate) struct Tool {
    program: PathBuf,
    /// Where observations are remembered.
    memory: Option<PathBuf>,
}

impl Tool {
    /// The real k6; what it did is remembered unless `fresh`.
    pub(crate) fn k6(program: PathBuf, fresh: bool) -> Tool {
        let memory = (!fresh).then(|| shell::cache().join("differential"));
        Tool { program, memory }
    }

    /// A netload; never remembered.
    pub(crate) fn netload(program: PathBuf) -> Tool {
        Tool {
            program,
            memory: None,
        }
    }

    /// What the script shows under this tool.
    pub(crate) fn observe(&self, case: &Case) -> Result<Observation, Failure> {
        let Some(memory) = &self.memory else {
            return self.run(case);
        };
        let name = case.name.replace('/', "-");
        let file = memory.join(format!("{name}-{:016x}.json", fingerprint(case)?));
        if let Ok(text) = std::fs::read_to_string(&file) {
            return observe::from_json(&text);
        }
        let observation = self.run(case)?;
        std::fs::create_dir_all(memory)?;
        std::fs::write(&file, observe::to_json(&observation))?;
        Ok(observation)
    }

    /// The same, run now and not remembered.
    pub(crate) fn run(&self, case: &Case) -> Result<Observation, Failure> {
        let bed = Bed::start(case)?;
        let files = Files::in_folder(&bed.folder.0);
        for (name, text) in &case.files {
            std::fs::write(bed.folder.0.join(name), bed.fill(text))?;
        }
        let started = Instant::now();
        let mut child = self.command(case, &bed, &files)?.spawn()?;
        let status = loop {
            match child.try_wait()? {
                Some(status) => break status,
                None if started.elapsed() > case.patience => {
                    child.kill()?;
                    child.wait()?;
                    return Err(format!("still running after {:?}", case.patience).into());
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let mut requests = bed.server.requests();
        requests.extend(bed.http2.requests());
        observe::read(
            case,
            exit_code(status),
            &files,
            &requests,
            &bed.normalizer(),
        )
    }

    fn command(&self, case: &Case, bed: &Bed, files: &Files) -> Result<Command, Failure> {
        let fill = |text: &String| bed.fill(text);
        let scripts = case.path.parent().unwrap_or(Path::new("."));
        let mut command = Command::new(&self.program);
        command
            .current_dir(scripts)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", &bed.folder.0)
            .env("TMPDIR", &bed.folder.0)
            .env("K6_NO_USAGE_REPORT", "true")
            .env("NETLOAD_NO_STORE", "true")
            .env("BASE", bed.base())
            .env("TLS_BASE", bed.tls_base())
            .env("HTTP2_BASE", bed.http2_base())
            .env("RESET_BASE", format!("http://{}", bed.resets.addr()))
            .env("REFUSED_BASE", format!("http://{}", bed.refused))
            .envs(case.env.iter().map(|(name, value)| (name, fill(value))));
        match &case.command {
            Some(words) => command.args(words.iter().map(fill)),
            None => command
                .args(["run", "--quiet", "--no-color", "--log-format", "json"])
                .arg("--out")
                .arg(format!("json={}", files.samples.display()))
                .arg("--summary-export")
                .arg(&files.summary),
        };
        command.args(case.args.iter().map(fill));
        if case.by_stdin {
            // Only here can an import name a server: its address is known now.
            let script = bed.folder.0.join("script");
            std::fs::write(&script, fill(&std::fs::read_to_string(&case.path)?))?;
            command.arg("-").stdin(File::open(script)?);
        } else {
            command.arg(&case.path).stdin(std::process::Stdio::null());
        }
        command
            .stdout(File::create(&files.stdout)?)
            .stderr(File::create(&files.stderr)?);
        Ok(command)
    }
}

/// 128 + the signal's number when a signal ended the process, as in a shell.
fn exit_code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// The servers and the folder of one run.
struct Bed {
    server: Running,
    /// The same with HTTP/2.
    http2: Running,
    resets: Running,
    refused: std::net::SocketAddr,
    folder: Folder,
}

impl Bed {
    fn start(case: &Case) -> Result<Bed, Failure> {
        let folder = Folder::new()?;
        let config = TargetConfig {
            log_requests: true,
            files: served(case)?,
            ..TargetConfig::with_tls()
        };
        let http2 = Target::start(TargetConfig {
            http2: true,
            ..config.clone()
        })?;
        let server = Target::start(config)?;
        if let Some(authority) = server.authority() {
            std::fs::write(folder.0.join("ca.pem"), &authority.certificate_pem)?;
        }
        Ok(Bed {
            server,
            http2,
            resets: Target::start_fault("reset")?,
            refused: Target::refusing_address()?,
            folder,
        })
    }

    /// A text of the script's first lines with this run's folder and server.
    fn fill(&self, text: &str) -> String {
        text.replace("{dir}", &self.folder.0.display().to_string())
            .replace("{base}", &self.base())
            .replace("{tls}", &self.tls_base())
            .replace("{scripts}", &super::scripts().display().to_string())
    }

    fn base(&self) -> String {
        format!("http://{}", self.server.addr())
    }

    fn tls_base(&self) -> String {
        let address = self.server.tls_addr();
        address.map_or(String::new(), |address| format!("https://{address}"))
    }

    fn http2_base(&self) -> String {
        let address = self.http2.tls_addr();
        address.map_or(String::new(), |address| format!("https://{address}"))
    }

    fn normalizer(&self) -> Normalizer {
        let mut normalizer = Normalizer::default();
        normalizer.replace(self.server.addr().to_string(), "SERVER");
        if let Some(address) = self.server.tls_addr() {
            normalizer.replace(address.to_string(), "TLS-SERVER");
            normalizer.replace(format!(":{}", address.port()), ":TLS-PORT");
        }
        if let Some(address) = self.http2.tls_addr() {
            normalizer.replace(address.to_string(), "HTTP2-SERVER");
            normalizer.replace(format!(":{}", address.port()), ":HTTP2-PORT");
        }
        normalizer.replace(self.resets.addr().to_string(), "RESETTING");
        normalizer.replace(self.refused.to_string(), "REFUSING");
        normalizer.replace(format!(":{}", self.server.addr().port()), ":PORT");
        normalizer.replace(format!("%3A{}", self.server.addr().port()), "%3APORT");
        normalizer.replace(self.folder.0.display().to_string(), "DIR");
        normalizer
    }
}

/// The folders whose files the servers have: libraries of our own, and packages of npm.
fn served(case: &Case) -> Result<Vec<PathBuf>, Failure> {
    let mut folders = vec![shell::root().join("tests/differential/remote")];
    for package in &case.packages {
        folders.push(npm::package(package)?);
    }
    Ok(folders)
}

/// A folder that disappears with the run.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, Failure> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("netload-differential-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing can be done about a folder that does not want to go.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Changes with the script, the files it may read, the version of k6 and the form of observations.
fn fingerprint(case: &Case) -> Result<u64, Failure> {
    let mut hasher = DefaultHasher::new();
    (FORMAT, k6::VERSION).hash(&mut hasher);
    std::fs::read(&case.path)?.hash(&mut hasher);
    for folder in super::BESIDE {
        for path in super::files(&super::scripts().join(folder))? {
            std::fs::read(path)?.hash(&mut hasher);
        }
    }
    Ok(hasher.finish())
}
