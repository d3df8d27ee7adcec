//! Finding the name a user probably meant.
//!
//! Owns the matching of keys (exact, then without regard to case, as k6 does) and the guess for a
//! hint. Leaves out the sentences around it.

/// Edits that still count as a slip of the finger.
const EDITS_AT_MOST: usize = 3;

/// The known name that `typed` stands for: the exact one, else one that differs only in case.
pub fn known<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    names
        .iter()
        .find(|name| **name == typed)
        .or_else(|| names.iter().find(|name| name.eq_ignore_ascii_case(typed)))
        .copied()
}

/// The known name nearest to `typed`, when it is near enough to be what was meant.
pub fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let typed = typed.to_ascii_lowercase();
    let limit = EDITS_AT_MOST.min(typed.chars().count().div_ceil(2));
    names
        .iter()
        .map(|name| {
            let edits = strsim::osa_distance(&typed, &name.to_ascii_lowercase());
            (edits, *name)
        })
        .filter(|(edits, _)| *edits <= limit)
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
}

/// A hint naming the nearest known name, else all of them.
pub fn hint(typed: &str, names: &[&str]) -> String {
    match nearest(typed, names) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("known names: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name_and_nonsense_does_not() {
        let names = ["vus", "duration", "iterations"];
        assert_eq!(nearest("vuss", &names), Some("vus"));
        assert_eq!(nearest("itertaions", &names), Some("iterations"));
        assert_eq!(nearest("q", &names), None);
        assert_eq!(
            hint("zzzzzz", &names),
            "known names: vus, duration, iterations"
        );
    }

    #[test]
    fn case_does_not_matter_but_the_exact_name_wins() {
        assert_eq!(known("maxVus", &["maxVUs"]), Some("maxVUs"));
        assert_eq!(known("a", &["A", "a"]), Some("a"));
        assert_eq!(known("b", &["A", "a"]), None);
    }
}
