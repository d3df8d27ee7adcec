//! Every script in `examples/` must run to a good end against the reference server.

use std::time::{Duration, Instant};

use netload_target::{Target, TargetConfig};

use super::{Count, Failure};
use crate::shell;

/// An example that runs longer than this has lost its reader.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs them one after the other with the release build.
pub(super) fn run() -> Result<Count, Failure> {
    let netload = shell::netload("release")?;
    let server = Target::start(TargetConfig::with_tls())?;
    let mut scripts: Vec<_> = std::fs::read_dir(shell::root().join("examples"))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "js" || e == "ts"))
        .collect();
    scripts.sort();
    let mut total = Count::default();
    for script in scripts {
        let start = Instant::now();
        let name = script
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut child = shell::command(&netload)
            .args(["run", "--quiet", "--summary-mode", "disabled"])
            .arg(&script)
            .env("BASE_URL", format!("http://{}", server.addr()))
            .spawn()?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status.code();
            }
            if start.elapsed() > PATIENCE {
                child.kill()?;
                child.wait()?;
                break None;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let seconds = start.elapsed().as_secs_f64();
        println!("{name:32} exit {status:?} in {seconds:.1} s");
        total.add(Count::of(status == Some(0)));
    }
    Ok(total)
}
