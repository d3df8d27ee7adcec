//! `k6/http`: requests, batches, cookies, files and responses.
//!
//! Owns what scripts see and the way from a call to samples. The protocol is `netload-http`'s, the series are the
//! engine's. A plain `http.get` of a constant URL takes the short way in `get`; everything else becomes a
//! [`job::Job`] first.

mod arguments;
mod batch;
mod body;
mod constants;
mod cookies;
mod debug;
mod expectation;
mod fetch;
mod file;
mod forms;
mod get;
mod go_text;
mod job;
mod label;
mod ocsp;
mod prepared;
mod record;
mod request;
mod response;
pub(crate) mod state;
mod template;

pub(crate) use request::Asynchronous;

use netload_engine::log::{Level, Record};
use rquickjs::{Ctx, Object, Result};

use crate::context::VuContext;
use crate::native::function;

/// The exports of the module.
pub(super) fn install<'js>(ctx: &Ctx<'js>) -> Result<Object<'js>> {
    response::install(ctx)?;
    let exports = Object::new(ctx.clone())?;
    constants::install(&exports)?;
    exports.set("get", function(ctx, "get", 2, get::get)?)?;
    exports.set("head", function(ctx, "head", 2, request::head)?)?;
    exports.set("post", function(ctx, "post", 3, request::post)?)?;
    exports.set("put", function(ctx, "put", 3, request::put)?)?;
    exports.set("patch", function(ctx, "patch", 3, request::patch)?)?;
    exports.set("del", function(ctx, "del", 3, request::del)?)?;
    exports.set("options", function(ctx, "options", 3, request::options)?)?;
    exports.set("request", function(ctx, "request", 4, request::request)?)?;
    exports.set(
        "asyncRequest",
        function(ctx, "asyncRequest", 4, request::async_request)?,
    )?;
    exports.set("batch", function(ctx, "batch", 1, batch::batch)?)?;
    exports.set("url", function(ctx, "url", 1, template::url)?)?;
    exports.set("file", function(ctx, "file", 3, file::file)?)?;
    exports.set(
        "expectedStatuses",
        function(ctx, "expectedStatuses", 0, expectation::expected_statuses)?,
    )?;
    exports.set(
        "setResponseCallback",
        function(
            ctx,
            "setResponseCallback",
            1,
            expectation::set_response_callback,
        )?,
    )?;
    cookies::install(ctx, &exports)?;
    Ok(exports)
}

/// Logs a warning about a request.
fn warn(ctx: &Ctx<'_>, text: String) {
    VuContext::of(ctx).log(Level::Warning, text);
}

/// Logs a failed request; `detail` has the particulars.
fn warn_failed(ctx: &Ctx<'_>, message: &str, detail: &str) {
    let record = Record::new(Level::Warning, message).with("error", detail);
    VuContext::of(ctx).log_record(record);
}
