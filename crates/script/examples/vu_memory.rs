//! Prints what a VU costs: resident memory with few and with many VUs that run the same script.
//!
//! `cargo run --release -p netload-script --example vu_memory -- 5000 script.js`; without a script its VUs sleep.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use netload_engine::{Log, Phase, Record, RunConfig, run};
use netload_metrics::Registry;
use netload_net::{NetConfig, Network};
use netload_plan::{Layered, Options, Origin, Plan};
use netload_script::{RuntimeOptions, Script, Source};

const IDLE: &str = "import http from 'k6/http';
import { check, sleep } from 'k6';
export default function () { check(1, { 'is one': (n) => n === 1 }); sleep(1); }";

struct Stderr;

impl Log for Stderr {
    fn log(&self, record: Record) {
        eprintln!("{}", record.message);
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let many: u64 = args.next().and_then(|n| n.parse().ok()).unwrap_or(1_000);
    let path = args.next().map(PathBuf::from);
    let (few_kib, _) = measure(10, path.clone());
    let (many_kib, started_ms) = measure(many, path);
    let each = (many_kib - few_kib) as f64 / (many - 10) as f64;
    println!(
        "{few_kib} KiB with 10 VUs, {many_kib} KiB with {many}: {each:.1} KiB per VU, started in {started_ms} ms"
    );
}

/// Resident KiB while `vus` VUs run, and how long their start took.
fn measure(vus: u64, path: Option<PathBuf>) -> (u64, u128) {
    let registry = Arc::new(Registry::new());
    let source = match path {
        Some(path) => Source::File(path),
        None => Source::Text {
            text: IDLE.into(),
            folder: "/".into(),
        },
    };
    let options = RuntimeOptions::new(registry.clone(), Arc::new(Stderr));
    let (script, _) = Script::load(source, options).expect("the script loads");
    let typed = serde_json::json!({ "vus": vus, "duration": "4s" });
    let mut layered = Layered::default();
    layered.add(
        Origin::CommandLine,
        Options::from_json(&typed).expect("valid options").0,
    );
    let seen = Arc::new(std::sync::Mutex::new((0, 0)));
    let (kept, start) = (seen.clone(), Instant::now());
    let config = RunConfig {
        plan: Arc::new(Plan::resolve(&layered).expect("a valid plan")),
        registry,
        workers: 2,
        network: Network::new(&NetConfig::default()).expect("a valid network"),
        sinks: Vec::new(),
        log: Arc::new(Stderr),
        scopes: false,
        thresholds: false,
        on_start: Box::new(|_| {}),
        observer: Box::new(move |live| {
            if live.phase == Phase::Load {
                let mut seen = kept.lock().expect("no panic");
                if seen.1 == 0 {
                    seen.1 = start.elapsed().as_millis();
                }
                seen.0 = resident_kib();
            }
        }),
        summary_data: None,
    };
    run(Arc::new(script), config).expect("it runs");
    let seen = seen.lock().expect("no panic");
    *seen
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmRSS:"));
    line.and_then(|l| l.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or(0)
}
