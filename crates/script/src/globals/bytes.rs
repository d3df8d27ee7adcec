//! Bytes in JavaScript values: strings, ArrayBuffers and their views.

#![allow(unsafe_code)]

use rquickjs::{ArrayBuffer, Exception, Object, Result, Value};

/// The bytes of a string (as UTF-8), an ArrayBuffer or a view on one; none of anything else.
pub(crate) fn of(value: &Value<'_>) -> Option<Vec<u8>> {
    if let Some(text) = value.as_string() {
        return Some(text.to_string().ok()?.into_bytes());
    }
    let object = value.as_object()?;
    if let Some(buffer) = ArrayBuffer::from_object(object.clone()) {
        return of_buffer(&buffer);
    }
    let (buffer, start, length) = view(object)?;
    // SAFETY: copied at once, before any JavaScript can run and change or detach the buffer.
    let bytes = unsafe { buffer.as_bytes()? };
    Some(bytes.get(start..start.checked_add(length)?)?.to_vec())
}

/// [`of`] for arguments.
///
/// # Errors
/// A TypeError that says what was given instead; `what` begins the sentence.
pub(crate) fn given(value: &Value<'_>, what: &str) -> Result<Vec<u8>> {
    of(value).ok_or_else(|| {
        let text = format!(
            "{what} must be a string, an ArrayBuffer or a view on one, not {}",
            type_name(value)
        );
        Exception::throw_type(value.ctx(), &text)
    })
}

/// What a value is, for messages.
pub(crate) fn type_name(value: &Value<'_>) -> &'static str {
    match value {
        v if v.is_undefined() => "undefined",
        v if v.is_null() => "null",
        v if v.is_array() => "an array",
        v if v.is_function() => "a function",
        v if v.is_object() => "an object",
        v if v.is_bool() => "a boolean",
        v if v.is_number() => "a number",
        v if v.is_string() => "a string",
        _ => "a value of another type",
    }
}

/// The bytes of an ArrayBuffer; none once it is detached.
pub(crate) fn of_buffer(buffer: &ArrayBuffer<'_>) -> Option<Vec<u8>> {
    // SAFETY: copied at once, before any JavaScript can run and change or detach the buffer.
    unsafe { buffer.as_bytes() }.map(<[u8]>::to_vec)
}

/// Writes into an ArrayBuffer from `start` on; what does not fit is left out.
pub(crate) fn write(buffer: &ArrayBuffer<'_>, start: usize, data: &[u8]) {
    let Some(raw) = buffer.as_raw() else { return };
    let room = raw.len().saturating_sub(start).min(data.len());
    // SAFETY: the buffer is alive and not detached, the part is inside of it, and no JavaScript runs meanwhile.
    unsafe {
        std::ptr::copy_nonoverlapping(data.as_ptr(), raw.as_ptr().cast::<u8>().add(start), room);
    }
}

/// The buffer behind a typed array or DataView, with the part that is seen.
fn view<'js>(object: &Object<'js>) -> Option<(ArrayBuffer<'js>, usize, usize)> {
    let buffer: Object<'js> = object.get("buffer").ok()?;
    let buffer = ArrayBuffer::from_object(buffer)?;
    let start: usize = object.get("byteOffset").ok()?;
    let length: usize = object.get("byteLength").ok()?;
    Some((buffer, start, length))
}
