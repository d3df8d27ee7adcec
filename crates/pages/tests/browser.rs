//! The report in a real browser: opened from its file, at two widths, in light and dark, and on paper.
//!
//! Without chromium (`cargo xtask setup` installs it) nothing is tested, unless `NETLOAD_NEEDS_CHROMIUM` is set, as in
//! the CI.

mod made;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use netload_pages::report;

/// Virtual time for scripts, in milliseconds: it passes as soon as there is nothing to do.
const SCRIPT_TIME_MS: u32 = 10_000;

/// A folder of this test that goes when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("netload-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that stays does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Whether there is a browser to test with.
fn has_browser() -> bool {
    let found = Command::new("chromium")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    let needed = std::env::var_os("NETLOAD_NEEDS_CHROMIUM").is_some();
    assert!(
        found.is_ok() || !needed,
        "chromium is missing; `cargo xtask setup` installs it"
    );
    found.is_ok()
}

/// Opens the file; gives what the browser printed and what it logged.
fn open(folder: &Folder, file: &Path, arguments: &[&str]) -> (String, String) {
    let output = Command::new("chromium")
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
        ])
        .args([
            "--enable-logging=stderr",
            "--no-first-run",
            "--disable-extensions",
        ])
        .arg(format!(
            "--user-data-dir={}",
            folder.0.join("profile").display()
        ))
        .arg(format!("--virtual-time-budget={SCRIPT_TIME_MS}"))
        .args(arguments)
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let log = text(&output.stderr);
    let console = log.lines().filter(|line| line.contains("CONSOLE"));
    (text(&output.stdout), console.collect::<Vec<_>>().join("\n"))
}

/// A report in a file.
fn file(folder: &Folder, seconds: u64, names: u64) -> PathBuf {
    let finding = serde_json::json!({
        "rule": "latency_knee", "severity": "problem", "title": "Latency rises", "sentence": "It doubled.",
        "since_ns": 8_000_000_000u64, "until_ns": 12_000_000_000u64, "chart": "latency", "evidence": { "p95_before_ms": 12.5 },
    });
    let file = folder.0.join("report.html");
    std::fs::write(
        &file,
        report::html(&made::record(seconds, names), vec![finding]),
    )
    .unwrap();
    file
}

#[test]
fn every_section_is_there_in_light_and_dark_wide_and_narrow() {
    if !has_browser() {
        return;
    }
    let folder = Folder::new("report");
    let file = file(&folder, 60, 30);
    for size in ["1280,900", "360,800"] {
        for dark in [false, true] {
            let size = format!("--window-size={size}");
            let mut arguments = vec!["--dump-dom", &size];
            if dark {
                arguments.push("--force-dark-mode");
            }
            let (page, console) = open(&folder, &file, &arguments);
            assert_eq!(console, "", "{arguments:?}");
            assert!(
                page.contains("data-ready"),
                "{arguments:?}: {}",
                &page[..page.len().min(4_000)]
            );
            for id in [
                "findings",
                "thresholds",
                "latency",
                "load",
                "errors",
                "checks",
                "names",
                "generator",
                "metrics",
                "options",
            ] {
                assert!(
                    page.contains(&format!("<section id=\"{id}\" aria-labelledby")),
                    "{id} {arguments:?}"
                );
            }
            for text in [
                "Failed",
                "p(95)&lt;20",
                "24.8&nbsp;ms",
                "Latency rises",
                "Show all",
                "20 of 30 names",
                "request timeout",
            ] {
                assert!(page.contains(text), "{text} {arguments:?}");
            }
            assert!(page.matches("<canvas").count() >= 7, "{arguments:?}");
            assert!(!page.contains("<title>taken"));
            let shown = if dark {
                ">Light</button>"
            } else {
                ">Dark</button>"
            };
            assert!(page.contains(shown), "{arguments:?}");
        }
    }
}

#[test]
fn it_can_be_printed() {
    if !has_browser() {
        return;
    }
    let folder = Folder::new("print");
    let file = file(&folder, 60, 30);
    let paper = folder.0.join("report.pdf");
    let (_, console) = open(
        &folder,
        &file,
        &[&format!("--print-to-pdf={}", paper.display())],
    );
    assert_eq!(console, "");
    let pdf = std::fs::read(&paper).unwrap();
    assert!(
        pdf.starts_with(b"%PDF") && pdf.len() > 50_000,
        "{} bytes",
        pdf.len()
    );
}
