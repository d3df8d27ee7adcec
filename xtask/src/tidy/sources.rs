//! Source files: a header, a length one can read, nothing left over.

use std::path::{Path, PathBuf};

use crate::shell;

/// Most lines of a file.
const LINES: usize = 600;
/// Folders with sources of ours.
const FOLDERS: [&str; 3] = ["crates", "xtask", "fuzz"];

/// A sentence for every file that breaks a rule.
pub(super) fn check() -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(&shell::root().join(folder), &mut files)?;
    }
    files.sort();
    let mut problems = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file)?;
        let name = file.strip_prefix(shell::root()).unwrap_or(&file).display();
        problems.extend(
            of_text(&text)
                .into_iter()
                .map(|problem| format!("{name}: {problem}")),
        );
    }
    Ok(problems)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

fn of_text(text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    if !text.starts_with("//!") {
        problems.push("does not begin with `//!` and what the file is for".to_owned());
    }
    let lines = text.lines().count();
    if lines > LINES {
        problems.push(format!(
            "has {lines} lines; more than {LINES} are two files"
        ));
    }
    for (index, line) in text.lines().enumerate() {
        if let Some(word) = leftovers().iter().find(|word| line.contains(word.as_str())) {
            problems.push(format!("line {}: {word} was left over", index + 1));
        }
    }
    problems
}

/// Written in halves, so that this file does not find itself.
fn leftovers() -> [String; 6] {
    [
        ("to", "do!("),
        ("unimplem", "ented!("),
        ("db", "g!("),
        ("TO", "DO"),
        ("FIX", "ME"),
        ("XX", "X:"),
    ]
    .map(|(a, b)| format!("{a}{b}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_lengths_and_leftovers_are_found() {
        assert_eq!(
            of_text("//! What it is for.\nfn a() {}\n"),
            Vec::<String>::new()
        );
        assert_eq!(of_text("fn a() {}\n").len(), 1);
        assert_eq!(of_text(&format!("//! x\n{}", "\n".repeat(700))).len(), 1);
        assert_eq!(
            of_text(&format!("//! x\nfn a() {{ {}) }}\n", leftovers()[0])).len(),
            1
        );
    }
}
