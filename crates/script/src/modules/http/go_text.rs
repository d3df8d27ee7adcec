//! JavaScript values as Go prints them, because that is what k6 puts into forms.
//!
//! Servers behind recorded scripts have seen `1e-07` and `<nil>`; the same script must send the same bytes.

use rquickjs::function::This;
use rquickjs::{Coerced, Function, Object, Result, Value};

/// How deep values may nest; deeper ones are left out.
const DEPTH_LIMIT: u32 = 16;

/// Integers up to this are exact and printed with all digits.
const EXACT_INTEGER_LIMIT: f64 = 9_007_199_254_740_992.0;

/// The text of any value.
pub(super) fn text(value: &Value<'_>) -> Result<String> {
    nested(value, 0)
}

fn nested(value: &Value<'_>, depth: u32) -> Result<String> {
    if value.is_undefined() || value.is_null() || depth > DEPTH_LIMIT {
        return Ok("<nil>".to_owned());
    }
    if let Some(number) = value.as_number() {
        return Ok(of_number(number));
    }
    if let Some(array) = value.as_array() {
        let mut items = Vec::new();
        for item in array.iter::<Value<'_>>() {
            items.push(nested(&item?, depth + 1)?);
        }
        return Ok(format!("[{}]", items.join(" ")));
    }
    match value.as_object() {
        Some(object) if !object.is_function() && !object.is_symbol() => {
            if let Some(date) = date(object)? {
                return Ok(date);
            }
            let mut items = Vec::new();
            for property in object.props::<String, Value<'_>>() {
                let (key, value) = property?;
                items.push(format!("{key}:{}", nested(&value, depth + 1)?));
            }
            items.sort();
            Ok(format!("map[{}]", items.join(" ")))
        }
        _ => Ok(value.get::<Coerced<String>>()?.0),
    }
}

/// The text of a Date, none for another object.
fn date(object: &Object<'_>) -> Result<Option<String>> {
    let Ok(iso) = object.get::<_, Function<'_>>("toISOString") else {
        return Ok(None);
    };
    let iso: String = iso.call((This(object.clone()),))?;
    // `2020-01-02T03:04:05.670Z` -> `2020-01-02 03:04:05.67 +0000 UTC`
    let (seconds, millis) = iso.split_once('.').unwrap_or((&iso, ""));
    let millis = millis.trim_end_matches(['0', 'Z']);
    let point = if millis.is_empty() { "" } else { "." };
    let seconds = seconds.replace('T', " ");
    Ok(Some(format!("{seconds}{point}{millis} +0000 UTC")))
}

/// A number as Go's `%v` prints it: integers with all digits, others with the fewest that tell them apart.
pub(super) fn of_number(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number.is_infinite() {
        return if number > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    if number == 0.0 {
        return if number.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    if number.fract() == 0.0 && number.abs() <= EXACT_INTEGER_LIMIT {
        return format!("{number:.0}");
    }
    let scientific = format!("{number:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    match exponent.parse::<i32>() {
        Ok(exponent) if !(-4..6).contains(&exponent) => {
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{digits}e{sign}{:02}", exponent.abs())
        }
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::of_number;

    #[test]
    fn numbers_look_like_go() {
        let pairs = [
            (1.0, "1"),
            (-0.0, "-0"),
            (123_456_789.0, "123456789"),
            (9_007_199_254_740_992.0, "9007199254740992"),
            (0.1, "0.1"),
            (12_345.678, "12345.678"),
            (1_500_000.5, "1.5000005e+06"),
            (1e20, "1e+20"),
            (1e21, "1e+21"),
            (1e-7, "1e-07"),
            (0.000_1, "0.0001"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "+Inf"),
        ];
        for (number, text) in pairs {
            assert_eq!(of_number(number), text);
        }
    }
}
