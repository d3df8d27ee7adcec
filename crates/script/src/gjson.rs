//! GJSON paths: finds values in JSON text, for `res.json('path')`.
//!
//! Owns the path syntax: keys, wildcards, indexes, `#`, queries, `|`, `@` modifiers, `!` literals, `[]` and `{}`
//! multipaths, `..` lines. Works on the text itself and returns raw JSON; leaves turning it into JavaScript to the caller.
//! Invariant: the work is bounded by path and text, recursion by [`DEPTH_LIMIT`]; no path and no text panics.

mod bits;
mod marks;
mod modifiers;
mod raw;
mod scan;
mod strings;

use std::borrow::Cow;

use modifiers::{is_modifier, list, object};
use raw::{Elements, Kind};

/// How deep components, queries and multipaths may nest; deeper paths find nothing. Frames stay on a VU's small stack.
const DEPTH_LIMIT: u32 = 48;

/// Whether `text` is one valid JSON value.
pub(crate) fn is_valid(text: &str) -> bool {
    scan::is_valid(text.as_bytes())
}

/// [`query`] of [`text_of`] bytes of which nothing is known; the outer option is none when they are not valid JSON.
pub(crate) fn query_unknown<'a>(json: &'a [u8], path: &str) -> Option<Option<Cow<'a, str>>> {
    if scan::is_plain(path) {
        // Values end at ASCII characters, so a part as text is the same part of the text.
        return scan::find(json, path).map(|found| found.map(text_of));
    }
    match text_of(json) {
        Cow::Borrowed(text) => is_valid(text).then(|| query(text, path)),
        Cow::Owned(text) => {
            let found = || query(&text, path).map(|found| Cow::Owned(found.into_owned()));
            is_valid(&text).then(found)
        }
    }
}

/// Bytes as text; what is no UTF-8 becomes U+FFFD.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    // Much faster than the lossy way where nothing is lost.
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    }
}

/// The value at `path` as raw JSON, none when there is none. `json` must be valid, see [`is_valid`].
pub(crate) fn query<'a>(json: &'a str, path: &str) -> Option<Cow<'a, str>> {
    eval(json.trim(), path, 0)
}

/// The text of a raw JSON string, none for any other value.
pub(crate) fn as_text(raw: &str) -> Option<Cow<'_, str>> {
    raw.starts_with('"').then(|| raw::unquote(raw))
}

/// What follows a component.
#[derive(Clone, Copy, Debug)]
enum Rest<'p> {
    End,
    /// Behind a dot: applies to the value found, or to each of several.
    More(&'p str),
    /// Behind a pipe: applies to the result as a whole.
    Pipe(&'p str),
}

fn eval<'a>(json: &'a str, path: &str, depth: u32) -> Option<Cow<'a, str>> {
    if depth > DEPTH_LIMIT {
        return None;
    }
    if path.len() > 1 {
        match path.as_bytes()[0] {
            b'@' => {
                if let Some((value, rest)) = modifiers::apply(json, path, depth) {
                    return follow(value?, rest, depth);
                }
            }
            b'!' => {
                if let Some((value, rest)) = modifiers::literal(path) {
                    return follow(Cow::Owned(value.to_owned()), rest, depth);
                }
            }
            b'[' | b'{' => {
                if let Some((value, rest)) = multipath(json, path, depth) {
                    return follow(value, rest, depth);
                }
            }
            _ => {}
        }
    }
    match path.strip_prefix("..") {
        Some(rest) => array(Elements::lines(json), rest, depth),
        None => walk(json, path, depth),
    }
}

/// Goes on behind a modifier, literal or multipath.
fn follow<'a>(value: Cow<'a, str>, rest: &str, depth: u32) -> Option<Cow<'a, str>> {
    match rest.strip_prefix(['.', '|']) {
        Some(path) => pipe(value, path, depth),
        None => raw::kind(&value).map(|_| value),
    }
}

fn pipe<'a>(value: Cow<'a, str>, path: &str, depth: u32) -> Option<Cow<'a, str>> {
    match value {
        Cow::Borrowed(value) => eval(value, path, depth + 1),
        Cow::Owned(value) => eval(&value, path, depth + 1).map(|v| Cow::Owned(v.into_owned())),
    }
}

fn walk<'a>(json: &'a str, path: &str, depth: u32) -> Option<Cow<'a, str>> {
    if depth > DEPTH_LIMIT {
        return None;
    }
    match raw::kind(json)? {
        Kind::Object => member(json, path, depth),
        Kind::Array => array(Elements::of(json), path, depth),
        _ => None,
    }
}

fn member<'a>(json: &'a str, path: &str, depth: u32) -> Option<Cow<'a, str>> {
    let (part, rest) = split_component(path);
    let wild = part.contains(['*', '?']) && has_wildcard(part);
    let name = if wild { part.into() } else { unescape(part) };
    for (key, value) in raw::members(json) {
        let key = raw::unquote(key);
        let matched = if wild {
            matches_pattern(&key, part)
        } else {
            key == name
        };
        if !matched {
            continue;
        }
        let found = match rest {
            Rest::End => Some(Cow::Borrowed(value)),
            Rest::Pipe(path) => return eval(value, path, depth + 1),
            // A key that leads nowhere does not hide a later one that matches the pattern too.
            Rest::More(path) => walk(value, path, depth + 1),
        };
        if found.is_some() {
            return found;
        }
    }
    missing(rest, depth)
}

/// A pipe behind something that does not exist: `@keys` and the like make something of nothing.
fn missing<'a>(rest: Rest<'_>, depth: u32) -> Option<Cow<'a, str>> {
    match rest {
        Rest::Pipe(path) => eval("", path, depth + 1),
        Rest::End | Rest::More(_) => None,
    }
}

fn array<'a>(mut elements: Elements<'a>, path: &str, depth: u32) -> Option<Cow<'a, str>> {
    if let Some(behind) = path.strip_prefix('#') {
        if behind.starts_with(['(', '[']) {
            return select(elements, behind, depth);
        }
        if let Some(path) = behind.strip_prefix('.') {
            return each(elements, path, depth);
        }
    }
    let (part, rest) = split_component(path);
    let found = if part == "#" {
        Cow::Owned(elements.count().to_string())
    } else {
        match part.parse().ok().and_then(|index| elements.nth(index)) {
            Some(found) => Cow::Borrowed(found),
            None => return missing(rest, depth),
        }
    };
    match (rest, found) {
        (Rest::End, found) => Some(found),
        (Rest::Pipe(path), found) => pipe(found, path, depth),
        (Rest::More(path), Cow::Borrowed(found)) => walk(found, path, depth + 1),
        (Rest::More(_), Cow::Owned(_)) => None,
    }
}

/// `#.path`: what the path finds in each element.
fn each<'a>(elements: Elements<'a>, path: &str, depth: u32) -> Option<Cow<'a, str>> {
    let (path, piped) = split_pipe(path);
    let found = list(elements.filter_map(|item| eval(item, path, depth + 1)));
    match piped {
        Some(path) => pipe(found, path, depth),
        None => Some(found),
    }
}

/// `#(query)` and `#(query)#`: the first or all elements that meet a condition.
fn select<'a>(mut elements: Elements<'a>, path: &str, depth: u32) -> Option<Cow<'a, str>> {
    let (condition, behind) = Condition::parse(path)?;
    let all = behind.strip_prefix('#');
    let behind = all.unwrap_or(behind);
    let rest = match behind.as_bytes().first() {
        Some(b'.') => Rest::More(&behind[1..]),
        Some(b'|') => Rest::Pipe(&behind[1..]),
        // Whatever else stands behind the brackets is ignored.
        _ => Rest::End,
    };
    let meets = |item: &&str| condition.holds(item, depth);
    if all.is_none() {
        let found = elements.find(|item| meets(item))?;
        return match rest {
            Rest::End => Some(Cow::Borrowed(found)),
            Rest::More(path) | Rest::Pipe(path) => eval(found, path, depth + 1),
        };
    }
    let found = elements.filter(|item| meets(item));
    match rest {
        Rest::End => Some(list(found)),
        Rest::Pipe(path) => pipe(list(found), path, depth),
        Rest::More(path) => {
            let (path, piped) = split_pipe(path);
            let found = list(found.filter_map(|item| eval(item, path, depth + 1)));
            match piped {
                Some(path) => pipe(found, path, depth),
                None => Some(found),
            }
        }
    }
}

/// What stands between the brackets of a query.
struct Condition<'p> {
    path: &'p str,
    /// Empty when only existence is asked.
    operator: &'p str,
    value: Cow<'p, str>,
}

impl<'p> Condition<'p> {
    /// Parses from the opening bracket on; returns what is behind the closing one.
    fn parse(text: &'p str) -> Option<(Self, &'p str)> {
        let bytes = text.as_bytes();
        let (mut i, mut depth, mut split) = (1, 1_u32, None);
        loop {
            match bytes.get(i)? {
                b'!' | b'=' | b'<' | b'>' | b'%' if depth == 1 && split.is_none() => {
                    split = Some(i)
                }
                b'\\' => i += 1,
                b'(' | b'[' => depth += 1,
                b')' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                b'"' => {
                    i = raw::string_end(bytes, i);
                    continue;
                }
                _ => {}
            }
            i += 1;
        }
        let path = text[1..split.unwrap_or(i)].trim();
        let (operator, value) = split_operator(text[split.unwrap_or(i)..i].trim());
        let value = if value.len() >= 2 && value.starts_with('"') && value.ends_with('"') {
            raw::unquote(value)
        } else {
            Cow::Borrowed(value)
        };
        let condition = Self {
            path,
            operator,
            value,
        };
        Some((condition, &text[i + 1..]))
    }

    fn holds(&self, item: &str, depth: u32) -> bool {
        let found = match raw::kind(item) {
            Some(Kind::Array | Kind::Object) => eval(item, self.path, depth + 1),
            Some(_) if self.path.is_empty() => Some(Cow::Borrowed(item)),
            _ => return false,
        };
        if let Some(like) = self.value.strip_prefix('~') {
            let Some(is) = truthiness(found.as_deref(), like) else {
                return false;
            };
            return compare(if is { "true" } else { "false" }, self.operator, "true");
        }
        found.is_some_and(|found| compare(&found, self.operator, &self.value))
    }
}

fn split_operator(text: &str) -> (&str, &str) {
    let two = ["!=", "!%", "<=", ">=", "=="];
    let len = match two.iter().any(|op| text.starts_with(op)) {
        true => 2,
        false => text.len().min(1),
    };
    let (operator, value) = text.split_at(len);
    (operator, value.trim())
}

/// `~true`, `~false`, `~null` and `~*`; none for anything else behind the tilde.
fn truthiness(found: Option<&str>, like: &str) -> Option<bool> {
    let kind = found.and_then(raw::kind);
    let text = || found.map(|f| raw::unquote(f).to_ascii_lowercase());
    let number = || found.and_then(|f| f.parse::<f64>().ok());
    Some(match (like, kind) {
        ("*", kind) => kind.is_some(),
        ("null", kind) => matches!(kind, None | Some(Kind::Null)),
        ("true", Some(Kind::True)) => true,
        ("true", Some(Kind::Number)) => number().is_some_and(|n| n != 0.0),
        ("true", Some(Kind::String)) => matches!(text().as_deref(), Some("1" | "t" | "true")),
        ("false", None | Some(Kind::Null | Kind::False)) => true,
        ("false", Some(Kind::Number)) => number().is_some_and(|n| n == 0.0),
        ("false", Some(Kind::String)) => matches!(text().as_deref(), Some("0" | "f" | "false")),
        ("true" | "false", _) => false,
        _ => return None,
    })
}

fn compare(found: &str, operator: &str, wanted: &str) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};

    if operator.is_empty() {
        return true;
    }
    let order = match raw::kind(found) {
        Some(Kind::String) => {
            let text = raw::unquote(found);
            match operator {
                "%" => return matches_pattern(&text, wanted),
                "!%" => return !matches_pattern(&text, wanted),
                _ => Some((*text).cmp(wanted)),
            }
        }
        Some(Kind::Number) => {
            let (found, wanted) = (found.parse::<f64>(), wanted.parse::<f64>());
            found.unwrap_or(0.0).partial_cmp(&wanted.unwrap_or(0.0))
        }
        Some(Kind::True) => match (operator, wanted) {
            ("=" | "==", "true") | (">", "false") | (">=", _) => return true,
            (operator, wanted) => return operator == "!=" && wanted != "true",
        },
        Some(Kind::False) => match (operator, wanted) {
            ("=" | "==", "false") | ("<", "true") | ("<=", _) => return true,
            (operator, wanted) => return operator == "!=" && wanted != "false",
        },
        _ => return false,
    };
    match operator {
        "=" | "==" => order == Some(Equal),
        "!=" => order != Some(Equal),
        "<" => order == Some(Less),
        "<=" => matches!(order, Some(Less | Equal)),
        ">" => order == Some(Greater),
        ">=" => matches!(order, Some(Greater | Equal)),
        _ => false,
    }
}

/// `[a,b]` and `{a,"name":b}`: a new array or object, with what is behind it; none when the brackets do not close.
fn multipath<'p>(json: &str, path: &'p str, depth: u32) -> Option<(Cow<'static, str>, &'p str)> {
    let (items, rest) = split_multipath(path)?;
    if !rest.is_empty() && !rest.starts_with(['.', '|']) {
        return None;
    }
    let found = items
        .into_iter()
        .filter_map(|(name, path)| Some((name, path, eval(json, path, depth + 1)?)));
    let value = if path.starts_with('[') {
        list(found.map(|(_, _, value)| value))
    } else {
        object(found.map(|(name, path, value)| (member_name(name, path), value)))
    };
    Some((value, rest))
}

type NamedPath<'p> = (Option<&'p str>, &'p str);

fn split_multipath(path: &str) -> Option<(Vec<NamedPath<'_>>, &str)> {
    let bytes = path.as_bytes();
    let (mut i, mut start, mut depth) = (1, 1, 1_u32);
    let (mut colon, mut in_modifier) = (None, false);
    let mut items = Vec::new();
    loop {
        let byte = *bytes.get(i)?;
        match byte {
            b'\\' => i += 1,
            b'@' => in_modifier |= matches!(bytes[i - 1], b'.' | b'|' | b':' | b',' | b'{' | b'['),
            b':' if depth == 1 && !in_modifier && colon.is_none() => colon = Some(i),
            b'"' => {
                i = raw::string_end(bytes, i);
                continue;
            }
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 || (depth == 1 && byte == b',') {
            let name = colon.map(|colon| &path[start..colon]);
            items.push((name, &path[colon.map_or(start, |colon| colon + 1)..i]));
            (colon, in_modifier, start) = (None, false, i + 1);
        }
        if depth == 0 {
            return Some((items, &path[i + 1..]));
        }
        i += 1;
    }
}

/// The raw key of a member of a `{}` multipath: its own name, or the last component of its path.
fn member_name(name: Option<&str>, path: &str) -> String {
    match name {
        Some(name) if name.starts_with('"') && is_valid(name) => name.to_owned(),
        Some(name) if !name.is_empty() => raw::quote(name),
        _ => {
            let last = path.rsplit(['.', '|']).next().unwrap_or(path);
            let simple = !last.contains(['[', ']', '{', '}', '(', ')', '#', '|', '!']);
            raw::quote(if simple { last } else { "_" })
        }
    }
}

/// Splits the first component off.
fn split_component(path: &str) -> (&str, Rest<'_>) {
    let bytes = path.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 1,
            b'|' => return (&path[..i], Rest::Pipe(&path[i + 1..])),
            b'.' => {
                let behind = &path[i + 1..];
                // A dot before a modifier or multipath works like a pipe.
                let piped = match behind.strip_prefix('@') {
                    Some(name) => is_modifier(name),
                    None => behind.starts_with(['[', '{']),
                };
                let rest = if piped {
                    Rest::Pipe(behind)
                } else {
                    Rest::More(behind)
                };
                return (&path[..i], rest);
            }
            _ => {}
        }
        i += 1;
    }
    (path, Rest::End)
}

/// Splits at the first pipe that is not inside a query or a multipath.
fn split_pipe(path: &str) -> (&str, Option<&str>) {
    let bytes = path.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'"' | b'(' | b'[' | b'{' => i = raw::value_end(bytes, i),
            b'|' => return (&path[..i], Some(&path[i + 1..])),
            _ => i += 1,
        }
    }
    (path, None)
}

fn has_wildcard(part: &str) -> bool {
    let mut escaped = false;
    part.bytes().any(|b| {
        let wild = !escaped && matches!(b, b'*' | b'?');
        escaped = !escaped && b == b'\\';
        wild
    })
}

fn unescape(part: &str) -> Cow<'_, str> {
    if !part.contains('\\') {
        return Cow::Borrowed(part);
    }
    let mut text = String::with_capacity(part.len());
    let mut chars = part.chars();
    while let Some(c) = chars.next() {
        text.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    Cow::Owned(text)
}

/// Whether `text` matches `pattern`, in which `*` stands for any text, `?` for any character, `\` escapes.
///
/// Quadratic at worst: only the last `*` is ever tried again.
fn matches_pattern(text: &str, pattern: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    let pattern: Vec<char> = pattern.chars().collect();
    let (mut t, mut p) = (0, 0);
    let mut retry = None;
    loop {
        let step = match pattern.get(p) {
            Some('*') => {
                retry = Some((p + 1, t));
                p += 1;
                continue;
            }
            Some('?') if t < text.len() => Some(1),
            Some('\\') if p + 1 < pattern.len() => (text.get(t) == pattern.get(p + 1)).then_some(2),
            Some(c) => (text.get(t) == Some(c)).then_some(1),
            None if t == text.len() => return true,
            None => None,
        };
        match (step, retry) {
            (Some(width), _) if t < text.len() => (t, p) = (t + 1, p + width),
            (_, Some((star, from))) if from < text.len() => {
                retry = Some((star, from + 1));
                (t, p) = (from + 1, star);
            }
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests;
