//! The JavaScript class of responses: an object whose fields are made when they are read.
//!
//! To scripts the fields are ordinary own properties (`Object.keys`, `JSON.stringify` and spreading see them), yet
//! making a response costs one small object. Owns the QuickJS class with its exotic methods. Invariants: the Rust half
//! lives exactly as long as the object; a field that a script assigns or deletes is never made again.

#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::rc::Rc;

use rquickjs::{Ctx, Error, Exception, Object, Result, Value, qjs};

use super::ResponseData;
use super::fields::{self, Field};
use super::same_headers::HeaderLayout;
use crate::context::VuContext;
use crate::layout::Layout;

/// Boxes of former responses that one worker keeps.
const SPARE_LIMIT: usize = 64;

/// The class and the names of its fields in one JavaScript runtime.
pub(crate) struct ResponseClass {
    id: Cell<qjs::JSClassID>,
    /// An instance without a response: keeps the shape of new ones alive, which would die with the last of them.
    shape: Cell<qjs::JSValue>,
    names: Cell<[qjs::JSAtom; Field::COUNT]>,
    /// Bytes that living responses hold outside of JavaScript's heap.
    held: Rc<Cell<u64>>,
    /// How `timings` look.
    pub(super) timings: Layout,
    /// How the `headers` looked last.
    pub(super) headers: HeaderLayout,
}

impl Default for ResponseClass {
    fn default() -> Self {
        Self {
            id: Cell::new(qjs::JS_INVALID_CLASS_ID),
            shape: Cell::new(qjs::JS_UNDEFINED),
            // No property has this atom, so nothing is found before the class is registered.
            names: Cell::new([qjs::JS_ATOM_NULL; Field::COUNT]),
            held: Rc::default(),
            timings: Layout::default(),
            headers: HeaderLayout::default(),
        }
    }
}

impl ResponseClass {
    /// Lets go of what belongs to the VU's runtime.
    pub(in crate::modules::http) fn end(&self, ctx: &Ctx<'_>) {
        self.timings.end(ctx);
        self.headers.end(ctx);
        // SAFETY: `register` made the object in this context and nobody else has it.
        unsafe { qjs::JS_FreeValue(ctx.as_raw().as_ptr(), self.shape.replace(qjs::JS_UNDEFINED)) };
    }
}

/// A response's part of what its VU holds, given back when dropped.
struct Held {
    total: Rc<Cell<u64>>,
    bytes: u64,
}

impl Held {
    fn claim(total: &Rc<Cell<u64>>, bytes: u64) -> Self {
        total.set(total.get() + bytes);
        let total = total.clone();
        Self { total, bytes }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.total.set(self.total.get() - self.bytes);
    }
}

/// Which fields a script has assigned or deleted, and the values made so far.
pub(super) struct Made {
    taken_over: Cell<u32>,
    values: [Cell<qjs::JSValue>; Field::KEPT],
    held: Option<Held>,
}

impl Default for Made {
    fn default() -> Self {
        Self {
            taken_over: Cell::new(0),
            values: [const { Cell::new(qjs::JS_UNDEFINED) }; Field::KEPT],
            held: None,
        }
    }
}

static EXOTIC: qjs::JSClassExoticMethods = qjs::JSClassExoticMethods {
    get_own_property: Some(get_own_property),
    get_own_property_names: Some(get_own_property_names),
    delete_property: Some(delete_property),
    define_own_property: None,
    has_property: None,
    get_property: None,
    set_property: Some(set_property),
};

/// Registers the class in the runtime of `ctx`; instances inherit from `prototype`.
pub(super) fn register<'js>(ctx: &Ctx<'js>, prototype: Object<'js>) -> Result<()> {
    let class = &VuContext::of(ctx).http_state.class;
    let definition = qjs::JSClassDef {
        class_name: c"Response".as_ptr(),
        finalizer: Some(finalize),
        gc_mark: Some(mark),
        call: None,
        exotic: (&raw const EXOTIC).cast_mut(),
    };
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the context is live; the definition is copied except for the exotic methods, which are static; the
    // prototype's reference is handed over.
    unsafe {
        let runtime = qjs::JS_GetRuntime(raw);
        let mut id = class.id.get();
        qjs::JS_NewClassID(runtime, &mut id);
        if qjs::JS_NewClass(runtime, id, &definition) != 0 {
            return Err(Error::Exception);
        }
        class.id.set(id);
        let prototype = qjs::JS_DupValue(raw, prototype.as_raw());
        qjs::JS_SetClassProto(raw, id, prototype);
        class.shape.set(qjs::JS_NewObjectClass(raw, id));
        class.names.set(Field::ALL.map(|field| {
            let name = field.name();
            qjs::JS_NewAtomLen(raw, name.as_ptr().cast(), name.len() as _)
        }));
    }
    Ok(())
}

thread_local! {
    /// Boxes of responses that are gone; the last one is still in the processor's cache.
    #[expect(clippy::vec_box, reason = "the boxes themselves are handed out again")]
    static SPARE: RefCell<Vec<Box<MaybeUninit<ResponseData>>>> = const { RefCell::new(Vec::new()) };
}

/// What `make` makes, in a box. Inlined together with it, so that it is made where it stays: it is large.
#[inline(always)]
pub(super) fn keep(make: impl FnOnce() -> ResponseData) -> Box<ResponseData> {
    let room = SPARE.with_borrow_mut(Vec::pop);
    Box::write(room.unwrap_or_else(Box::new_uninit), make())
}

fn let_go(data: Box<ResponseData>) {
    let raw = Box::into_raw(data);
    // SAFETY: the content is dropped once, here; what is left is room without content.
    let room = unsafe {
        raw.drop_in_place();
        Box::from_raw(raw.cast::<MaybeUninit<ResponseData>>())
    };
    // While the thread ends there may be nobody to keep it.
    let _ = SPARE.try_with(|spare| {
        let mut spare = spare.borrow_mut();
        if spare.len() < SPARE_LIMIT {
            spare.push(room);
        }
    });
}

/// A new response object.
pub(super) fn wrap<'js>(ctx: &Ctx<'js>, mut data: Box<ResponseData>) -> Result<Value<'js>> {
    let vu = VuContext::of(ctx);
    let class = &vu.http_state.class;
    data.made.held = Some(Held::claim(&class.held, data.bytes()));
    if class.held.get() > vu.shared.memory_limit_bytes {
        let_go(data);
        return Err(Exception::throw_internal(ctx, "out of memory"));
    }
    let id = class.id.get();
    // SAFETY: the class was registered when the module was made; the finalizer takes the box back.
    unsafe {
        let object = qjs::JS_NewObjectClass(ctx.as_raw().as_ptr(), id);
        if qjs::JS_IsException(object) {
            let_go(data);
            return Err(Error::Exception);
        }
        qjs::JS_SetOpaque(object, Box::into_raw(data).cast());
        Ok(Value::from_raw(ctx.clone(), object))
    }
}

/// The Rust half of a response, none when the value is something else.
pub(super) fn data<'a>(value: &'a Value<'_>) -> Option<&'a ResponseData> {
    let id = VuContext::of(value.ctx()).http_state.class.id.get();
    // SAFETY: objects of this class have a box of this type until they are finalized, and `value` keeps this one.
    unsafe {
        let opaque = qjs::JS_GetOpaque(value.as_raw(), id);
        opaque.cast::<ResponseData>().as_ref()
    }
}

/// The value of a field, made now unless it was made before.
pub(super) fn field<'js>(ctx: &Ctx<'js>, data: &ResponseData, field: Field) -> Result<Value<'js>> {
    let Some(kept) = field.kept().map(|index| &data.made.values[index]) else {
        return fields::make(ctx, data, field);
    };
    // SAFETY: kept values are owned by the response, which is alive; what is handed out is counted.
    unsafe {
        let raw = ctx.as_raw().as_ptr();
        if qjs::JS_IsUndefined(kept.get()) {
            let value = fields::make(ctx, data, field)?;
            kept.set(qjs::JS_DupValue(raw, value.as_raw()));
            return Ok(value);
        }
        Ok(Value::from_raw(
            ctx.clone(),
            qjs::JS_DupValue(raw, kept.get()),
        ))
    }
}

/// A method of all responses.
pub(super) fn method<'js>(ctx: &Ctx<'js>, field: Field) -> Result<Value<'js>> {
    let class = &VuContext::of(ctx).http_state.class;
    let raw = ctx.as_raw().as_ptr();
    // SAFETY: the class is registered, or there would be no response; the prototype is counted until it is freed here.
    let found = unsafe {
        let prototype = qjs::JS_GetClassProto(raw, class.id.get());
        let found = qjs::JS_GetProperty(raw, prototype, class.names.get()[field as usize]);
        qjs::JS_FreeValue(raw, prototype);
        Value::from_raw(ctx.clone(), found)
    };
    match found.is_exception() {
        true => Err(Error::Exception),
        false => Ok(found),
    }
}

/// The Rust half of an object of the class.
///
/// # Safety
/// `object` is an object of the response class.
unsafe fn opaque<'a>(object: qjs::JSValue) -> Option<&'a ResponseData> {
    let mut id = qjs::JS_INVALID_CLASS_ID;
    // SAFETY: the caller vouches for the class, whose objects have a box of this type.
    unsafe {
        let opaque = qjs::JS_GetAnyOpaque(object, &mut id);
        opaque.cast::<ResponseData>().as_ref()
    }
}

/// The field that `name` stands for, unless the script has taken it over.
fn find(ctx: &Ctx<'_>, data: &ResponseData, name: qjs::JSAtom) -> Option<Field> {
    let names = VuContext::of(ctx).http_state.class.names.get();
    let index = names.iter().position(|n| *n == name)?;
    let taken_over = data.made.taken_over.get() & (1 << index) != 0;
    (!taken_over).then_some(Field::ALL[index])
}

fn take_over(data: &ResponseData, field: Field) {
    let made = &data.made.taken_over;
    made.set(made.get() | 1 << field as u32);
}

/// Runs `body` with the context and the response, nothing unwinding into C.
///
/// # Safety
/// Called by the engine for an object of the response class.
unsafe fn enter(
    ctx: *mut qjs::JSContext,
    object: qjs::JSValue,
    body: impl FnOnce(&Ctx<'_>, &ResponseData) -> Result<bool>,
) -> c_int {
    // SAFETY: the engine passes a live context and an object of the class this is a method of.
    let (ctx, data) = unsafe { (Ctx::from_raw(NonNull::new_unchecked(ctx)), opaque(object)) };
    let Some(data) = data else { return 0 };
    match catch_unwind(AssertUnwindSafe(|| body(&ctx, data))) {
        Ok(Ok(found)) => c_int::from(found),
        Ok(Err(Error::Exception)) => -1,
        Ok(Err(error)) => throw(&ctx, &error.to_string()),
        Err(_) => throw(&ctx, "internal error in a response"),
    }
}

fn throw(ctx: &Ctx<'_>, message: &str) -> c_int {
    // The pending exception is the result; -1 says that there is one.
    let _ = Exception::throw_internal(ctx, message);
    -1
}

unsafe extern "C" fn get_own_property(
    ctx: *mut qjs::JSContext,
    descriptor: *mut qjs::JSPropertyDescriptor,
    object: qjs::JSValue,
    name: qjs::JSAtom,
) -> c_int {
    let body = |cx: &Ctx<'_>, data: &ResponseData| {
        let Some(found) = find(cx, data, name) else {
            return Ok(false);
        };
        if descriptor.is_null() {
            return Ok(true);
        }
        let value = field(cx, data, found)?;
        // SAFETY: the engine gives room for a descriptor and takes over the counted value in it.
        unsafe {
            descriptor.write(qjs::JSPropertyDescriptor {
                flags: qjs::JS_PROP_C_W_E as c_int,
                value: qjs::JS_DupValue(ctx, value.as_raw()),
                getter: qjs::JS_UNDEFINED,
                setter: qjs::JS_UNDEFINED,
            });
        }
        Ok(true)
    };
    // SAFETY: called by the engine as a method of the class.
    unsafe { enter(ctx, object, body) }
}

unsafe extern "C" fn get_own_property_names(
    ctx: *mut qjs::JSContext,
    names: *mut *mut qjs::JSPropertyEnum,
    count: *mut u32,
    object: qjs::JSValue,
) -> c_int {
    let body = |cx: &Ctx<'_>, data: &ResponseData| {
        let all = VuContext::of(cx).http_state.class.names.get();
        let taken_over = data.made.taken_over.get();
        let shown = (0..Field::COUNT).filter(|index| taken_over & (1 << index) == 0);
        // SAFETY: the engine frees the list and the counted names in it; it has room for all fields.
        unsafe {
            let bytes = Field::COUNT * size_of::<qjs::JSPropertyEnum>();
            let list = qjs::js_malloc(ctx, bytes as _).cast::<qjs::JSPropertyEnum>();
            if list.is_null() {
                return Err(Error::Exception);
            }
            let mut len = 0;
            for index in shown {
                list.add(len).write(qjs::JSPropertyEnum {
                    is_enumerable: true,
                    atom: qjs::JS_DupAtom(ctx, all[index]),
                });
                len += 1;
            }
            names.write(list);
            count.write(len as u32);
        }
        Ok(false)
    };
    // SAFETY: called by the engine as a method of the class.
    unsafe { enter(ctx, object, body) }
}

unsafe extern "C" fn delete_property(
    ctx: *mut qjs::JSContext,
    object: qjs::JSValue,
    name: qjs::JSAtom,
) -> c_int {
    let body = |cx: &Ctx<'_>, data: &ResponseData| {
        if let Some(field) = find(cx, data, name) {
            take_over(data, field);
        }
        Ok(true)
    };
    // SAFETY: called by the engine as a method of the class.
    unsafe { enter(ctx, object, body) }
}

unsafe extern "C" fn set_property(
    ctx: *mut qjs::JSContext,
    object: qjs::JSValue,
    name: qjs::JSAtom,
    value: qjs::JSValue,
    receiver: qjs::JSValue,
    _flags: c_int,
) -> c_int {
    let body = |cx: &Ctx<'_>, data: &ResponseData| {
        let mut id = qjs::JS_INVALID_CLASS_ID;
        // SAFETY: the pointer is only compared. An object that merely inherits from the response has another one.
        let own = unsafe { qjs::JS_GetAnyOpaque(receiver, &mut id) };
        if std::ptr::eq(own.cast(), data)
            && let Some(field) = find(cx, data, name)
        {
            take_over(data, field);
        }
        Ok(false)
    };
    // SAFETY: called by the engine as a method of the class; the receiver is an object or the definition throws, and
    // the counted value is handed over.
    unsafe {
        enter(ctx, object, body);
        let value = qjs::JS_DupValue(ctx, value);
        let flags = qjs::JS_PROP_C_W_E | qjs::JS_PROP_THROW;
        qjs::JS_DefinePropertyValue(ctx, receiver, name, value, flags as c_int)
    }
}

unsafe extern "C" fn finalize(runtime: *mut qjs::JSRuntime, object: qjs::JSValue) {
    let mut id = qjs::JS_INVALID_CLASS_ID;
    // SAFETY: the object is at its end; its box (if it got that far) is taken back once, here.
    unsafe {
        let opaque: *mut c_void = qjs::JS_GetAnyOpaque(object, &mut id);
        if opaque.is_null() {
            return;
        }
        let data: *mut ResponseData = opaque.cast();
        for value in &(*data).made.values {
            qjs::JS_FreeValueRT(runtime, value.get());
        }
        let_go(Box::from_raw(data));
    }
}

unsafe extern "C" fn mark(
    runtime: *mut qjs::JSRuntime,
    object: qjs::JSValue,
    marker: qjs::JS_MarkFunc,
) {
    // SAFETY: called by the engine for a live object of the class, whose kept values are live too.
    unsafe {
        let Some(data) = opaque(object) else { return };
        for value in &data.made.values {
            qjs::JS_MarkValue(runtime, value.get(), marker);
        }
    }
}
