//! Which variables of `__ENV` a VU gets: those that the texts of its modules could read.
//!
//! The environment of a process is large, and every VU whose script asks for one variable would hold all of them. From
//! the texts follows which can be asked for. In doubt they are all there.

use std::collections::HashSet;

use crate::intrinsics::may_reach_anything;

/// The global that holds them.
const GLOBAL: &str = "__ENV";

/// What every object inherits: a script that names one of these may ask it for any variable.
const INHERITED: [&str; 12] = [
    "constructor",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "toLocaleString",
    "toString",
    "valueOf",
    "__proto__",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
];

/// The variables that are in `__ENV`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Variables {
    /// Every one.
    All,
    /// Those with these names.
    Named(HashSet<String>),
}

impl Variables {
    /// What modules with these texts can read.
    pub(crate) fn readable<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut names = HashSet::new();
        for text in texts {
            if may_reach_anything(text) {
                return Self::All;
            }
            for (at, _) in text.match_indices(GLOBAL) {
                match named(&text[at + GLOBAL.len()..]) {
                    Some(name) if !INHERITED.contains(&name) => names.insert(name.to_owned()),
                    _ => return Self::All,
                };
            }
        }
        Self::Named(names)
    }

    /// Whether this one is there.
    pub(crate) fn has(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::Named(names) => names.contains(name),
        }
    }
}

/// The one name that is read by what follows the global's: `.NAME`, `?.NAME`, `['NAME']` or `["NAME"]`.
fn named(rest: &str) -> Option<&str> {
    if let Some(rest) = rest.strip_prefix("?.").or(rest.strip_prefix('.')) {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'));
        let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
        // Letters beyond ASCII and escapes go on with the name.
        let whole = after.is_empty() || after.starts_with(|c: char| c.is_ascii() && c != '\\');
        return (whole && !name.is_empty()).then_some(name);
    }
    let rest = rest.strip_prefix('[')?;
    let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let (name, after) = rest[1..].split_once(quote)?;
    (after.starts_with(']') && !name.contains(['\\', '\n'])).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let names = expected.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(
            Variables::readable([text]),
            Variables::Named(names),
            "{text}"
        );
    }

    #[test]
    fn only_variables_that_are_named_are_there() {
        check("export default () => 1;", &[]);
        check(
            "http.get(__ENV.URL); let x = __ENV['MY-NAME'] || __ENV?.$other_1;",
            &["URL", "MY-NAME", "$other_1"],
        );
        check("`${__ENV.HOST}/${__ENV[\"PATH\"]}`", &["HOST", "PATH"]);
        assert!(Variables::readable(["__ENV.A", "__ENV.B"]).has("B"));
        assert!(!Variables::readable(["__ENV.A"]).has("AB"));
    }

    #[test]
    fn in_doubt_all_are_there() {
        for text in [
            "const { URL } = __ENV;",
            "Object.keys(__ENV)",
            "__ENV[name]",
            "__ENV[`URL`]",
            "__ENV['A' + 'B']",
            "__ENV['A\\u0042']",
            "__ENV.hasOwnProperty('URL')",
            "__ENV.UR\\u004c",
            "__ENV.größe",
            "__ENV\n.URL",
            "__ENV",
            "__ENV.URL; eval(text)",
            "globalThis[name].URL",
        ] {
            assert_eq!(Variables::readable([text]), Variables::All, "{text}");
        }
    }
}
