//! What it costs to measure net: requests per CPU-second with the kernel's stamps and without.
//!
//! Invariant: both sides of a ratio ran directly after each other on the same server.

use super::groups::Findings;
use super::judge::Check;
use super::quantiles::median;
use super::{CORE, Failure, Rig};
use crate::bench::measure::{self, pinned};
use crate::bench::server::Nginx;

const CONNECTIONS: &str = "64";
/// The throughput that may be lost, in percent.
const LIMIT_PERCENT: f64 = 5.0;

pub(super) fn run(rig: &Rig) -> Result<Findings, Failure> {
    let nginx = Nginx::start()?;
    let mut lost = Vec::new();
    for round in 0..rig.rounds {
        let gross = per_cpu_second(rig, &nginx, &["--measure", "gross"])?;
        let net = per_cpu_second(rig, &nginx, &[])?;
        println!(
            "  {}/{} {net:.0} requests per CPU-second, {gross:.0} without stamps",
            round + 1,
            rig.rounds
        );
        lost.push(100.0 * (1.0 - net / gross));
    }
    let what = "throughput that measuring net costs".to_owned();
    Ok(Findings {
        checks: vec![Check::percent_at_most(what, median(lost), LIMIT_PERCENT)],
        ..Findings::default()
    })
}

fn per_cpu_second(rig: &Rig, nginx: &Nginx, more: &[&str]) -> Result<f64, Failure> {
    let mut command = pinned(CORE, &rig.netload);
    command
        .args(["hit", "--quiet", "--format", "json", "--workers", "1"])
        .args(["-c", CONNECTIONS, "-z", &format!("{}s", rig.seconds)])
        .args(more)
        .arg(nginx.url());
    let used = measure::run(&mut command, &[])?;
    let document: serde_json::Value = serde_json::from_str(&used.stdout)?;
    let requests = &document["metrics"]["http_reqs"]["values"]["count"];
    Ok(requests.as_f64().ok_or("netload counted nothing")? / used.cpu_seconds)
}
