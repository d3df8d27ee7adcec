//! Elements of shared arrays that are lines of a table: objects of texts, numbers, booleans and null.
//!
//! Such an element is made in one step from its JSON text, already frozen, in the shape of the one before. Leaves out
//! everything nested or escaped, which the engine parses. Invariant: what is made here is what parsing and freezing make.

#![allow(unsafe_code)]

use std::cell::RefCell;

use rquickjs::{Ctx, Error, Result, String as JsString, Value, qjs};

use crate::layout::{Layout, PROPERTIES_LIMIT, Values};

/// Tables with different columns that a VU knows.
const LAYOUTS_LIMIT: usize = 8;

/// The tables that a VU has seen a line of.
#[derive(Default)]
pub(crate) struct Rows(RefCell<Vec<Row>>);

struct Row {
    names: Vec<Box<str>>,
    layout: Layout,
}

/// A plain value in a JSON text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Plain<'a> {
    Null,
    Bool(bool),
    Number(f64),
    Text(&'a str),
}

type Field<'a> = (&'a str, Plain<'a>);

impl Rows {
    /// The frozen object of an element, none when it is not a line of a table.
    pub(super) fn object<'js>(&self, ctx: &Ctx<'js>, json: &str) -> Result<Option<Value<'js>>> {
        let mut fields = [("", Plain::Null); PROPERTIES_LIMIT];
        let Some(fields) = scan(json, &mut fields) else {
            return Ok(None);
        };
        let mut known = self.0.borrow_mut();
        let names = || fields.iter().map(|(name, _)| *name);
        let same = |row: &Row| row.names.iter().map(|name| &**name).eq(names());
        let at = match known.iter().position(same) {
            Some(at) => at,
            None if known.len() < LAYOUTS_LIMIT => {
                let row = Row {
                    names: names().map(Into::into).collect(),
                    layout: Layout::default(),
                };
                row.layout
                    .learn_constant(ctx, &names().collect::<Vec<_>>())?;
                known.push(row);
                known.len() - 1
            }
            None => return Ok(None),
        };
        let mut values = Values::new(ctx);
        for (_, value) in fields {
            values.push(&value.into_value(ctx)?);
        }
        let object = known[at].layout.object(values)?;
        // SAFETY: the object is alive and belongs to this context.
        let done = unsafe { qjs::JS_PreventExtensions(ctx.as_raw().as_ptr(), object.as_raw()) };
        if done < 0 {
            return Err(Error::Exception);
        }
        Ok(Some(object))
    }

    /// Lets go of what belongs to the VU's runtime.
    pub(crate) fn end(&self, ctx: &Ctx<'_>) {
        for row in self.0.take() {
            row.layout.end(ctx);
        }
    }
}

impl Plain<'_> {
    fn into_value<'js>(self, ctx: &Ctx<'js>) -> Result<Value<'js>> {
        let ctx = ctx.clone();
        Ok(match self {
            Self::Null => Value::new_null(ctx),
            Self::Bool(truth) => Value::new_bool(ctx, truth),
            Self::Number(number) => {
                let whole = number as i32;
                match f64::from(whole).to_bits() == number.to_bits() {
                    true => Value::new_int(ctx, whole),
                    false => Value::new_float(ctx, number),
                }
            }
            Self::Text(text) => JsString::from_str(ctx, text)?.into_value(),
        })
    }
}

/// The fields of a JSON object of plain values without escapes and spaces, as the engine writes them.
fn scan<'a, 'r>(json: &'a str, room: &'r mut [Field<'a>]) -> Option<&'r [Field<'a>]> {
    let mut rest = json.strip_prefix('{')?;
    let mut len = 0;
    loop {
        let (name, behind) = text(rest)?;
        let (value, behind) = plain(behind.strip_prefix(':')?)?;
        // Assigning to this name is not what it looks like.
        if name == "__proto__" {
            return None;
        }
        *room.get_mut(len)? = (name, value);
        len += 1;
        if behind == "}" {
            let fields = &room[..len];
            return distinct(fields).then_some(fields);
        }
        rest = behind.strip_prefix(',')?;
    }
}

fn distinct(fields: &[Field<'_>]) -> bool {
    let before = |at: usize| fields[..at].iter();
    (1..fields.len()).all(|at| before(at).all(|(name, _)| *name != fields[at].0))
}

/// A text in quotes, and what stands behind it.
fn text(json: &str) -> Option<(&str, &str)> {
    let json = json.strip_prefix('"')?;
    let end = json
        .bytes()
        .position(|byte| byte == b'"' || byte == b'\\')?;
    let behind = json[end..].strip_prefix('"')?;
    Some((&json[..end], behind))
}

fn plain(json: &str) -> Option<(Plain<'_>, &str)> {
    let word = |word: &str, value| json.strip_prefix(word).map(|behind| (value, behind));
    match json.as_bytes().first()? {
        b'"' => text(json).map(|(text, behind)| (Plain::Text(text), behind)),
        b'n' => word("null", Plain::Null),
        b't' => word("true", Plain::Bool(true)),
        b'f' => word("false", Plain::Bool(false)),
        b'-' | b'0'..=b'9' => {
            let end = json.find([',', '}'])?;
            let number = json[..end].parse().ok()?;
            Some((Plain::Number(number), &json[end..]))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(json: &str, expected: Option<&[Field<'_>]>) {
        let mut room = [("", Plain::Null); 4];
        assert_eq!(scan(json, &mut room), expected, "{json}");
    }

    #[test]
    fn lines_of_tables_are_taken_apart() {
        check(
            r#"{"name":"Müller, }","age":-1.5e3,"ok":true,"none":null}"#,
            Some(&[
                ("name", Plain::Text("Müller, }")),
                ("age", Plain::Number(-1500.0)),
                ("ok", Plain::Bool(true)),
                ("none", Plain::Null),
            ]),
        );
        check(r#"{"":""}"#, Some(&[("", Plain::Text(""))]));
    }

    #[test]
    fn everything_else_is_left_to_the_engine() {
        for json in [
            "",
            "{}",
            "[]",
            "1",
            r#""text""#,
            r#"{"a":{}}"#,
            r#"{"a":[1]}"#,
            r#"{"a":"\n"}"#,
            r#"{"\u0061":1}"#,
            r#"{"a": 1}"#,
            r#"{"a":1}x"#,
            r#"{"a":1"#,
            r#"{"a":"x"#,
            r#"{"a":1,"a":2}"#,
            r#"{"__proto__":1}"#,
            r#"{"a":1,"b":2,"c":3,"d":4,"e":5}"#,
            r#"{"a":truely}"#,
        ] {
            check(json, None);
        }
    }
}
