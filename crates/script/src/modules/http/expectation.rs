//! Which statuses count as expected: `http.expectedStatuses` and `http.setResponseCallback`.

use std::rc::Rc;

use rquickjs::class::{JsClass, Readable, Trace, Tracer};
use rquickjs::function::Constructor;
use rquickjs::{Class, Ctx, Exception, Result, Value};

use crate::lifetime::without_js;
use crate::native::Call;

/// Ranges in one call at most.
const RANGES_LIMIT: usize = 1_000;

/// Who decides whether a response was expected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Expectation {
    /// The default: 200 to 399.
    #[default]
    Success,
    /// Nobody: `http_req_failed` and the tag `expected_response` stay away.
    Unjudged,
    /// These statuses, both ends included.
    Statuses(Rc<[(u16, u16)]>),
}

impl Expectation {
    /// Whether the status is expected; none when nobody judges it.
    pub(super) fn judge(&self, status: u16) -> Option<bool> {
        match self {
            Self::Success => Some((200..400).contains(&status)),
            Self::Unjudged => None,
            Self::Statuses(ranges) => Some(
                ranges
                    .iter()
                    .any(|(min, max)| (*min..=*max).contains(&status)),
            ),
        }
    }

    /// What a script gave as response callback: the result of [`expected_statuses`], or null. None for anything else.
    pub(super) fn from_value(value: &Value<'_>) -> Option<Self> {
        if value.is_null() || value.is_undefined() {
            return Some(Self::Unjudged);
        }
        let class = Class::<ExpectedStatuses>::from_value(value).ok()?;
        let ranges = class.borrow().ranges.clone();
        Some(Self::Statuses(ranges))
    }
}

/// What `http.expectedStatuses` returns; opaque to scripts.
struct ExpectedStatuses {
    ranges: Rc<[(u16, u16)]>,
}

impl<'js> Trace<'js> for ExpectedStatuses {
    fn trace<'a>(&self, _tracer: Tracer<'a, 'js>) {}
}

without_js!(ExpectedStatuses);

impl<'js> JsClass<'js> for ExpectedStatuses {
    const NAME: &'static str = "ExpectedStatuses";
    type Mutable = Readable;

    fn constructor(_: &Ctx<'js>) -> Result<Option<Constructor<'js>>> {
        Ok(None)
    }
}

/// `http.expectedStatuses(200, {min: 300, max: 399}, ...)`.
pub(super) fn expected_statuses<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let ctx = call.ctx();
    if call.len() == 0 {
        return Err(Exception::throw_message(ctx, "no arguments"));
    }
    if call.len() > RANGES_LIMIT {
        let text = format!("more than {RANGES_LIMIT} arguments");
        return Err(Exception::throw_range(ctx, &text));
    }
    let ranges: Result<Vec<_>> = (0..call.len())
        .map(|index| range(&call.arg(index), index + 1))
        .collect();
    let statuses = ExpectedStatuses {
        ranges: ranges?.into(),
    };
    Ok(Class::instance(ctx.clone(), statuses)?.into_value())
}

fn range(value: &Value<'_>, number: usize) -> Result<(u16, u16)> {
    let refuse = |text: &str| Err(Exception::throw_message(value.ctx(), text));
    if let Some(status) = integer(value) {
        return Ok((status, status));
    }
    let ends = match value.as_object() {
        Some(object) => [object.get("min")?, object.get("max")?],
        None => [const { None::<Value<'_>> }; 2],
    };
    match ends {
        [Some(min), Some(max)] => match (integer(&min), integer(&max)) {
            (Some(min), Some(max)) => Ok((min, max)),
            _ => refuse(&format!(
                "both min and max need to be integers for argument number {number}"
            )),
        },
        _ => refuse(&format!(
            "argument number {number} to expectedStatuses was neither an integer nor an object like {{min:100, max:329}}"
        )),
    }
}

fn integer(value: &Value<'_>) -> Option<u16> {
    let number = value.as_number()?;
    let status = number as u16;
    (f64::from(status) == number).then_some(status)
}

/// `http.setResponseCallback(expectedStatuses or null)`.
pub(super) fn set_response_callback<'js>(call: &Call<'_, 'js>) -> Result<Value<'js>> {
    let Some(expectation) = Expectation::from_value(&call.arg(0)) else {
        let text = "unsupported argument, expected http.expectedStatuses";
        return Err(Exception::throw_message(call.ctx(), text));
    };
    *call.vu().http_state.expectation.borrow_mut() = expectation;
    call.undefined()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_range_are_expected() {
        let expectation = Expectation::Statuses([(200, 200), (400, 404)].into());
        let judged = [199, 200, 201, 399, 400, 404, 405].map(|s| expectation.judge(s).unwrap());
        assert_eq!(judged, [false, true, false, false, true, true, false]);
    }

    #[test]
    fn success_is_the_default_and_nobody_need_judge() {
        assert_eq!(Expectation::default().judge(399), Some(true));
        assert_eq!(Expectation::default().judge(0), Some(false));
        assert_eq!(Expectation::Unjudged.judge(500), None);
    }
}
