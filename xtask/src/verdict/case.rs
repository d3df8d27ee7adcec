//! The cases: what netload does, what is done to it, and what it must say.

use std::process::Command;

use super::disturb::Disturber;
use super::{Failure, RUN_S, Rig, netload, quota};
use crate::shell;

/// One kind of disturbance.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// Verdicts that are right.
    pub(super) verdicts: &'static [&'static str],
    /// Causes that are right; none for a clean run.
    pub(super) causes: &'static [&'static str],
    /// Whether the disturbance is there from the start.
    pub(super) from_start: bool,
    /// What is run, by the number of the run.
    pub(super) command: fn(&Rig, usize) -> Result<Command, Failure>,
    /// What is done to the process in the middle.
    pub(super) disturb: fn(u32) -> Result<Disturber, Failure>,
    /// Why this machine cannot do it.
    pub(super) possible: fn(clock: bool) -> Result<(), String>,
}

impl Case {
    /// Whether nothing is done.
    pub(super) fn is_clean(&self) -> bool {
        self.causes.is_empty()
    }
}

const BASE: Case = Case {
    name: "",
    about: "",
    verdicts: &["disturbed", "generator-bound"],
    causes: &[],
    from_start: false,
    command: |rig, _| Ok(rated(rig, &[])),
    disturb: |_| Ok(Disturber::none()),
    possible: |_| Ok(()),
};

/// All cases.
pub(super) const CASES: &[Case] = &[
    Case {
        name: "clean",
        about: "nothing is done; rates, closed loops, scripts, with a core of its own and without",
        verdicts: &["clean"],
        command: clean,
        ..BASE
    },
    Case {
        name: "hog",
        about: "two endless loops on the generator's core for 3 s",
        causes: &["cpu-contention"],
        disturb: |_| Disturber::hogs(),
        ..BASE
    },
    Case {
        name: "stop",
        about: "SIGSTOP for 200 ms every 500 ms, for 3 s",
        causes: &["stopped"],
        disturb: |pid| Ok(Disturber::pulses(pid)),
        ..BASE
    },
    Case {
        name: "quota",
        about: "a CPU quota of 5 % in the cgroup for 3 s",
        causes: &["cpu-quota"],
        command: |rig, _| quota::confined(&rated(rig, &["--rate", "5000"])),
        disturb: |_| Disturber::quota(),
        possible: |_| quota::possible(),
        ..BASE
    },
    Case {
        name: "files",
        about: "more connections than file descriptors",
        verdicts: &["generator-bound"],
        causes: &["open-files"],
        from_start: true,
        command: |rig, _| {
            let mut command = Command::new("sh");
            command.args(["-c", "ulimit -n 40; exec \"$@\"", "sh"]);
            Ok(wrapped(command, &closed(rig, &["-c", "100"])))
        },
        ..BASE
    },
    Case {
        name: "vus",
        about: "200 starts per second for 5 VUs that need 100 ms each",
        verdicts: &["concurrency-bound"],
        causes: &["all-busy"],
        from_start: true,
        command: |rig, _| Ok(script(rig, &["RATE=200", "VUS=5", "PATH_=/fixed/100ms"])),
        ..BASE
    },
    Case {
        name: "script",
        about: "a script that burns 2 ms of JavaScript, 1000 times a second",
        verdicts: &["generator-bound"],
        causes: &["own-cpu"],
        from_start: true,
        command: |rig, _| Ok(script(rig, &["RATE=1000", "VUS=100", "BURN_MS=2"])),
        ..BASE
    },
    Case {
        name: "clock",
        about: "the wall clock is set 100 ms forward, and back after 3 s",
        causes: &["clock-step"],
        disturb: |_| Disturber::clock(),
        possible: |clock| match clock {
            true => Ok(()),
            false => Err("only with --clock: it sets this machine's clock".to_owned()),
        },
        ..BASE
    },
];

/// The clean loads in turn.
fn clean(rig: &Rig, number: usize) -> Result<Command, Failure> {
    Ok(match number % 5 {
        0 => rated(rig, &[]),
        1 => rated(rig, &["--rate", "5000"]),
        2 => closed(rig, &["-c", "8"]),
        3 => script(rig, &["RATE=1000", "VUS=50"]),
        // Two workers, the coordinator and the server share both cores.
        _ => {
            let mut command = Command::new(&rig.netload);
            command.args(["hit", "--rate", "1000", "--workers", "2"]);
            command.args(["-c", "32", "-z", &format!("{RUN_S}s")]);
            command.args(["--quiet", "--format", "json", &url(rig)]);
            command
        }
    })
}

fn url(rig: &Rig) -> String {
    format!("{}/fixed/1ms", rig.target.url())
}

/// The open model.
fn rated(rig: &Rig, more: &[&str]) -> Command {
    let rate: &[&str] = match more.contains(&"--rate") {
        true => &[],
        false => &["--rate", "1000"],
    };
    closed(rig, &[&["-c", "64"], rate, more].concat())
}

/// The closed model, unless a rate is given.
fn closed(rig: &Rig, more: &[&str]) -> Command {
    let mut command = netload(rig, &["hit", "-z", &format!("{RUN_S}s")]);
    command.args(more).arg(url(rig));
    command
}

/// A k6 script at a rate.
fn script(rig: &Rig, variables: &[&str]) -> Command {
    let mut command = netload(rig, &["run"]);
    let own = [
        format!("URL={}", rig.target.url()),
        format!("SECONDS={RUN_S}"),
    ];
    let variables = variables.iter().map(|v| (*v).to_owned());
    for variable in own.into_iter().chain(variables) {
        command.args(["-e", &variable]);
    }
    command.arg(shell::root().join("bench/verdict.js"));
    command
}

/// The second command started by the first, which ends in `exec \"$@\"`.
pub(super) fn wrapped(mut outer: Command, inner: &Command) -> Command {
    outer.arg(inner.get_program()).args(inner.get_args());
    outer
}
