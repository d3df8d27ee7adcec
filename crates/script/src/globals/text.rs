//! TextEncoder and TextDecoder: UTF-8, and UTF-16 for decoding.

use rquickjs::{Coerced, Ctx, Exception, Object, Result, TypedArray, Value};

use super::bytes;
use crate::native::{Call, constructor, function};

/// Names by which UTF-8 is known.
const UTF_8: &[&str] = &["utf-8", "utf8", "unicode-1-1-utf-8"];

pub(super) fn install(ctx: &Ctx<'_>) -> Result<()> {
    let encoder = Object::new(ctx.clone())?;
    encoder.set("encode", function(ctx, "encode", 1, encode)?)?;
    encoder.set("encoding", "utf-8")?;
    let decoder = Object::new(ctx.clone())?;
    decoder.set("decode", function(ctx, "decode", 1, decode)?)?;
    let globals = ctx.globals();
    globals.set(
        "TextEncoder",
        constructor(ctx, "TextEncoder", 0, &encoder, new_encoder)?,
    )?;
    globals.set(
        "TextDecoder",
        constructor(ctx, "TextDecoder", 0, &decoder, new_decoder)?,
    )?;
    Ok(())
}

/// An object that inherits from what `new` was called on.
fn instance<'js>(call: &Call<'_, 'js>) -> Result<Object<'js>> {
    let new_target = call.this().into_object().ok_or(rquickjs::Error::Unknown)?;
    let prototype: Object<'js> = new_target.get("prototype")?;
    let object = Object::new(call.ctx().clone())?;
    object.set_prototype(Some(&prototype))?;
    Ok(object)
}

fn new_encoder<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    instance(call).map(Object::into_value)
}

fn new_decoder<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let label = match call.arg(0) {
        label if label.is_undefined() => "utf-8".to_owned(),
        label => label
            .get::<Coerced<String>>()?
            .0
            .trim()
            .to_ascii_lowercase(),
    };
    let encoding = match label.as_str() {
        label if UTF_8.contains(&label) => "utf-8",
        "utf-16" | "utf-16le" => "utf-16le",
        "utf-16be" => "utf-16be",
        _ => {
            let text = format!("the encoding '{label}' is not supported");
            return Err(Exception::throw_range(ctx, &text));
        }
    };
    let options = call.arg(1);
    let flag = |name: &str| -> Result<bool> {
        match options.as_object() {
            Some(options) => Ok(options.get::<_, Coerced<bool>>(name)?.0),
            None => Ok(false),
        }
    };
    let decoder = instance(call)?;
    decoder.set("encoding", encoding)?;
    decoder.set("fatal", flag("fatal")?)?;
    decoder.set("ignoreBOM", flag("ignoreBOM")?)?;
    Ok(decoder.into_value())
}

fn encode<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let text = match call.arg(0) {
        text if text.is_undefined() => String::new(),
        text => text.get::<Coerced<String>>()?.0,
    };
    let array = TypedArray::<u8>::new(call.ctx().clone(), text.into_bytes())?;
    Ok(array.into_value())
}

fn decode<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    let decoder = call.this().into_object().ok_or(rquickjs::Error::Unknown)?;
    let (encoding, fatal, keep_mark): (String, bool, bool) = (
        decoder.get("encoding")?,
        decoder.get("fatal")?,
        decoder.get("ignoreBOM")?,
    );
    let input = call.arg(0);
    let bytes = if input.is_undefined() {
        Vec::new()
    } else if input.is_object() {
        bytes::of(&input).ok_or_else(|| not_bytes(ctx))?
    } else {
        return Err(not_bytes(ctx));
    };
    let decoded = match encoding.as_str() {
        "utf-8" => match String::from_utf8(bytes) {
            Ok(text) => Some(text),
            Err(_) if fatal => None,
            Err(error) => Some(String::from_utf8_lossy(error.as_bytes()).into_owned()),
        },
        order => utf_16(&bytes, order == "utf-16be", fatal),
    };
    let Some(text) = decoded else {
        return Err(Exception::throw_type(
            ctx,
            "the data is not valid for this encoding",
        ));
    };
    let text = if keep_mark {
        &text
    } else {
        text.strip_prefix('\u{feff}').unwrap_or(&text)
    };
    Ok(rquickjs::String::from_str(ctx.clone(), text)?.into_value())
}

fn utf_16(bytes: &[u8], big_endian: bool, fatal: bool) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if fatal && !rest.is_empty() {
        return None;
    }
    let order = if big_endian {
        u16::from_be_bytes
    } else {
        u16::from_le_bytes
    };
    let units: Vec<u16> = pairs.iter().map(|pair| order(*pair)).collect();
    if fatal {
        return String::from_utf16(&units).ok();
    }
    Some(String::from_utf16_lossy(&units))
}

fn not_bytes(ctx: &Ctx<'_>) -> rquickjs::Error {
    Exception::throw_type(ctx, "decode() expects an ArrayBuffer or a view on one")
}
