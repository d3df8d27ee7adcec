//! The global `console`, and values as text in k6's way: top-level strings raw, nested ones quoted, `{ key: value }`.

use std::fmt::Write;

use netload_engine::log::{Level, Record};
use rquickjs::{ArrayBuffer, Coerced, Ctx, Object, Result, Value};

use crate::native::{Call, function};

/// Characters of one console line at most; the rest is cut off.
const LINE_LIMIT: usize = 1 << 20;
/// How deep objects are shown; deeper ones end in `...`.
const DEPTH_LIMIT: usize = 64;

/// The console object.
pub(crate) fn make<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let console = Object::new(ctx.clone())?;
    console.set("log", function(ctx, "log", 0, |c| print(c, Level::Info))?)?;
    console.set("info", function(ctx, "info", 0, |c| print(c, Level::Info))?)?;
    console.set(
        "debug",
        function(ctx, "debug", 0, |c| print(c, Level::Debug))?,
    )?;
    console.set(
        "warn",
        function(ctx, "warn", 0, |c| print(c, Level::Warning))?,
    )?;
    console.set(
        "error",
        function(ctx, "error", 0, |c| print(c, Level::Error))?,
    )?;
    Ok(console)
}

fn print<'js>(call: &Call<'_, 'js>, level: Level) -> Result<Value<'js>> {
    let mut line = String::new();
    for index in 0..call.len() {
        if index > 0 {
            line.push(' ');
        }
        Printer::new(&mut line).top(&call.arg(index));
    }
    if line.len() > LINE_LIMIT {
        let cut = (0..=LINE_LIMIT).rev().find(|at| line.is_char_boundary(*at));
        line.truncate(cut.unwrap_or(0));
        line.push_str("...");
    }
    call.vu()
        .log_record(Record::new(level, line).from_source("console"));
    call.undefined()
}

/// A value as the console shows it.
pub(crate) fn text(value: &Value<'_>) -> String {
    let mut text = String::new();
    Printer::new(&mut text).top(value);
    text
}

/// Writes values. Never fails: what cannot be read is shown as what it is called.
struct Printer<'a, 'js> {
    out: &'a mut String,
    /// The objects that contain the one being written.
    open: Vec<Object<'js>>,
}

impl<'a, 'js> Printer<'a, 'js> {
    fn new(out: &'a mut String) -> Self {
        Self {
            out,
            open: Vec::new(),
        }
    }

    fn top(&mut self, value: &Value<'js>) {
        match value.as_object() {
            Some(object) => self.object(object),
            None => self.primitive(value),
        }
    }

    fn nested(&mut self, value: &Value<'js>) {
        if value.is_undefined() || value.is_null() {
            self.out.push_str("null");
        } else if value.is_string() || value.is_symbol() {
            self.out.push('"');
            self.primitive(value);
            self.out.push('"');
        } else {
            self.top(value);
        }
    }

    fn primitive(&mut self, value: &Value<'js>) {
        if let Some(symbol) = value.as_symbol() {
            let description = symbol.description().ok();
            let text = description.and_then(|d| d.get::<Coerced<String>>().ok());
            self.out.push_str(&text.map_or_else(String::new, |t| t.0));
            return;
        }
        let text = value.get::<Coerced<String>>();
        match text {
            Ok(text) => self.out.push_str(&text.0),
            Err(_) => {
                value.ctx().catch();
                self.out.push_str(value.type_name());
            }
        }
    }

    fn object(&mut self, object: &Object<'js>) {
        if object.is_function() {
            self.out.push_str("[object Function]");
        } else if object.is_error() {
            self.primitive(object.as_value());
        } else if self.open.contains(object) {
            self.out.push_str("[Circular]");
        } else if self.open.len() >= DEPTH_LIMIT {
            self.out.push_str("...");
        } else if !self.special(object) {
            self.open.push(object.clone());
            self.properties(object);
            self.open.pop();
        }
    }

    /// Dates and bytes. False when the object is neither.
    fn special(&mut self, object: &Object<'js>) -> bool {
        if let Some(buffer) = ArrayBuffer::from_object(object.clone()) {
            self.buffer(&buffer);
            return true;
        }
        let Some(class) = class_name(object) else {
            return false;
        };
        if class == "Date" {
            let json = object.ctx().json_stringify(object.clone()).ok().flatten();
            let text = json.and_then(|j| j.to_string().ok());
            self.out.push_str(text.as_deref().unwrap_or("null"));
            return true;
        }
        if class.ends_with("Array")
            && class != "Array"
            && object.contains_key("byteLength").unwrap_or(false)
        {
            let length: usize = object.get("length").unwrap_or(0);
            let _ = write!(self.out, "{class}({length}) ");
            self.elements(object, length);
            return true;
        }
        false
    }

    fn buffer(&mut self, buffer: &ArrayBuffer<'js>) {
        let bytes = super::bytes::of_buffer(buffer).unwrap_or_default();
        self.out.push_str("ArrayBuffer { [Uint8Contents]: <");
        for (index, byte) in bytes.iter().enumerate() {
            let blank = if index > 0 { " " } else { "" };
            let _ = write!(self.out, "{blank}{byte:02x}");
        }
        let _ = write!(self.out, ">, byteLength: {} }}", bytes.len());
    }

    fn properties(&mut self, object: &Object<'js>) {
        if object.is_array() {
            let length: usize = object.get("length").unwrap_or(0);
            self.elements(object, length);
            return;
        }
        let mut first = true;
        for key in object.keys::<String>() {
            let Ok(key) = key else {
                object.ctx().catch();
                break;
            };
            self.out.push_str(if first { "{ " } else { ", " });
            first = false;
            self.out.push_str(&key);
            self.out.push_str(": ");
            self.member(object.get::<_, Value<'js>>(&key));
        }
        self.out.push_str(if first { "{}" } else { " }" });
    }

    fn elements(&mut self, object: &Object<'js>, length: usize) {
        if length == 0 {
            self.out.push_str("[]");
            return;
        }
        for index in 0..length {
            self.out.push_str(if index == 0 { "[ " } else { ", " });
            self.member(object.get::<_, Value<'js>>(index as u32));
            if self.out.len() > LINE_LIMIT {
                break;
            }
        }
        self.out.push_str(" ]");
    }

    /// A property; one that throws when it is read is shown as null.
    fn member(&mut self, value: Result<Value<'js>>) {
        match value {
            Ok(value) => self.nested(&value),
            Err(_) => self.out.push_str("null"),
        }
    }
}

fn class_name(object: &Object<'_>) -> Option<String> {
    let constructor: Object<'_> = object.get("constructor").ok()?;
    constructor.get("name").ok()
}
