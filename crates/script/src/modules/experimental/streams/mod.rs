//! The module `k6/experimental/streams`: readable and writable streams of the WHATWG's standard, without bytes and
//! pipes, as k6 has them.
//!
//! Streams are promises and callbacks of scripts and nothing else, so they are written in JavaScript: [`READABLE`],
//! [`WRITABLE`] and [`SHARED`], evaluated once in each VU that imports the module. They use only what every VU has.

use rquickjs::context::EvalOptions;
use rquickjs::{Ctx, Function, Object, Result};

/// What both kinds need: promises from outside, queues with sizes, strategies.
const SHARED: &str = include_str!("shared.js");
/// ReadableStream and its reader and controller.
const READABLE: &str = include_str!("readable.js");
/// WritableStream and its writer and controller.
const WRITABLE: &str = include_str!("writable.js");

pub(crate) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    let shared: Function<'js> = evaluated(ctx, SHARED)?;
    let shared: Object<'js> = shared.call(())?;
    let exports = Object::new(ctx.clone())?;
    let strategy: Function<'js> = shared.get("CountQueuingStrategy")?;
    exports.set("CountQueuingStrategy", strategy)?;
    for text in [READABLE, WRITABLE] {
        let make: Function<'js> = evaluated(ctx, text)?;
        let made: Object<'js> = make.call((shared.clone(),))?;
        for name in made.keys::<String>() {
            let name = name?;
            let class: Function<'js> = made.get(&*name)?;
            exports.set(name, class)?;
        }
    }
    Ok(exports)
}

fn evaluated<'js>(ctx: &Ctx<'js>, text: &str) -> Result<Function<'js>> {
    let mut options = EvalOptions::default();
    // What stack traces call it.
    options.filename = Some("k6/experimental/streams".to_owned());
    ctx.eval_with_options(text, options)
}
