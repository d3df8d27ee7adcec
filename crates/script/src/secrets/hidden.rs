//! The values that no log line may show, and their replacement in one pass.

use std::borrow::Cow;

use super::REDACTED;

/// Values that are hidden at most; a script that asks for more obtains them, but they are not hidden. 10,000 passwords
/// in one process are a test of the passwords.
const HIDDEN_AT_MOST: usize = 10_000;

/// The values.
#[derive(Debug, Default)]
pub(super) struct Hidden {
    /// By their first byte, the longest first.
    by_first: Vec<Vec<Box<str>>>,
    count: usize,
}

impl Hidden {
    /// Whether a value is hidden already, or need not be.
    pub(super) fn has(&self, value: &str) -> bool {
        match value.bytes().next() {
            None => true,
            Some(first) => self
                .starting(first)
                .iter()
                .any(|known| known.as_ref() == value),
        }
    }

    /// Hides a value.
    pub(super) fn add(&mut self, value: &str) {
        let Some(first) = value.bytes().next() else {
            return;
        };
        if self.has(value) || self.count >= HIDDEN_AT_MOST {
            return;
        }
        self.by_first.resize_with(256, Vec::new);
        let values = &mut self.by_first[usize::from(first)];
        let at = values.partition_point(|known| known.len() >= value.len());
        values.insert(at, value.into());
        self.count += 1;
    }

    fn starting(&self, first: u8) -> &[Box<str>] {
        self.by_first.get(usize::from(first)).map_or(&[], |v| v)
    }

    /// The text with the values replaced; what was put in is not looked at again.
    pub(super) fn replaced<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.count == 0 {
            return Cow::Borrowed(text);
        }
        let mut replaced = String::new();
        let (mut kept, mut at) = (0, 0);
        while let Some(first) = text.as_bytes().get(at) {
            let found = self
                .starting(*first)
                .iter()
                .find(|value| text.as_bytes()[at..].starts_with(value.as_bytes()));
            match found {
                // A value begins and ends where letters do, so the text around it does too.
                Some(value) => {
                    replaced.push_str(&text[kept..at]);
                    replaced.push_str(REDACTED);
                    at += value.len();
                    kept = at;
                }
                None => at += 1,
            }
        }
        if kept == 0 {
            return Cow::Borrowed(text);
        }
        replaced.push_str(&text[kept..]);
        Cow::Owned(replaced)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn replaced(values: &[&str], text: &str) -> String {
        let mut hidden = Hidden::default();
        values.iter().for_each(|value| hidden.add(value));
        hidden.replaced(text).into_owned()
    }

    #[test]
    fn values_are_replaced_wherever_they_stand() {
        assert_eq!(
            replaced(&["pass", "password", ""], "a password, pass!"),
            format!("a {REDACTED}, {REDACTED}!")
        );
        assert_eq!(replaced(&["E"], "SEE"), format!("S{REDACTED}{REDACTED}"));
        assert_eq!(replaced(&["é"], "né"), format!("n{REDACTED}"));
        assert_eq!(replaced(&[], "text"), "text");
    }

    proptest! {
        #[test]
        fn nothing_of_a_value_is_left(values in prop::collection::vec("[a-cé]{1,4}", 1..5), text in "[a-cé ]{0,40}") {
            let known: Vec<&str> = values.iter().map(String::as_str).collect();
            let rest = replaced(&known, &text).replace(REDACTED, "");
            // What is left between replaced values may touch; the pieces themselves hold no value.
            for piece in replaced(&known, &text).split(REDACTED) {
                for value in &known {
                    prop_assert!(!piece.contains(value), "{rest}");
                }
            }
        }
    }
}
