//! The tags that a request is given (`{tags: {name: "home"}}`), known again when an iteration gives the same ones.
//!
//! Owns what such tags come to. Leaves out all other parameters: requests that have them go the long way. Invariant: a
//! list of tags is known again by the identity of its texts, which are held, so that nothing else can have it.

#![allow(unsafe_code)]

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use netload_engine::exchange::{ExchangeKey, ExchangeSlots, RequestKey};
use netload_metrics::TagsId;
use rquickjs::{Ctx, Result, Value, qjs};

use super::job::Job;
use crate::context::{Running, VuContext};
use crate::keys::{Keys, owned};

/// Lists of tags that one VU knows again.
const KNOWN_LIMIT: usize = 16;
/// Tags in such a list at most.
const TAGS_LIMIT: usize = 8;

/// What the tags of a request come to.
pub(super) struct Label {
    /// Tags of the VU and of the request.
    pub(super) tags: TagsId,
    /// The user's name for the request, if the tags have one.
    pub(super) named: Option<Named>,
}

/// A name that takes the place of the URL's.
pub(super) struct Named {
    /// The name.
    pub(super) name: Rc<str>,
    /// The number of the request with this name.
    pub(super) key: RequestKey,
    /// The series that the last exchange counted for.
    pub(super) last: Cell<Option<(ExchangeKey, ExchangeSlots)>>,
}

impl Label {
    /// Gives the tags to a job.
    pub(super) fn put_on(&self, job: &mut Job) {
        job.tags = self.tags;
        if let Some(named) = &self.named {
            job.name = Some(named.name.clone());
        }
    }
}

/// What parameters ask for.
pub(super) enum Asked {
    /// Nothing.
    Nothing,
    /// Only tags.
    Tags(Rc<Label>),
    /// What only the long way knows.
    More,
}

/// A name and a text, as the engine has them.
type Pair = (qjs::JSAtom, qjs::JSValue);

/// A list of tags that was given before.
struct Known {
    /// The tags of the VU then.
    base: TagsId,
    pairs: Box<[Pair]>,
    label: Rc<Label>,
}

/// The lists of tags that one VU knows again.
#[derive(Default)]
pub(super) struct Labels {
    known: RefCell<Vec<Known>>,
    /// Which of them is replaced next.
    oldest: Cell<usize>,
    /// The name `tags`.
    word: OnceCell<qjs::JSAtom>,
}

impl Labels {
    /// What the parameters of a request ask for.
    ///
    /// # Errors
    /// When JavaScript throws.
    pub(super) fn asked<'js>(
        &self,
        ctx: &Ctx<'js>,
        running: &Running,
        params: qjs::JSValue,
    ) -> Result<Asked> {
        // SAFETY: only looks at the tag.
        if !unsafe { qjs::JS_IsObject(params) } {
            return Ok(Asked::Nothing);
        }
        let keys = Keys::of(ctx, params)?;
        let word = self.word(ctx);
        match keys.atoms().len() {
            0 => return Ok(Asked::Nothing),
            1 if keys.atoms().all(|key| key == word) => {}
            _ => return Ok(Asked::More),
        }
        // SAFETY: the parameters are alive and belong to this context.
        let tags = unsafe { property(ctx, params, word)? };
        if !tags.is_object() {
            return Ok(Asked::Nothing);
        }
        let keys = Keys::of(ctx, tags.as_raw())?;
        if keys.atoms().len() > TAGS_LIMIT {
            return Ok(Asked::More);
        }
        let mut values: [Option<Value<'js>>; TAGS_LIMIT] = Default::default();
        let mut pairs: [Pair; TAGS_LIMIT] = [(qjs::JS_ATOM_NULL, qjs::JS_UNDEFINED); TAGS_LIMIT];
        let mut len = 0;
        for key in keys.atoms() {
            // SAFETY: the tags are alive and belong to this context.
            let value = unsafe { property(ctx, tags.as_raw(), key)? };
            if !value.is_string() {
                return Ok(Asked::More);
            }
            pairs[len] = (key, value.as_raw());
            values[len] = Some(value);
            len += 1;
        }
        let base = VuContext::of(ctx).tags.get();
        let label = match self.find(base, &pairs[..len]) {
            Some(label) => label,
            None => self.learn(ctx, running, base, &pairs[..len])?,
        };
        Ok(Asked::Tags(label))
    }

    fn word(&self, ctx: &Ctx<'_>) -> qjs::JSAtom {
        let text = c"tags";
        // SAFETY: the context is live; `end` gives the atom back.
        *self
            .word
            .get_or_init(|| unsafe { qjs::JS_NewAtom(ctx.as_raw().as_ptr(), text.as_ptr()) })
    }

    fn find(&self, base: TagsId, pairs: &[Pair]) -> Option<Rc<Label>> {
        let same_pair = |(a, b): (&Pair, &Pair)| a.0 == b.0 && same_text(a.1, b.1);
        let same = |known: &&Known| {
            let mut both = known.pairs.iter().zip(pairs);
            known.base == base && known.pairs.len() == pairs.len() && both.all(same_pair)
        };
        let known = self.known.borrow();
        known.iter().find(same).map(|known| known.label.clone())
    }

    fn learn(
        &self,
        ctx: &Ctx<'_>,
        running: &Running,
        base: TagsId,
        pairs: &[Pair],
    ) -> Result<Rc<Label>> {
        let raw = ctx.as_raw().as_ptr();
        let mut texts = Vec::new();
        for (name, value) in pairs {
            // SAFETY: atom and value are alive; what is returned is owned here.
            let (name, value) = unsafe {
                (
                    owned(ctx, qjs::JS_AtomToString(raw, *name))?,
                    owned(ctx, qjs::JS_DupValue(raw, *value))?,
                )
            };
            texts.push((name.get::<String>()?, value.get::<String>()?));
        }
        let label = Rc::new(made(running, base, &texts));
        // SAFETY: atoms and values are alive; `forget` gives these references back.
        let hold = |(name, value): &Pair| unsafe {
            (qjs::JS_DupAtom(raw, *name), qjs::JS_DupValue(raw, *value))
        };
        let known = Known {
            base,
            pairs: pairs.iter().map(hold).collect(),
            label: label.clone(),
        };
        let mut all = self.known.borrow_mut();
        if all.len() < KNOWN_LIMIT {
            all.push(known);
        } else {
            let at = self.oldest.get();
            self.oldest.set((at + 1) % KNOWN_LIMIT);
            forget(ctx, &std::mem::replace(&mut all[at], known).pairs);
        }
        Ok(label)
    }

    /// Lets go of what belongs to the VU's runtime.
    pub(super) fn end(&self, ctx: &Ctx<'_>) {
        for known in self.known.take() {
            forget(ctx, &known.pairs);
        }
        if let Some(word) = self.word.get() {
            // SAFETY: `word` has made it in this runtime, which ends: nobody asks for it again.
            unsafe { qjs::JS_FreeAtom(ctx.as_raw().as_ptr(), *word) };
        }
    }
}

/// Tags without a name leave the URL's in its place.
fn made(running: &Running, base: TagsId, texts: &[(String, String)]) -> Label {
    let worker = &running.host.worker;
    let extra: Vec<(&str, &str)> = texts.iter().map(|(k, v)| (&**k, &**v)).collect();
    let tags = worker.recorder.borrow_mut().tags.extend(base, &extra);
    let name = texts.iter().find(|(key, _)| key == "name");
    let named = name.map(|(_, name)| {
        let mut keys = running.local.http_local.keys.borrow_mut();
        Named {
            name: name.as_str().into(),
            key: keys.find(worker, "GET", name),
            last: Cell::new(None),
        }
    });
    Label { tags, named }
}

fn forget(ctx: &Ctx<'_>, pairs: &[Pair]) {
    let raw = ctx.as_raw().as_ptr();
    for (name, value) in pairs {
        // SAFETY: `learn` has taken these references in the same runtime.
        unsafe {
            qjs::JS_FreeAtom(raw, *name);
            qjs::JS_FreeValue(raw, *value);
        }
    }
}

/// The value of a property.
///
/// # Safety
/// `object` is alive and belongs to the context.
unsafe fn property<'js>(
    ctx: &Ctx<'js>,
    object: qjs::JSValue,
    name: qjs::JSAtom,
) -> Result<Value<'js>> {
    // SAFETY: as the caller promises; what is returned is owned.
    unsafe {
        owned(
            ctx,
            qjs::JS_GetProperty(ctx.as_raw().as_ptr(), object, name),
        )
    }
}

/// Whether both are the same string, by identity.
pub(super) fn same_text(a: qjs::JSValue, b: qjs::JSValue) -> bool {
    // SAFETY: only tags and, of two strings, addresses are compared.
    unsafe {
        qjs::JS_IsString(b)
            && qjs::JS_IsString(a)
            && qjs::JS_VALUE_GET_PTR(a) == qjs::JS_VALUE_GET_PTR(b)
    }
}
