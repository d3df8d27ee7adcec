//! The `@` modifiers of a path and its `!` literals.
//!
//! Each takes raw JSON and returns raw JSON; none stands for "does not exist".

use std::borrow::Cow;

use super::raw::{self, Elements, Kind};

/// The modifiers, each with the function that carries it out.
const MODIFIERS: [(&str, Modifier); 13] = [
    ("pretty", this),
    ("ugly", this),
    ("this", this),
    ("valid", this),
    ("reverse", reverse),
    ("flatten", flatten),
    ("join", join),
    ("keys", keys),
    ("values", values),
    ("tostr", to_text),
    ("fromstr", from_text),
    ("group", group),
    ("dig", dig),
];

type Modifier = for<'a> fn(&'a str, &str, u32) -> Option<Cow<'a, str>>;

/// A modifier or literal carried out, with the rest of the path behind it.
pub(super) type Applied<'a, 'p> = (Option<Cow<'a, str>>, &'p str);

/// Whether a component starts with the name of a modifier behind its `@`.
pub(super) fn is_modifier(component: &str) -> bool {
    let end = component.find(['.', '|', ':']).unwrap_or(component.len());
    find(&component[..end]).is_some()
}

fn find(name: &str) -> Option<Modifier> {
    let known = MODIFIERS.iter().find(|(n, _)| *n == name)?;
    Some(known.1)
}

/// Carries out the modifier `path` starts with; none when it is not one.
pub(super) fn apply<'a, 'p>(json: &'a str, path: &'p str, depth: u32) -> Option<Applied<'a, 'p>> {
    let body = path.strip_prefix('@')?;
    let end = body.find(['.', '|', ':']).unwrap_or(body.len());
    let modifier = find(&body[..end])?;
    let (argument, rest) = match body[end..].strip_prefix(':') {
        Some(tail) => split_argument(tail),
        None => ("", &body[end..]),
    };
    Some((modifier(json, argument, depth), rest))
}

fn split_argument(tail: &str) -> (&str, &str) {
    let end = match tail.as_bytes().first() {
        Some(b'{' | b'[' | b'"') => raw::value_end(tail.as_bytes(), 0),
        _ => tail.find('|').unwrap_or(tail.len()),
    };
    tail.split_at(end)
}

/// The literal `path` starts with, such as `!"text"`; none when it is not one.
pub(super) fn literal(path: &str) -> Option<(&str, &str)> {
    let body = path.strip_prefix('!')?;
    let end = match body.as_bytes().first()? {
        b'{' | b'[' | b'"' => raw::value_end(body.as_bytes(), 0),
        b'+' | b'-' | b'0'..=b'9' => {
            let number = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
            body.find(|c| !number(c)).unwrap_or(body.len())
        }
        _ => body.find(['.', '|']).unwrap_or(body.len()),
    };
    let (value, rest) = body.split_at(end);
    let word = !matches!(
        body.as_bytes().first()?,
        b'{' | b'[' | b'"' | b'+' | b'-' | b'0'..=b'9'
    );
    let known = ["true", "false", "null", "nan", "inf"];
    (!word || known.iter().any(|k| value.eq_ignore_ascii_case(k))).then_some((value, rest))
}

/// Whether the modifier's argument, a JSON object, switches something on.
fn flag(argument: &str, name: &str) -> bool {
    raw::members(argument).any(|(key, value)| raw::unquote(key) == name && value == "true")
}

fn this<'a>(json: &'a str, _: &str, _: u32) -> Option<Cow<'a, str>> {
    Some(Cow::Borrowed(json))
}

fn reverse<'a>(json: &'a str, _: &str, _: u32) -> Option<Cow<'a, str>> {
    Some(match raw::kind(json)? {
        Kind::Array => {
            let mut items: Vec<&str> = Elements::of(json).collect();
            items.reverse();
            list(items)
        }
        Kind::Object => {
            let mut items: Vec<_> = raw::members(json).collect();
            items.reverse();
            object(items)
        }
        _ => Cow::Borrowed(json),
    })
}

fn flatten<'a>(json: &'a str, argument: &str, _: u32) -> Option<Cow<'a, str>> {
    if raw::kind(json)? != Kind::Array {
        return Some(Cow::Borrowed(json));
    }
    let deep = flag(argument, "deep");
    let mut flat = Vec::new();
    let mut open = vec![Elements::of(json)];
    while let Some(level) = open.last_mut() {
        match level.next() {
            None => {
                open.pop();
            }
            Some(item) if raw::kind(item) == Some(Kind::Array) && (deep || open.len() == 1) => {
                open.push(Elements::of(item));
            }
            Some(item) => flat.push(item),
        }
    }
    Some(list(flat))
}

fn join<'a>(json: &'a str, argument: &str, _: u32) -> Option<Cow<'a, str>> {
    if raw::kind(json)? != Kind::Array {
        return Some(Cow::Borrowed(json));
    }
    let preserve = flag(argument, "preserve");
    let mut all: Vec<(&str, &str)> = Vec::new();
    for (key, value) in Elements::of(json)
        .filter(|item| raw::kind(item) == Some(Kind::Object))
        .flat_map(raw::members)
    {
        match all.iter_mut().find(|(k, _)| *k == key) {
            // Nothing behind the path can see a repeated key, so preserving means that the first one stays.
            Some(known) if !preserve => known.1 = value,
            Some(_) => {}
            None => all.push((key, value)),
        }
    }
    Some(object(all))
}

fn keys<'a>(json: &'a str, _: &str, _: u32) -> Option<Cow<'a, str>> {
    Some(match raw::kind(json) {
        Some(Kind::Object) => list(raw::members(json).map(|(key, _)| key)),
        Some(Kind::Array) => list(Elements::of(json).map(|_| "null")),
        Some(_) => Cow::Borrowed("[null]"),
        None => Cow::Borrowed("[]"),
    })
}

fn values<'a>(json: &'a str, _: &str, _: u32) -> Option<Cow<'a, str>> {
    Some(match raw::kind(json) {
        Some(Kind::Object) => list(raw::members(json).map(|(_, value)| value)),
        Some(Kind::Array) => Cow::Borrowed(json),
        Some(_) => list([json]),
        None => Cow::Borrowed("[]"),
    })
}

fn to_text<'a>(json: &'a str, _: &str, _: u32) -> Option<Cow<'a, str>> {
    Some(Cow::Owned(raw::quote(json)))
}

fn from_text<'a>(json: &'a str, _: &str, _: u32) -> Option<Cow<'a, str>> {
    let text = match raw::kind(json)? {
        Kind::String => raw::unquote(json),
        _ => Cow::Borrowed(json),
    };
    let trimmed = text.trim();
    super::is_valid(trimmed).then(|| Cow::Owned(trimmed.to_owned()))
}

/// Turns an object of arrays into an array of objects.
fn group<'a>(json: &'a str, _: &str, _: u32) -> Option<Cow<'a, str>> {
    if raw::kind(json)? != Kind::Object {
        return None;
    }
    let mut rows: Vec<Vec<(&str, &str)>> = Vec::new();
    for (key, value) in raw::members(json) {
        for (index, item) in Elements::of(value).enumerate() {
            if index == rows.len() {
                rows.push(Vec::new());
            }
            rows[index].push((key, item));
        }
    }
    Some(list(rows.into_iter().map(object)))
}

/// Everything `path` finds in the value and in all values below it.
fn dig<'a>(json: &'a str, path: &str, depth: u32) -> Option<Cow<'a, str>> {
    let mut found = Vec::new();
    let mut open = vec![json];
    while let Some(value) = open.pop() {
        found.extend(super::eval(value, path, depth + 1));
        let from = open.len();
        match raw::kind(value) {
            Some(Kind::Object) => open.extend(raw::members(value).map(|(_, v)| v)),
            Some(Kind::Array) => open.extend(Elements::of(value)),
            _ => {}
        }
        // The first child is looked at first.
        open[from..].reverse();
    }
    Some(list(found))
}

/// A JSON array of raw items.
pub(super) fn list<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> Cow<'static, str> {
    let mut text = String::from("[");
    for item in items {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(item.as_ref());
    }
    text.push(']');
    Cow::Owned(text)
}

/// A JSON object of raw keys and raw values.
pub(super) fn object<K: AsRef<str>, V: AsRef<str>>(
    items: impl IntoIterator<Item = (K, V)>,
) -> Cow<'static, str> {
    let mut text = String::from("{");
    for (key, value) in items {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(key.as_ref());
        text.push(':');
        text.push_str(value.as_ref());
    }
    text.push('}');
    Cow::Owned(text)
}
