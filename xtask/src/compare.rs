//! `cargo xtask compare`: how often `netload compare` is right about real runs.
//!
//! Pairs of runs against the reference server: of the same build, with all requests 10 % slower, and with only the
//! slowest 3 % of them 10 % slower. Several pairs run side by side, as on a machine that has other things to do; the sides
//! of a pair run one after the other, every second pair the other way round. Each pair is made once
//! and counts, whatever the machine did and whatever compare says. Invariant: a pair that could not be run is an error and
//! no verdict.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::host::Ticks;
use crate::target::Target;
use crate::{Outcome, host, shell};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What is done to the second side of a pair.
struct Case {
    name: &'static str,
    about: &'static str,
    /// The paths of the baseline and of what is compared with it.
    paths: [&'static str; 2],
    /// Whether it must be called worse.
    is_worse: bool,
}

const CASES: [Case; 3] = [
    Case {
        name: "same",
        about: "the same build twice, exponential service times of 10 ms",
        paths: ["/exp/10ms", "/exp/10ms"],
        is_worse: false,
    },
    Case {
        name: "slower",
        about: "exponential service times of 11 ms after 10 ms",
        paths: ["/exp/10ms", "/exp/11ms"],
        is_worse: true,
    },
    Case {
        name: "tail",
        about: "10 ms, and 3 % of the requests 44 ms after 40 ms",
        paths: ["/bimodal/10ms/40ms/0.03", "/bimodal/10ms/44ms/0.03"],
        is_worse: true,
    },
];

/// Pairs that lost more than this of the machine to the hypervisor on one side are counted by themselves too.
const TAKEN: f64 = 0.1;

/// Of 100 pairs so many may be called worse though nothing changed,
const FALSE_AT_MOST: f64 = 5.0;
/// and so many must be when something did.
const FOUND_AT_LEAST: f64 = 95.0;

struct Options {
    pairs: usize,
    seconds: u64,
    rate: u64,
    beside: usize,
    profile: String,
    binary: Option<PathBuf>,
}

/// What all pairs need; the server ends with it.
struct Rig {
    netload: PathBuf,
    folder: PathBuf,
    target: Target,
}

impl Drop for Rig {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// What became of the pairs of a case.
#[derive(Default)]
struct Counts {
    verdicts: BTreeMap<String, usize>,
    /// Pairs with a generator that was not clean on one side at least.
    unclean: usize,
    /// Pairs of which the hypervisor took more than `TAKEN`, and those of them that were called worse.
    stolen: [usize; 2],
}

/// What is known of a side that was run.
struct Ran {
    is_clean: bool,
    /// The part of the machine that the hypervisor took meanwhile.
    taken: f64,
}

impl Counts {
    fn of(&self, verdict: &str) -> usize {
        self.verdicts.get(verdict).copied().unwrap_or(0)
    }

    fn holds(&self, case: &Case) -> bool {
        let all: usize = self.verdicts.values().sum();
        let worse = 100.0 * self.of("worse") as f64 / all.max(1) as f64;
        match case.is_worse {
            true => worse >= FOUND_AT_LEAST,
            false => worse <= FALSE_AT_MOST,
        }
    }
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    Ok(act(arguments).map_err(|e| e.to_string())?)
}

/// The error of a tool, to be handed from thread to thread.
fn plain(error: impl std::fmt::Display) -> Failure {
    error.to_string().into()
}

fn act(arguments: &[String]) -> Result<(), Failure> {
    let Some(options) = parse(arguments)? else {
        help();
        return Ok(());
    };
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let rig = prepare(&options)?;
    let all = measure(&rig, &options)?;
    let date = shell::read(shell::command("date").args(["-u", "+%Y-%m-%d"])).map_err(plain)?;
    let file = format!("bench/results/{}-compare.md", date.trim());
    let load = load.split(' ').next().unwrap_or("unknown");
    let page = page(&all, &options, date.trim(), load)?;
    std::fs::write(shell::root().join(&file), &page)?;
    println!("{page}\nwritten to {file}");
    match CASES.iter().zip(&all).all(|(case, c)| c.holds(case)) {
        true => Ok(()),
        false => Err("compare was wrong too often".into()),
    }
}

/// Makes all pairs, so many side by side.
fn measure(rig: &Rig, options: &Options) -> Result<Vec<Counts>, Failure> {
    let mut all: Vec<Counts> = CASES.iter().map(|_| Counts::default()).collect();
    // Cases take turns, so that all of them see the same weather.
    let pairs: Vec<Pair> = (0..options.pairs * CASES.len()).map(Pair::new).collect();
    for pairs in pairs.chunks(options.beside) {
        let firsts = side_by_side(pairs, |pair| pair.side(rig, options, 0))?;
        let seconds = side_by_side(pairs, |pair| pair.side(rig, options, 1))?;
        for (pair, sides) in pairs.iter().zip(firsts.into_iter().zip(seconds)) {
            let verdict = pair.compare(rig)?;
            let taken = sides.0.taken.max(sides.1.taken);
            let (name, number) = (CASES[pair.case].name, pair.number + 1);
            println!("{name} {number}: {verdict}, {:.0} % stolen", taken * 100.0);
            let counts = &mut all[pair.case];
            if taken > TAKEN {
                counts.stolen[0] += 1;
                counts.stolen[1] += usize::from(verdict == "worse");
            }
            counts.unclean += usize::from(!(sides.0.is_clean && sides.1.is_clean));
            *counts.verdicts.entry(verdict).or_default() += 1;
        }
    }
    Ok(all)
}

/// The same for each pair at once, on a machine that is quiet when it begins.
fn side_by_side<T: Send>(
    pairs: &[Pair],
    act: impl Fn(&Pair) -> Result<T, Failure> + Sync,
) -> Result<Vec<T>, Failure> {
    host::wait_until_quiet();
    std::thread::scope(|scope| {
        let act = &act;
        let started = pairs.iter().map(|pair| scope.spawn(move || act(pair)));
        let started: Vec<_> = started.collect();
        let ended = started.into_iter().map(|one| one.join());
        ended
            .map(|one| one.map_err(|_| "a run panicked")?)
            .collect()
    })
}

/// Two runs that are compared.
struct Pair {
    /// Which of the cases.
    case: usize,
    /// Counts the pairs of its case.
    number: usize,
}

impl Pair {
    fn new(index: usize) -> Self {
        Self {
            case: index % CASES.len(),
            number: index / CASES.len(),
        }
    }

    fn store(&self, rig: &Rig) -> PathBuf {
        let name = CASES[self.case].name;
        rig.folder.join(format!("{name}-{}.db", self.number))
    }

    /// Runs the side that comes first or second; in every second pair the baseline comes second.
    fn side(&self, rig: &Rig, options: &Options, place: usize) -> Result<Ran, Failure> {
        let side = (place + self.number) % 2;
        let (rate, length) = (options.rate.to_string(), format!("{}s", options.seconds));
        let label = format!("side={side}");
        let url = format!("{}{}", rig.target.url(), CASES[self.case].paths[side]);
        let mut command = rig.command(&self.store(rig));
        command
            .args(["hit", "--quiet", "--format", "json", "--workers", "1"])
            .args(["-c", "200", "--rate", &rate, "-z", &length])
            .args(["--label", &label, &url]);
        let before = Ticks::now();
        Ok(Ran {
            is_clean: read(&mut command)?["generator"]["verdict"] == "clean",
            taken: Ticks::now().stolen_since(&before),
        })
    }

    /// What compare says.
    fn compare(&self, rig: &Rig) -> Result<String, Failure> {
        let store = self.store(rig);
        let comparison = read(
            rig.command(&store)
                .args(["compare", "--json", "side=0", "side=1"]),
        )?;
        let verdict = comparison["verdict"].as_str().ok_or("no verdict")?;
        let is_right = (verdict == "worse") == CASES[self.case].is_worse;
        if let (false, Some(name)) = (is_right, store.file_name()) {
            let kept = std::env::temp_dir().join(name);
            std::fs::copy(&store, &kept)?;
            println!("  its runs are in {}", kept.display());
        }
        std::fs::remove_file(&store)?;
        Ok(verdict.to_owned())
    }
}

impl Rig {
    fn command(&self, store: &Path) -> Command {
        let mut command = Command::new(&self.netload);
        command
            .env("NETLOAD_STORE", store)
            .env_remove("NETLOAD_NO_STORE")
            .stdin(Stdio::null())
            .stderr(Stdio::piped());
        command
    }
}

/// Runs a command that prints JSON.
fn read(command: &mut Command) -> Result<Value, Failure> {
    let output = command.output()?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("{command:?} printed no result: {}", said.trim()).into()
    })
}

fn prepare(options: &Options) -> Result<Rig, Failure> {
    let netload = match &options.binary {
        Some(path) => std::path::absolute(path)?,
        None => shell::netload(&options.profile).map_err(plain)?,
    };
    let folder = std::env::temp_dir().join(format!("netload-compare-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    Ok(Rig {
        target: Target::start(Command::new(&netload), &[])?,
        netload,
        folder,
    })
}

fn page(all: &[Counts], options: &Options, date: &str, load: &str) -> Result<String, Failure> {
    let commit = shell::read(shell::command("git").args(["rev-parse", "--short", "HEAD"]));
    let mut text = format!(
        "# Verdicts of compare, {date}\n\n\
         Made by `cargo xtask compare`: real runs of `netload hit` against `netload target`, one run of {} s with {} requests\n\
         per second on each side, {} pairs side by side on {} cores, load {load} before the start; commit {}. Each pair is made\n\
         once and counts; {:.0} s were spent waiting for a quiet machine before runs. Wanted: of pairs of the same build at most\n\
         {FALSE_AT_MOST:.0} % worse; with a change at least {FOUND_AT_LEAST:.0} %. Stolen are pairs of which the hypervisor took more than {:.0} % of the\n\
         machine on one side.\n\n\
         | case | what is compared | pairs | worse | better | same | cannot tell | generator not clean | stolen, and of them worse | |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---|\n",
        options.seconds,
        options.rate,
        options.beside,
        std::thread::available_parallelism()?,
        commit.map_err(plain)?.trim(),
        host::waited().as_secs_f64(),
        TAKEN * 100.0,
    );
    for (case, counts) in CASES.iter().zip(all) {
        let mark = match counts.holds(case) {
            true => "holds",
            false => "**missed**",
        };
        writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {}, {} | {mark} |",
            case.name,
            case.about,
            counts.verdicts.values().sum::<usize>(),
            counts.of("worse"),
            counts.of("better"),
            counts.of("same"),
            counts.of("cannot tell"),
            counts.unclean,
            counts.stolen[0],
            counts.stolen[1],
        )?;
    }
    Ok(text)
}

fn parse(arguments: &[String]) -> Result<Option<Options>, Failure> {
    let mut options = Options {
        pairs: 100,
        seconds: 10,
        rate: 1_000,
        beside: 8,
        profile: "dist".into(),
        binary: None,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--pairs" => options.pairs = value()?.parse::<usize>()?.max(1),
            "--seconds" => options.seconds = value()?.parse::<u64>()?.max(1),
            "--rate" => options.rate = value()?.parse::<u64>()?.max(1),
            "--beside" => options.beside = value()?.parse::<usize>()?.max(1),
            "--profile" => options.profile = value()?.clone(),
            "--binary" => options.binary = Some(value()?.into()),
            unknown => return Err(format!("unknown option {unknown}").into()),
        }
    }
    Ok(Some(options))
}

fn help() {
    println!(
        "cargo xtask compare [OPTIONS]

  --pairs N        pairs of runs of each case (100; 20 take three minutes)
  --seconds S      length of a run (10)
  --rate R         requests per second of a run (1000)
  --beside N       pairs side by side (8)
  --profile NAME   the cargo profile netload is built with (dist)
  --binary PATH    this netload instead of building one
"
    );
    for case in &CASES {
        println!("  {:8} {}", case.name, case.about);
    }
}
