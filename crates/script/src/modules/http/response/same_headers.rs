//! `headers` of responses that look like those of the response before.
//!
//! Owns what a VU knows of the last headers. Invariant: headers that are not the learnt ones, line by line, go the long
//! way.

use std::cell::{Cell, OnceCell, RefCell};

use netload_http::{Exchange, canonical_name};
use rquickjs::{Ctx, Result, String as JsString, Value};

use crate::layout::{Layout, PROPERTIES_LIMIT, Values};

/// How often a VU learns new headers; a server whose headers change more often is not worth it.
const LEARNT_LIMIT: u8 = 16;

/// A header line of the response that was learnt.
struct Line {
    /// As it came.
    name: Box<str>,
    /// Whether scripts see it.
    shown: bool,
    /// Whether that depends on what it says.
    connection: bool,
}

/// The headers of a VU's last response; those of the next one mostly have the same names.
#[derive(Default)]
pub(super) struct HeaderLayout(OnceCell<Box<Learnt>>);

#[derive(Default)]
struct Learnt {
    lines: RefCell<Vec<Line>>,
    layout: Layout,
    times: Cell<u8>,
}

impl HeaderLayout {
    /// The headers as an object, none when they have other names than those that were learnt.
    pub(super) fn object<'js>(
        &self,
        ctx: &Ctx<'js>,
        exchange: &Exchange,
    ) -> Result<Option<Value<'js>>> {
        let Some(learnt) = self.0.get() else {
            return Ok(None);
        };
        let lines = learnt.lines.borrow();
        let mut expected = lines.iter();
        let mut values = Values::new(ctx);
        for (name, value) in exchange.headers() {
            let Some(line) = expected.next().filter(|line| *line.name == *name) else {
                return Ok(None);
            };
            if line.connection && line.shown == super::says_close(&value) {
                return Ok(None);
            }
            if line.shown {
                let text = JsString::from_str(ctx.clone(), &super::text_of(&value))?;
                values.push(text.as_value());
            }
        }
        if expected.next().is_some() || values.len() == 0 {
            return Ok(None);
        }
        learnt.layout.object(values).map(Some)
    }

    /// Remembers these headers, whose `names` scripts see, unless that is not worth it.
    pub(super) fn learn(&self, ctx: &Ctx<'_>, exchange: &Exchange, names: &[&str]) -> Result<()> {
        let learnt = self.0.get_or_init(Box::default);
        let lines: Vec<Line> = exchange
            .headers()
            .map(|(name, _)| {
                let canonical = canonical_name(name);
                Line {
                    name: name.into(),
                    shown: names.contains(&canonical.as_str()),
                    connection: canonical == "Connection",
                }
            })
            .collect();
        let distinct = lines.iter().filter(|line| line.shown).count() == names.len();
        // Assigning to this name is not what it looks like.
        let plain = !names.contains(&"__proto__");
        let few = (1..=PROPERTIES_LIMIT).contains(&names.len());
        if !(distinct && plain && few) || learnt.times.get() >= LEARNT_LIMIT {
            return Ok(());
        }
        learnt.times.set(learnt.times.get() + 1);
        learnt.lines.borrow_mut().clear();
        learnt.layout.learn(ctx, names)?;
        *learnt.lines.borrow_mut() = lines;
        Ok(())
    }

    /// Lets go of what belongs to the VU's runtime.
    pub(super) fn end(&self, ctx: &Ctx<'_>) {
        if let Some(learnt) = self.0.get() {
            learnt.lines.borrow_mut().clear();
            learnt.layout.end(ctx);
        }
    }
}
