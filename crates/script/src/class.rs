//! JavaScript classes around Rust values that hold no JavaScript value: one line each.

use rquickjs::class::{JsClass, Readable};
use rquickjs::{Class, Exception, Result};

use crate::native::Call;

/// Makes a type the Rust half of a JavaScript class. Scripts cannot construct it; its prototype is made by a function
/// the first time an instance is.
macro_rules! native_class {
    ($type:ty, $name:literal, $prototype:path) => {
        impl<'js> rquickjs::class::Trace<'js> for $type {
            fn trace<'a>(&self, _tracer: rquickjs::class::Tracer<'a, 'js>) {}
        }

        impl<'js> rquickjs::class::JsClass<'js> for $type {
            const NAME: &'static str = $name;
            type Mutable = rquickjs::class::Readable;

            fn prototype(
                ctx: &rquickjs::Ctx<'js>,
            ) -> rquickjs::Result<Option<rquickjs::Object<'js>>> {
                $prototype(ctx).map(Some)
            }

            fn constructor(
                _ctx: &rquickjs::Ctx<'js>,
            ) -> rquickjs::Result<Option<rquickjs::function::Constructor<'js>>> {
                Ok(None)
            }
        }

        crate::lifetime::without_js!($type);
    };
}

pub(crate) use native_class;

/// `this` of a method of the class.
///
/// # Errors
/// A TypeError when the method was called on something else.
pub(crate) fn this<'js, T>(call: &Call<'_, 'js>) -> Result<Class<'js, T>>
where
    T: JsClass<'js, Mutable = Readable>,
{
    let found = call.this().as_object().and_then(Class::<T>::from_object);
    found.ok_or_else(|| {
        let text = format!("this method belongs to objects of the class {}", T::NAME);
        Exception::throw_type(call.ctx(), &text)
    })
}
