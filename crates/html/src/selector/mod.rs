//! CSS selectors with the additions of k6's library: `:contains`, `:matches`, `:input`, `[a!=b]`, `[a#=regex]`.
//!
//! `parse` reads them, `matching` applies them to nodes. A selector that cannot be read matches nothing, as in k6.

mod matching;
mod parse;

use regex_lite::Regex;

use crate::tree::{Document, NodeId};

/// Bytes of a selector at most.
const LENGTH_LIMIT: usize = 8192;
/// Selectors inside of selectors at most, as in `:not(:has(p))`.
const NESTING_LIMIT: usize = 16;

/// A group of selectors, separated by commas.
#[derive(Clone, Debug, Default)]
pub struct Selector {
    alternatives: Vec<Chain>,
}

/// Compounds from right to left; each says how the next one in the chain is reached.
#[derive(Clone, Debug)]
struct Chain {
    last: Vec<Simple>,
    before: Vec<(Combinator, Vec<Simple>)>,
}

/// How two compounds are related.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Combinator {
    Descendant,
    Child,
    NextSibling,
    LaterSibling,
}

/// One condition on an element.
#[derive(Clone, Debug)]
enum Simple {
    Any,
    Tag(Box<str>),
    Id(Box<str>),
    Class(Box<str>),
    Attribute(Box<str>, Test),
    Not(Selector),
    Is(Selector),
    Has(Selector),
    HasChild(Selector),
    Contains { text: Box<str>, own: bool },
    Matches { regex: Regex, own: bool },
    Nth(Nth),
    OnlyChild { of_type: bool },
    Lang(Box<str>),
    State(State),
}

/// Conditions on an attribute.
#[derive(Clone, Debug)]
enum Test {
    Exists,
    Equals(Box<str>, Case),
    Differs(Box<str>),
    Word(Box<str>, Case),
    Dash(Box<str>, Case),
    Prefix(Box<str>, Case),
    Suffix(Box<str>, Case),
    Substring(Box<str>, Case),
    Regex(Regex),
}

/// Whether upper and lower case differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Differs,
    Same,
}

/// The place among siblings: `step * n + offset`.
#[derive(Clone, Copy, Debug)]
struct Nth {
    step: i64,
    offset: i64,
    from_end: bool,
    of_type: bool,
}

/// Conditions without argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Root,
    Empty,
    Link,
    Input,
    Checked,
    Disabled,
    Enabled,
}

impl Selector {
    /// Reads a selector; one that is not valid matches nothing.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        if text.len() > LENGTH_LIMIT {
            return Self::default();
        }
        parse::group(text).unwrap_or_default()
    }

    /// Everything inside of `root` that matches, in the order of the text.
    pub fn find<'a>(
        &'a self,
        document: &'a Document,
        root: NodeId,
    ) -> impl Iterator<Item = NodeId> + 'a {
        document
            .descendants(root)
            .filter(|id| self.matches(document, *id))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r#"<html lang="en-GB"><body class="one Two"><h1 id=t>Title <b>bold</b></h1>
        <ul><li class=a>1<li class=b title="x y-z">2<li>3<span>in</span></ul>
        <p></p><p><!-- c --></p><p>text</p><a href="/x">l</a><a>n</a>
        <form><input type=checkbox checked name=c><input disabled name=d><select><option selected>o</select>
        <button>B</button></form><svg viewBox="0 0 1 1"><circle/></svg></body></html>"#;

    /// How many elements a selector finds.
    fn count(selector: &str) -> usize {
        let document = Document::parse(PAGE).unwrap();
        let selector = Selector::parse(selector);
        selector.find(&document, NodeId::DOCUMENT).count()
    }

    #[test]
    fn selectors_find_what_they_say() {
        for (selector, expected) in [
            ("li", 3),
            ("LI", 3),
            ("*", 23),
            ("#t", 1),
            (".one.Two", 1),
            (".two", 0),
            ("ul li, h1", 4),
            ("ul > li", 3),
            ("body > li", 0),
            ("h1 + ul", 1),
            ("h1 ~ p", 3),
            ("li ~ li", 2),
            ("li + li", 2),
            ("[title]", 1),
            ("[title='x y-z']", 1),
            ("[title=\"X Y-Z\" i]", 1),
            ("[title~=x]", 1),
            ("[title^=x]", 1),
            ("[title$='-z']", 1),
            ("[title*=' ']", 1),
            ("[lang|=en]", 1),
            ("[name!=c]", 22),
            ("[name#=(^[cd]$)]", 2),
            ("li:first-child", 1),
            ("li:last-child", 1),
            ("li:nth-child(2)", 1),
            ("li:nth-child(odd)", 2),
            ("li:nth-child(2n + 1)", 2),
            ("li:nth-child(-n+2)", 2),
            ("li:nth-last-child(1)", 1),
            ("p:nth-of-type(2)", 1),
            ("p:first-of-type", 1),
            ("span:only-child", 1),
            ("span:only-of-type", 1),
            ("li:not(.a)", 2),
            ("li:not(.a, .b)", 1),
            (":is(h1, ul)", 2),
            ("li:has(span)", 1),
            ("ul:haschild(li)", 1),
            ("li:contains('IN')", 1),
            ("ul:containsOwn(in)", 0),
            ("li:matches(^[12]\\s*$)", 2),
            ("p:empty", 2),
            (":root", 1),
            ("a:link", 1),
            (":input", 4),
            (":checked", 2),
            (":disabled", 1),
            ("li:lang(en)", 3),
            ("svg circle", 1),
            (".\\6f ne", 1),
        ] {
            assert_eq!(count(selector), expected, "{selector}");
        }
    }

    #[test]
    fn what_is_no_selector_finds_nothing() {
        for selector in [
            "",
            ">",
            "> li",
            "li >",
            "li[",
            "[5]",
            "[a=5]",
            "#1",
            "li:nope",
            "li:first",
            "li,",
            ":not(",
            "::before",
            "li:matches([)",
            "li:nth-child(x)",
        ] {
            assert_eq!(count(selector), 0, "{selector}");
        }
        let nested = format!("{}p{}", ":not(".repeat(1000), ")".repeat(1000));
        assert_eq!(count(&nested), 0);
    }
}
