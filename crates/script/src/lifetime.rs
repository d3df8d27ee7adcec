//! The promise to rquickjs that a native class holds no JavaScript value, so that its lifetime does not matter.

#![allow(unsafe_code)]

/// Implements `JsLifetime` for a type without JavaScript values.
macro_rules! without_js {
    ($type:ty) => {
        // SAFETY: the type is `'static` and has no lifetime to change.
        #[allow(unsafe_code)]
        unsafe impl<'js> rquickjs::JsLifetime<'js> for $type {
            type Changed<'to> = $type;
        }
    };
}

pub(crate) use without_js;
