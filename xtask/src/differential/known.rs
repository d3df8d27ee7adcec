//! The list of deliberate differences.
//!
//! Each line is `SCRIPT | ASPECT | SIGN TEXT | REASON`. `*` stands for any
//! script or aspect; a `*` in the text for anything in between. Invariant: every entry
//! has a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// All deliberate differences.
pub(crate) struct Known {
    entries: Vec<Entry>,
}

struct Entry {
    script: String,
    aspect: String,
    line: String,
    reason: String,
    met: AtomicBool,
}

impl Known {
    /// Reads the list; a line without a reason is an error.
    pub(crate) fn read(path: &Path) -> Result<Known, Box<dyn std::error::Error>> {
        let text = std::fs::read_to_string(path)?;
        let lines = text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let mut entries = Vec::new();
        for (index, line) in lines {
            let fields: Vec<_> = line.split(" | ").map(str::trim).collect();
            match fields.as_slice() {
                [script, aspect, line, reason] if !reason.is_empty() => entries.push(Entry {
                    script: (*script).to_owned(),
                    aspect: (*aspect).to_owned(),
                    line: (*line).to_owned(),
                    reason: (*reason).to_owned(),
                    met: AtomicBool::new(false),
                }),
                _ => {
                    let place = format!("{}:{}", path.display(), index + 1);
                    return Err(
                        format!("{place}: want SCRIPT | ASPECT | SIGN TEXT | REASON").into(),
                    );
                }
            }
        }
        Ok(Known { entries })
    }

    /// Whether a differing line is deliberate.
    pub(crate) fn covers(&self, script: &str, aspect: &str, sign: char, line: &str) -> bool {
        let line = format!("{sign} {line}");
        // All that match are marked, so that an entry is not called idle because of another.
        let met = self.entries.iter().filter(|entry| {
            (entry.script == "*" || entry.script == script)
                && (entry.aspect == "*" || entry.aspect == aspect)
                && matches(&entry.line, &line)
        });
        met.map(|entry| entry.met.store(true, Ordering::Relaxed))
            .count()
            > 0
    }

    /// Whether a script is listed as not comparable at all.
    pub(crate) fn gives_up(&self, script: &str) -> bool {
        self.entries
            .iter()
            .any(|entry| entry.script == script && entry.aspect == "*" && entry.line == "*")
    }

    /// Every reason with the scripts that show the difference.
    pub(crate) fn reasons(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut reasons: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for entry in &self.entries {
            let script = match entry.script.as_str() {
                "*" => "anywhere",
                script => script,
            };
            reasons.entry(&entry.reason).or_default().insert(script);
        }
        reasons
    }

    /// Entries that covered nothing so far: differences that may be gone.
    pub(crate) fn idle(&self) -> impl Iterator<Item = String> {
        let idle = self
            .entries
            .iter()
            .filter(|entry| !entry.met.load(Ordering::Relaxed));
        idle.map(|entry| format!("{} | {} | {}", entry.script, entry.aspect, entry.line))
    }
}

/// Whether `text` has the pieces of `pattern` between its stars, in order.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(text) = text.strip_prefix(start) else {
        return false;
    };
    (0..=text.len())
        .filter(|at| text.is_char_boundary(*at))
        .any(|at| matches(rest, &text[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, text, expected) in [
            ("+ a", "+ a", true),
            ("+ a", "+ ab", false),
            ("+ a*", "+ ab", true),
            ("* a*c", "- abcbc", true),
            ("+ *b", "- ab", false),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
