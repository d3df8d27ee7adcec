//! The module `k6/experimental/csv`: tables from files, all at once and shared, or row by row.

use std::cell::RefCell;
use std::io::Cursor;
use std::sync::Arc;

use ::csv::{Reader, ReaderBuilder, StringRecord};
use rquickjs::{Array, Class, Coerced, Ctx, Exception, Object, Result, Value};
use serde_json::{Map, Value as Json};

use super::fs::File;
use crate::class::{native_class, this};
use crate::globals::bytes::type_name;
use crate::modules::data;
use crate::native::{Call, constructor, function, method};
use crate::promises::settled;

/// What a script wants of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Options {
    delimiter: u8,
    skip_first_line: bool,
    /// The first row that counts, from 0.
    from_line: u64,
    /// The last row that counts.
    to_line: Option<u64>,
    as_objects: bool,
}

/// The bytes of a file, shared by all VUs.
struct Content(Arc<[u8]>);

impl AsRef<[u8]> for Content {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Reads rows.
struct Table {
    reader: Reader<Cursor<Content>>,
    options: Options,
    /// The names of columns, once they were read.
    header: Option<StringRecord>,
    /// The number of the next row.
    line: u64,
    columns: Option<usize>,
}

/// A table in JavaScript.
struct Parser(RefCell<Table>);

native_class!(Parser, "Parser", prototype);

pub(crate) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    let parse = function(ctx, "parse", 2, |call| settled(call.ctx(), parsed(call)))?;
    exports.set("parse", parse)?;
    let prototype = Class::<Parser>::prototype(ctx)?.ok_or(rquickjs::Error::Unknown)?;
    let parser = constructor(ctx, "Parser", 2, &prototype, |call| {
        let (_, table) = open(call, "new Parser()")?;
        let parser = Parser(RefCell::new(table));
        Ok(Class::instance(call.ctx().clone(), parser)?.into_value())
    })?;
    exports.set("Parser", parser)?;
    Ok(exports)
}

fn prototype<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let prototype = Object::new(ctx.clone())?;
    let next = method(ctx, "next", 0, |call| settled(call.ctx(), next(call)))?;
    prototype.set("next", next)?;
    Ok(prototype)
}

/// The table that the arguments describe, with what tells it from others.
fn open(call: &Call<'_, '_>, what: &str) -> Result<(String, Table)> {
    let ctx = call.ctx();
    let given = call.arg(0);
    let file = given.as_object().and_then(Class::<File>::from_object);
    let Some(file) = file else {
        let kind = type_name(&given);
        let text =
            format!("{what} needs a file of k6/experimental/fs as its first argument, not {kind}");
        return Err(Exception::throw_type(ctx, &text));
    };
    let options = Options::given(ctx, &call.arg(1))?;
    let file = file.borrow();
    // A name that no SharedArray of a script is likely to have.
    let key = format!("csv\n{}\n{options:?}", file.path());
    let reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(options.delimiter)
        .from_reader(Cursor::new(Content(file.content())));
    let table = Table {
        reader,
        options,
        header: None,
        line: 0,
        columns: None,
    };
    Ok((key, table))
}

impl Options {
    fn given(ctx: &Ctx<'_>, value: &Value<'_>) -> Result<Self> {
        let mut options = Self {
            delimiter: b',',
            skip_first_line: false,
            from_line: 0,
            to_line: None,
            as_objects: false,
        };
        let refuse = |text: String| Err(Exception::throw_message(ctx, &text));
        let Some(given) = value.as_object() else {
            return Ok(options);
        };
        if let Some(delimiter) = given.get::<_, Option<Coerced<String>>>("delimiter")? {
            let [byte] = delimiter.0.as_bytes() else {
                return refuse(format!(
                    "delimiter must be a single character, not '{}'",
                    delimiter.0
                ));
            };
            options.delimiter = *byte;
        }
        let flag = |name: &str| -> Result<bool> {
            let given = given.get::<_, Option<Coerced<bool>>>(name)?;
            Ok(given.is_some_and(|flag| flag.0))
        };
        options.skip_first_line = flag("skipFirstLine")?;
        options.as_objects = flag("asObjects")?;
        for name in ["fromLine", "toLine"] {
            let Some(number) = given.get::<_, Option<Coerced<f64>>>(name)? else {
                continue;
            };
            if !(0.0..=9e15).contains(&number.0) {
                return refuse(format!("{name} must be a number from 0, not {}", number.0));
            }
            // A whole number that a file can have lines.
            let number = number.0 as u64;
            if name == "fromLine" {
                options.from_line = number;
            } else {
                options.to_line = Some(number);
            }
        }
        if options.to_line.is_some_and(|to| options.from_line > to) {
            return refuse("fromLine must be less than or equal to toLine".to_owned());
        }
        if options.as_objects && options.skip_first_line {
            return refuse(
                "asObjects needs the first line, which skipFirstLine leaves out".to_owned(),
            );
        }
        if options.as_objects && options.from_line > 0 {
            return refuse("asObjects needs the first line, which fromLine leaves out".to_owned());
        }
        Ok(options)
    }
}

impl Table {
    /// The next row that counts; none at the end.
    fn next(&mut self) -> std::result::Result<Option<StringRecord>, String> {
        loop {
            if self.options.to_line.is_some_and(|last| self.line > last) {
                return Ok(None);
            }
            let mut record = ::csv::ByteRecord::new();
            let more = self
                .reader
                .read_byte_record(&mut record)
                .map_err(|error| format!("cannot read the table: {error}"))?;
            if !more {
                return Ok(None);
            }
            let record = StringRecord::from_byte_record_lossy(record);
            let place = record.position().map_or(0, ::csv::Position::line);
            let columns = *self.columns.get_or_insert(record.len());
            if record.len() != columns {
                return Err(format!(
                    "line {place} of the table has {} fields, the first has {columns}",
                    record.len()
                ));
            }
            let line = self.line;
            self.line += 1;
            if line == 0 && self.options.as_objects {
                self.header = Some(record);
            } else if line >= self.options.from_line && !(line == 0 && self.options.skip_first_line)
            {
                return Ok(Some(record));
            }
        }
    }

    /// A row as JSON.
    fn json(&self, record: &StringRecord) -> Json {
        match &self.header {
            Some(header) => {
                let pairs = header.iter().zip(record);
                let object: Map<String, Json> = pairs
                    .map(|(name, field)| (name.to_owned(), Json::from(field)))
                    .collect();
                Json::Object(object)
            }
            None => record.iter().map(Json::from).collect(),
        }
    }
}

fn parsed<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let (key, mut table) = open(call, "parse()")?;
    let shared = &call.vu().shared;
    if let Some(known) = shared.array(&key) {
        return data::shared(ctx, known);
    }
    let mut rows = data::ArrayData::default();
    loop {
        match table.next() {
            Ok(Some(record)) => rows.push(&table.json(&record).to_string()),
            Ok(None) => break,
            Err(text) => return Err(Exception::throw_message(ctx, &text)),
        }
    }
    data::shared(ctx, shared.keep_array(&key, rows))
}

fn next<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, parser) = (call.ctx(), this::<Parser>(call)?);
    let parser = parser.borrow();
    let mut table = parser.0.borrow_mut();
    let row = table
        .next()
        .map_err(|text| Exception::throw_message(ctx, &text))?;
    let result = Object::new(ctx.clone())?;
    result.set("done", row.is_none())?;
    let value = match row {
        Some(record) => ctx.json_parse(table.json(&record).to_string())?,
        None => Array::new(ctx.clone())?.into_value(),
    };
    result.set("value", value)?;
    Ok(result.into_value())
}
