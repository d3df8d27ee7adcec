//! The module `k6/encoding`: base64 to and fro.

use base64::Engine;
use base64::alphabet::{self, Alphabet};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use rquickjs::{ArrayBuffer, Coerced, Ctx, Exception, Object, Result, String as JsString, Value};

use crate::globals::bytes;
use crate::native::{Call, function};

/// Padded, as the names `std` and `url` say; the last character may have bits that mean nothing.
const PADDED: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::RequireCanonical);
/// The names that begin with `raw`.
const RAW: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_encode_padding(false)
    .with_decode_padding_mode(DecodePaddingMode::RequireNone);

const fn engine(alphabet: &Alphabet, config: GeneralPurposeConfig) -> GeneralPurpose {
    GeneralPurpose::new(alphabet, config)
}

static STD: GeneralPurpose = engine(&alphabet::STANDARD, PADDED);
static RAW_STD: GeneralPurpose = engine(&alphabet::STANDARD, RAW);
static URL: GeneralPurpose = engine(&alphabet::URL_SAFE, PADDED);
static RAW_URL: GeneralPurpose = engine(&alphabet::URL_SAFE, RAW);

pub(super) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let exports = Object::new(ctx.clone())?;
    exports.set("b64encode", function(ctx, "b64encode", 2, b64encode)?)?;
    exports.set("b64decode", function(ctx, "b64decode", 3, b64decode)?)?;
    Ok(exports)
}

/// The variant that an argument names; any other name means the standard one.
fn variant(call: &Call<'_, '_>, index: usize) -> Result<&'static GeneralPurpose> {
    let name = call.arg(index).get::<Coerced<String>>()?.0;
    Ok(match name.as_str() {
        "rawstd" => &RAW_STD,
        "url" => &URL,
        "rawurl" => &RAW_URL,
        _ => &STD,
    })
}

fn b64encode<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let data = bytes::given(&call.arg(0), "the data to encode")?;
    let encoded = variant(call, 1)?.encode(data);
    Ok(JsString::from_str(call.ctx().clone(), &encoded)?.into_value())
}

fn b64decode<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let (ctx, input) = (call.ctx(), call.arg(0));
    let text = match &input {
        none if none.is_undefined() || none.is_null() => String::new(),
        given => given.get::<Coerced<String>>()?.0,
    };
    // Lines are often wrapped.
    let text: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
    let decoded = variant(call, 1)?.decode(&text).map_err(|error| {
        let text = format!("illegal base64 data: {error}");
        Exception::throw_message(ctx, &text)
    })?;
    let as_text = call.arg(2).as_string().is_some_and(|form| {
        let form = form.to_string();
        form.is_ok_and(|form| form == "s")
    });
    if as_text {
        let text = String::from_utf8_lossy(&decoded);
        return Ok(JsString::from_str(ctx.clone(), &text)?.into_value());
    }
    Ok(ArrayBuffer::new(ctx.clone(), decoded)?.into_value())
}
