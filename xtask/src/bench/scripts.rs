//! What scripts do besides sending: JSON, checks, batches and a bundle of libraries, beside the real k6.
//!
//! Both run the same script on the same nginx. Invariant: what the bundle is made of has exact versions, and is fetched
//! by npm; without npm its rows are rows that failed.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::measure::{pinned, run};
use super::report::{Row, Spread};
use super::speed::{Figure, Generator, k6_script, rounds, script};
use super::{Failure, Rig};
use crate::shell;

/// VUs that hold the bundle, few and many; memory per VU is the difference.
const FEW: u64 = 10;
const MANY: u64 = 1_000;
/// Long enough for every VU to have been started and to have run the script.
const MEMORY_LENGTH: &str = "12s";
/// Everything here may use all cores.
const CORES: &str = "0,1";
/// At most this part of k6's memory.
const MEMORY_SHARE: f64 = 1.0 / 3.0;

const JSON: [Generator; 2] = [
    Generator {
        name: "netload, json(selector)",
        run: |rig, url| script(rig, url, "bench/json-selector.js"),
    },
    Generator {
        name: "k6, json(selector)",
        run: |rig, url| k6_script(rig, url, "bench/json-selector.js"),
    },
];
const CHECKS: [Generator; 2] = [
    Generator {
        name: "netload, ten checks",
        run: |rig, url| script(rig, url, "bench/check-ten.js"),
    },
    Generator {
        name: "k6, ten checks",
        run: |rig, url| k6_script(rig, url, "bench/check-ten.js"),
    },
];
const BATCH: [Generator; 2] = [
    Generator {
        name: "netload, batch of 20",
        run: |rig, url| script(rig, url, "bench/batch-twenty.js"),
    },
    Generator {
        name: "k6, batch of 20",
        run: |rig, url| k6_script(rig, url, "bench/batch-twenty.js"),
    },
];
const BUNDLE: [Generator; 2] = [
    Generator {
        name: "netload, bundle",
        run: |rig, url| bundled(rig, url, script),
    },
    Generator {
        name: "k6, bundle",
        run: |rig, url| bundled(rig, url, k6_script),
    },
];

/// One value out of 100 KB of JSON.
pub(super) fn json(rig: &Rig) -> Result<Vec<Row>, Failure> {
    compare(rig, &rig.nginx.json_url(), &JSON, 5.0)
}

/// Ten conditions on one response.
pub(super) fn checks(rig: &Rig) -> Result<Vec<Row>, Failure> {
    compare(rig, &rig.nginx.url(), &CHECKS, 5.0)
}

/// Twenty requests at once.
pub(super) fn batch(rig: &Rig) -> Result<Vec<Row>, Failure> {
    compare(rig, &rig.nginx.url(), &BATCH, 5.0)
}

/// A script with papaparse and lodash in it.
pub(super) fn bundle(rig: &Rig) -> Result<Vec<Row>, Failure> {
    bundle_file()?;
    compare(rig, &rig.nginx.url(), &BUNDLE, 8.0)
}

/// Memory of a VU that holds the bundle, against k6's.
pub(super) fn bundle_memory(rig: &Rig) -> Result<Vec<Row>, Failure> {
    let file = bundle_file()?;
    let per_vu = |tool: &Path, name: &str| -> Result<f64, Failure> {
        let peak = |vus| peak(rig, tool, &file, vus);
        let each = (peak(MANY)? - peak(FEW)?) / (MANY - FEW) as f64 / 1000.0;
        println!("  {name}: {each:.0} KB per VU");
        Ok(each)
    };
    let ours = per_vu(&rig.netload, "netload")?;
    let theirs = per_vu(&rig.k6, "k6")?;
    let one = |figure| Spread::of(vec![figure]);
    Ok(vec![
        Row::plain("netload, memory per VU with a bundle", "KB", one(ours)),
        Row::plain("k6, memory per VU with a bundle", "KB", one(theirs)),
        Row::at_most(
            "memory with a bundle against k6's",
            "x",
            one(ours / theirs),
            MEMORY_SHARE,
        ),
    ])
}

fn compare(
    rig: &Rig,
    url: &str,
    both: &[Generator; 2],
    at_least: f64,
) -> Result<Vec<Row>, Failure> {
    let rounds = rounds(rig, url, both)?;
    let mut rows = rounds.figures();
    let name = format!("{} against k6", both[0].name);
    rows.push(rounds.ratio(&name, both[0].name, both[1].name, at_least));
    Ok(rows)
}

fn bundled(
    rig: &Rig,
    url: &str,
    tool: fn(&Rig, &str, &str) -> Result<Figure, Failure>,
) -> Result<Figure, Failure> {
    let file = bundle_file()?;
    let file = file.to_str().ok_or("the path of the bundle is no text")?;
    tool(rig, url, file)
}

/// The bundle, made when it is not there or older than what it is made from.
fn bundle_file() -> Result<PathBuf, Failure> {
    let sources = shell::root().join("bench/bundle");
    let folder = shell::cache().join("bundle");
    let made = folder.join("bundle.js");
    let files = ["entry.js", "package.json", "users.csv"];
    let is_new = |name: &&str| {
        let age = |path: PathBuf| std::fs::metadata(path).and_then(|m| m.modified()).ok();
        age(sources.join(name)) > age(made.clone())
    };
    if made.is_file() && !files.iter().any(is_new) {
        return Ok(made);
    }
    if !shell::has("npm") || !shell::has("node") {
        return Err("the bundle is fetched and made with npm and node, which are not there".into());
    }
    std::fs::create_dir_all(&folder)?;
    for name in files {
        std::fs::copy(sources.join(name), folder.join(name))?;
    }
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--silent"]);
    shell::run(npm.current_dir(&folder))?;
    let mut esbuild = Command::new(folder.join("node_modules/.bin/esbuild"));
    // papaparse asks for Node.js's streams only in Node.js.
    esbuild
        .args(["entry.js", "--bundle"])
        .args(["--format=esm", "--platform=browser", "--main-fields=main"])
        .args(["--external:k6", "--external:k6/*", "--external:stream"])
        .args(["--log-level=warning", "--outfile=bundle.js"]);
    shell::run(esbuild.current_dir(&folder))?;
    Ok(made)
}

/// Peak memory in bytes with this many VUs, each of which pauses between iterations.
fn peak(rig: &Rig, tool: &Path, script: &Path, vus: u64) -> Result<f64, Failure> {
    let mut command = pinned(CORES, tool);
    command
        .args(["run", "--quiet", "--vus", &vus.to_string()])
        .args(["--duration", MEMORY_LENGTH])
        .arg(script)
        .env("URL", rig.nginx.url())
        .env("PAUSE", "1")
        .env("K6_NO_USAGE_REPORT", "true");
    Ok(run(&mut command, &[])?.peak_bytes as f64)
}
