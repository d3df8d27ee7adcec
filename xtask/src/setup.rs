//! `cargo xtask setup`: the Debian packages that tests and benchmarks need, and what only Maven, npm and the Go module
//! proxy have.
//!
//! Leaves out Rust, a C compiler and Go, which the README asks for. Invariant: nothing is installed that is already
//! there.

use crate::{Outcome, receivers, shell};

/// Programs and the packages that bring them.
const NEEDED: [(&str, &str); 14] = [
    ("nginx", "nginx-light"),
    ("caddy", "caddy"),
    ("wrk", "wrk"),
    ("ab", "apache2-utils"),
    ("h2load", "nghttp2-client"),
    ("taskset", "util-linux"),
    ("chromium", "chromium"),
    ("tmux", "tmux"),
    ("npm", "npm"),
    ("prometheus", "prometheus"),
    ("carbon-cache", "graphite-carbon"),
    ("java", "default-jre-headless"),
    ("mvn", "maven"),
    ("kcat", "kcat"),
];

pub(crate) fn run(_: &[String]) -> Outcome {
    let missing: Vec<_> = NEEDED
        .iter()
        .filter(|(program, _)| !installed(program))
        .map(|(_, package)| *package)
        .collect();
    if missing.is_empty() {
        println!("no package of Debian is missing");
    } else {
        println!("installing {}", missing.join(" "));
        shell::run(apt().args(["update", "--quiet"]))?;
        let install = ["install", "--yes", "--quiet", "--no-install-recommends"];
        shell::run(apt().args(install).args(&missing))?;
    }
    receivers::fetch()
}

/// Server programs live outside an ordinary user's path.
fn installed(program: &str) -> bool {
    let system = std::path::Path::new("/usr/sbin").join(program);
    shell::has(program) || system.is_file()
}

fn apt() -> std::process::Command {
    let mut command = if shell::has("sudo") {
        let mut command = shell::command("sudo");
        command.arg("apt-get");
        command
    } else {
        shell::command("apt-get")
    };
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}
