//! The modules that scripts import by the names `k6` and `k6/...`: one file or folder each, one line in [`MODULES`].
//!
//! A module is a function that makes an object of exports. As an ES module it exports that object as `default` and
//! every property under its name; `require` returns the object itself. Made at most once per VU.

mod crypto;
pub(crate) mod data;
mod encoding;
pub(crate) mod execution;
mod experimental;
pub(crate) mod html;
pub(crate) mod http;
pub(crate) mod k6;
pub(crate) mod metrics;
pub(crate) mod rows;
mod secrets;
pub(crate) mod tags;
pub(crate) mod timers;
pub(crate) mod webcrypto;
mod x509;

use rquickjs::module::{Declarations, Exports as ModuleExports, ModuleDef};
use rquickjs::{Ctx, Exception, Object, Persistent, Result, Value};

use crate::context::VuContext;

/// Makes the exports of a module.
type Install = for<'js> fn(&Ctx<'js>) -> Result<Object<'js>>;

/// All modules there are.
const MODULES: &[(&str, Install)] = &[
    ("k6", k6::install),
    ("k6/http", http::install),
    ("k6/metrics", metrics::install),
    ("k6/data", data::install),
    ("k6/execution", execution::install),
    ("k6/timers", timers::install),
    ("k6/encoding", encoding::install),
    ("k6/crypto", crypto::install),
    ("k6/crypto/x509", x509::install),
    ("k6/html", html::install),
    ("k6/secrets", secrets::install),
    ("k6/experimental/csv", experimental::install_csv),
    ("k6/experimental/fs", experimental::install_fs),
    ("k6/experimental/streams", experimental::install_streams),
];

/// Modules that k6 has and that are still to come.
const LATER: &[&str] = &[
    "k6/browser",
    "k6/experimental/websockets",
    "k6/net/grpc",
    "k6/websockets",
    "k6/ws",
];

/// Modules that k6 had, with where their contents are now.
const MOVED: &[(&str, &str)] = &[
    (
        "k6/experimental/browser",
        "it has become k6/browser, which netload does not have",
    ),
    (
        "k6/experimental/grpc",
        "it has become k6/net/grpc, which netload does not have yet",
    ),
    (
        "k6/experimental/redis",
        "it has become the extension k6/x/redis, and netload has no extensions",
    ),
    (
        "k6/experimental/timers",
        "setTimeout and the others are global; remove the import",
    ),
    (
        "k6/experimental/tracing",
        "it has become a library: https://jslib.k6.io/http-instrumentation-tempo/",
    ),
    (
        "k6/experimental/webcrypto",
        "crypto is global; remove the import",
    ),
];

/// The exports made so far in one VU, by the module's place in [`MODULES`].
pub(crate) type Exports = Vec<(usize, Persistent<Object<'static>>)>;

/// Whether a specifier names one of our modules, existing or not.
pub(crate) fn is_native(specifier: &str) -> bool {
    specifier == "k6" || specifier.starts_with("k6/")
}

/// Why a native module cannot be had; none when it can.
pub(crate) fn refusal(specifier: &str) -> Option<String> {
    if position(specifier).is_some() {
        return None;
    }
    if LATER.contains(&specifier) {
        return Some(format!(
            "the module {specifier} is not part of this version of netload yet"
        ));
    }
    if let Some((_, now)) = MOVED.iter().find(|(name, _)| *name == specifier) {
        return Some(format!("there is no {specifier} any more: {now}"));
    }
    if specifier.starts_with("k6/x/") {
        return Some(format!("the extension {specifier} is not part of netload"));
    }
    let names: Vec<&str> = MODULES.iter().map(|(name, _)| *name).collect();
    let hint = netload_plan::names::hint(specifier, &names);
    Some(format!("there is no module {specifier}; {hint}"))
}

/// The exports of a native module in this VU.
pub(crate) fn exports<'js>(ctx: &Ctx<'js>, specifier: &str) -> Result<Object<'js>> {
    let Some(index) = position(specifier) else {
        let text = refusal(specifier).unwrap_or_default();
        return Err(Exception::throw_reference(ctx, &text));
    };
    let vu = VuContext::of(ctx);
    let made = vu
        .exports
        .borrow()
        .iter()
        .find(|(at, _)| *at == index)
        .map(|(_, o)| o.clone());
    if let Some(made) = made {
        return made.restore(ctx);
    }
    let object = MODULES[index].1(ctx)?;
    let kept = Persistent::save(ctx, object.clone());
    vu.exports.borrow_mut().push((index, kept));
    Ok(object)
}

fn position(specifier: &str) -> Option<usize> {
    MODULES.iter().position(|(name, _)| *name == specifier)
}

/// Any native module as an ES module, told apart by its name.
pub(crate) struct Native;

impl ModuleDef for Native {
    fn declare(declarations: &Declarations<'_>) -> Result<()> {
        let module = declarations.module();
        let name: String = module.name()?;
        let exports = exports(module.ctx(), &name)?;
        declarations.declare("default")?;
        for key in exports.keys::<String>() {
            let key = key?;
            if key != "default" {
                declarations.declare(key)?;
            }
        }
        for key in VuContext::of(module.ctx()).shared.library.wanted(&name) {
            declarations.declare(key)?;
        }
        Ok(())
    }

    fn evaluate<'js>(ctx: &Ctx<'js>, module: &ModuleExports<'js>) -> Result<()> {
        let name: String = module.module().name()?;
        let exports = exports(ctx, &name)?;
        for property in exports.props::<String, Value<'js>>() {
            let (key, value) = property?;
            if key != "default" {
                module.export(key, value)?;
            }
        }
        for key in VuContext::of(ctx).shared.library.wanted(&name) {
            module.export(key, Value::new_undefined(ctx.clone()))?;
        }
        module.export("default", exports)?;
        Ok(())
    }
}
