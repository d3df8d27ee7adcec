//! Which parts of the language's library a VU gets: all that the texts of its modules could reach, the rest not.
//!
//! A library object costs memory in every VU whether it is used or not. The pass that loads the script has everything;
//! from the texts it has read follows what the VUs leave out. In doubt nothing is left out.

#![allow(unsafe_code)]

use rquickjs::{Context, Result, Runtime, qjs};

/// The parts that are left out when nothing names them, with the words that name them.
const OPTIONAL: [(Part, &[&str]); 6] = [
    (Part::Dates, &["Date"]),
    (Part::Collections, &["Map", "Set", "groupBy"]),
    (
        Part::Buffers,
        &[
            // The numbers and the word before it tell typed arrays from `Array.isArray` and the like.
            "8Array",
            "16Array",
            "32Array",
            "64Array",
            "ClampedArray",
            "Buffer",
            "DataView",
            "TextEncoder",
            "TextDecoder",
            "Atomics",
            "binary",
            "'b'",
            "\"b\"",
            "`b`",
            "crypto",
            "b64decode",
            "experimental",
            "Blob",
            "fetch",
        ],
    ),
    (Part::WeakReferences, &["WeakRef", "FinalizationRegistry"]),
    (Part::Extras, &["performance", "atob", "btoa"]),
    (
        Part::Web,
        &["URL", "fetch", "Headers", "Abort", "structuredClone"],
    ),
];

/// Words by which a script can reach a part without naming it.
const ANY_PART: [&str; 6] = [
    "globalThis",
    "global[",
    "eval",
    "Function(",
    "Reflect",
    "import(",
];

/// Whether a module with this text can reach globals without naming them.
pub(crate) fn may_reach_anything(text: &str) -> bool {
    ANY_PART.iter().any(|word| text.contains(word))
}

/// A part of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Date.
    Dates,
    /// Map, Set and their weak forms.
    Collections,
    /// ArrayBuffer, typed arrays and what works on them.
    Buffers,
    /// WeakRef and FinalizationRegistry.
    WeakReferences,
    /// performance, atob, btoa.
    Extras,
    /// URL, fetch and what belongs to them.
    Web,
}

/// The parts of the library a VU gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Intrinsics(u8);

impl Intrinsics {
    /// The whole library.
    pub(crate) const ALL: Self = Self(u8::MAX);

    /// What scripts with these texts can reach.
    pub(crate) fn reachable<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut reachable = Self(0);
        for text in texts {
            if may_reach_anything(text) {
                return Self::ALL;
            }
            for (part, words) in OPTIONAL {
                if words.iter().any(|word| text.contains(word)) {
                    reachable.0 |= 1 << part as u8;
                }
            }
        }
        reachable
    }

    fn has(self, part: Part) -> bool {
        self.0 & 1 << part as u8 != 0
    }

    /// Whether scripts can hold bytes in objects.
    pub(crate) fn buffers(self) -> bool {
        self.has(Part::Buffers)
    }

    /// Whether scripts can name what the web has and the engine lacks.
    pub(crate) fn web(self) -> bool {
        self.has(Part::Web)
    }

    /// A context with these parts.
    pub(crate) fn context(self, runtime: &Runtime) -> Result<Context> {
        let context = Context::base(runtime)?;
        let raw = context.as_raw().as_ptr();
        // SAFETY: the context is new, holds the base objects and is used by nobody else.
        let failed = unsafe {
            let always = qjs::JS_AddIntrinsicEval(raw)
                | qjs::JS_AddIntrinsicRegExp(raw)
                | qjs::JS_AddIntrinsicJSON(raw)
                | qjs::JS_AddIntrinsicProxy(raw)
                | qjs::JS_AddIntrinsicPromise(raw);
            let add = |part: Part, add: unsafe extern "C" fn(*mut qjs::JSContext) -> i32| {
                if self.has(part) { add(raw) } else { 0 }
            };
            always
                | add(Part::Dates, qjs::JS_AddIntrinsicDate)
                | add(Part::Collections, qjs::JS_AddIntrinsicMapSet)
                | add(Part::Buffers, qjs::JS_AddIntrinsicTypedArrays)
                | add(Part::WeakReferences, qjs::JS_AddIntrinsicWeakRef)
                | add(Part::Extras, qjs::JS_AddIntrinsicAToB)
                | add(Part::Extras, qjs::JS_AddPerformance)
        };
        if failed != 0 {
            return Err(rquickjs::Error::Allocation);
        }
        Ok(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reachable(text: &str) -> Intrinsics {
        Intrinsics::reachable([text])
    }

    #[test]
    fn what_nothing_names_is_left_out() {
        let plain = "import http from 'k6/http'; export default function () { Array.isArray([]); }";
        assert_eq!(reachable(plain), Intrinsics(0));
        assert!(reachable("Date.now()").has(Part::Dates));
        assert!(reachable("new WeakMap()").has(Part::Collections));
        assert!(reachable("new Uint8Array(2)").buffers());
        assert!(reachable("open('x', 'b')").buffers());
        assert!(reachable("{ responseType: 'binary' }").buffers());
        assert!(!reachable("setTimeout(f, 1)").has(Part::Collections));
    }

    #[test]
    fn a_script_that_reaches_by_name_gets_everything() {
        assert_eq!(reachable("globalThis['Da' + 'te']"), Intrinsics::ALL);
        assert_eq!(reachable("new Function('return Date')"), Intrinsics::ALL);
    }
}
