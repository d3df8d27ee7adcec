//! The live view in a real terminal, tmux: what stands there after the window became narrower and wider again.
//!
//! Without tmux (`cargo xtask setup` installs it) nothing is tested.

mod harness;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use harness::Folder;

/// How long the view may take to be as it must be.
const PATIENCE: Duration = Duration::from_secs(30);

/// tmux tells programs their size four times a second at most; who draws before is told too late, and cannot know.
const TOLD_EVERY: Duration = Duration::from_millis(600);

/// A tmux server of this test, which ends with it.
struct Terminal(Folder);

impl Terminal {
    /// Runs a script in a window of 120 columns; none without tmux.
    fn start(script: &str) -> Option<Self> {
        let folder = Folder::with_script(script);
        let binary = env!("CARGO_BIN_EXE_netload");
        let typed = format!("NETLOAD_NO_STORE=true '{binary}' run script.js; sleep 60");
        let terminal = Self(folder);
        let size = ["-x", "120", "-y", "40"];
        let start = ["-f", "/dev/null", "new-session", "-d"];
        let window = ["set", "-g", "window-size", "manual"];
        let started = terminal.tmux(&[&start, &size[..], &[&typed, ";"], &window].concat());
        started.map(|_| terminal)
    }

    /// What a command of tmux prints; none when there is no tmux.
    fn tmux(&self, arguments: &[&str]) -> Option<String> {
        let folder = self.0.path();
        let output = Command::new("tmux")
            .arg("-S")
            .arg(folder.join("tmux.socket"))
            .args(arguments)
            .current_dir(folder)
            .env_remove("TMUX")
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .output()
            .ok()?;
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments:?}: {errors}");
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Waits until every line of the view is there once.
    fn settles(&self, columns: u32) {
        let begin = Instant::now();
        loop {
            let screen = self.tmux(&["capture-pane", "-p"]).unwrap();
            let count = |start: &str| screen.lines().filter(|l| l.starts_with(start)).count();
            let lines = [" running ", " requests ", " latency ", " iterations "];
            if lines.iter().all(|line| count(line) == 1) {
                return;
            }
            assert!(begin.elapsed() < PATIENCE, "{columns} columns:\n{screen}");
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // Its window ends with it, and so does the run there.
        let _ = self.tmux(&["kill-server"]);
    }
}

#[test]
fn a_window_that_becomes_narrower_keeps_no_line_of_the_view() {
    let script = "import { sleep } from 'k6';\n\
                  export const options = { vus: 2, duration: '5m' };\n\
                  export default function () { sleep(0.05); }";
    let Some(terminal) = Terminal::start(script) else {
        return;
    };
    terminal.settles(120);
    for columns in [70, 50, 33, 120, 40] {
        std::thread::sleep(TOLD_EVERY);
        terminal.tmux(&["resize-window", "-x", &columns.to_string(), "-y", "40"]);
        terminal.settles(columns);
    }
}
