//! The module `k6/experimental/fs`: files that are opened once and read in pieces.
//!
//! A file is read whole in the pass that loads the script; the VUs share its bytes, and each has its own place in it.

use std::cell::Cell;
use std::sync::Arc;

use rquickjs::{ArrayBuffer, Class, Coerced, Ctx, Error, Object, Result, TypedArray, Value};

use crate::class::{native_class, this};
use crate::globals::{self, bytes};
use crate::native::{Call, function, getter, method};
use crate::promises::{settled, throw_named};

/// An open file.
pub(super) struct File {
    path: Box<str>,
    content: Arc<[u8]>,
    place: Cell<usize>,
}

native_class!(File, "File", prototype);

impl File {
    /// All of its bytes, however many were read.
    pub(super) fn content(&self) -> Arc<[u8]> {
        self.content.clone()
    }

    /// Where it is.
    pub(super) fn path(&self) -> &str {
        &self.path
    }
}

pub(crate) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    exports.set("open", function(ctx, "open", 1, open)?)?;
    let mode = Object::new(ctx.clone())?;
    for (name, number) in [("Start", 0), ("Current", 1), ("End", 2)] {
        mode.set(name, number)?;
    }
    exports.set("SeekMode", mode)?;
    Ok(exports)
}

fn prototype<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let prototype = Object::new(ctx.clone())?;
    getter(&prototype, "path", |call| {
        let file = this::<File>(call)?;
        let path = rquickjs::String::from_str(call.ctx().clone(), &file.borrow().path)?;
        Ok(path.into_value())
    })?;
    let stat = method(ctx, "stat", 0, |call| settled(call.ctx(), stat(call)))?;
    prototype.set("stat", stat)?;
    let read = method(ctx, "read", 1, |call| settled(call.ctx(), read(call)))?;
    prototype.set("read", read)?;
    let seek = method(ctx, "seek", 2, |call| settled(call.ctx(), seek(call)))?;
    prototype.set("seek", seek)?;
    Ok(prototype)
}

fn wrong(ctx: &Ctx<'_>, text: &str) -> Error {
    throw_named(ctx, "TypeError", text)
}

fn open<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    settled(call.ctx(), opened(call))
}

fn opened<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, vu, given) = (call.ctx(), call.vu(), call.arg(0));
    if !vu.in_init() {
        let text = "open() failed; reason: opening a file is allowed only in the Init context";
        return Err(throw_named(ctx, "ForbiddenError", text));
    }
    if given.is_undefined() || given.is_null() {
        return Err(wrong(
            ctx,
            "open() failed; reason: path cannot be null or undefined",
        ));
    }
    let name = given.get::<Coerced<String>>()?.0;
    if name.is_empty() {
        return Err(wrong(ctx, "open() failed; reason: path cannot be empty"));
    }
    let path = globals::path_of(ctx, &name);
    if path.is_dir() {
        let text = format!(
            "cannot open \"{}\": opening a directory is not supported",
            path.display()
        );
        return Err(throw_named(ctx, "InvalidResourceError", &text));
    }
    let content = vu
        .shared
        .library
        .open(&path)
        .map_err(|reason| throw_named(ctx, "NotFoundError", &reason))?;
    let file = File {
        path: path.display().to_string().into(),
        content,
        place: Cell::new(0),
    };
    Ok(Class::instance(ctx.clone(), file)?.into_value())
}

fn stat<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let file = this::<File>(call)?;
    let file = file.borrow();
    let facts = Object::new(call.ctx().clone())?;
    let name = file.path.rsplit('/').next().unwrap_or_default();
    facts.set("name", name)?;
    facts.set("size", file.content.len())?;
    Ok(facts.into_value())
}

fn read<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, file, given) = (call.ctx(), this::<File>(call)?, call.arg(0));
    if given.is_undefined() || given.is_null() {
        let text = "read() failed; reason: into argument cannot be null or undefined";
        return Err(wrong(ctx, text));
    }
    let into = given
        .into_object()
        .and_then(|into| TypedArray::<u8>::from_object(into).ok());
    let Some(into) = into else {
        let text = "read() failed; reason: into argument must be a Uint8Array";
        return Err(wrong(ctx, text));
    };
    let into = into.as_object();
    let (buffer, start, room): (ArrayBuffer<'js>, usize, usize) = (
        into.get("buffer")?,
        into.get("byteOffset")?,
        into.get("byteLength")?,
    );
    let file = file.borrow();
    let rest = &file.content[file.place.get()..];
    if rest.is_empty() {
        return Ok(Value::new_null(ctx.clone()));
    }
    let count = room.min(rest.len());
    bytes::write(&buffer, start, &rest[..count]);
    file.place.set(file.place.get() + count);
    Ok(Value::new_number(ctx.clone(), count as f64))
}

fn seek<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, file) = (call.ctx(), this::<File>(call)?);
    let number = |index: usize, what: &str, kind: &str| -> Result<f64> {
        let given = call.arg(index);
        if given.is_undefined() || given.is_null() {
            let text =
                format!("seek() failed; reason: the {what} argument cannot be null or undefined");
            return Err(wrong(ctx, &text));
        }
        given.as_number().ok_or_else(|| {
            let text = format!("seek() failed; reason: the {what} argument must be a {kind}");
            wrong(ctx, &text)
        })
    };
    let offset = number(0, "offset", "number")?.trunc();
    let whence = number(1, "whence", "SeekMode")?;
    let file = file.borrow();
    let len = file.content.len() as f64;
    let place = match whence {
        0.0 if offset < 0.0 => {
            return Err(wrong(
                ctx,
                "offset cannot be negative when using SeekMode.Start",
            ));
        }
        0.0 => offset,
        1.0 => file.place.get() as f64 + offset,
        2.0 if offset > 0.0 => {
            return Err(wrong(
                ctx,
                "offset cannot be positive when using SeekMode.End",
            ));
        }
        2.0 => len + offset,
        _ => {
            let text = "seek() failed; reason: the whence argument must be a SeekMode";
            return Err(wrong(ctx, text));
        }
    };
    if place < 0.0 {
        return Err(wrong(ctx, "seeking before start of file"));
    }
    if place.is_nan() || place > len {
        return Err(wrong(ctx, "seeking beyond end of file"));
    }
    // Between nothing and the file's length.
    file.place.set(place as usize);
    Ok(Value::new_number(ctx.clone(), place))
}
