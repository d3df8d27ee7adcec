//! The hot path: plain GET requests by the text of their URL, encoded once per worker.

#![allow(unsafe_code)]

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

use netload_engine::exchange::{ExchangeKey, ExchangeSlots, RequestKey};
use netload_engine::worker::Worker;
use netload_http::{Call, Client, Request, Url};
use rquickjs::{Ctx, Result, Value, qjs};

use super::label::same_text;
use super::response::Sent;
use super::state::HttpLocal;
use crate::context::{Running, VuContext};

/// Requests kept per worker; with more distinct URLs than this, all are forgotten and learnt anew.
const KEPT_LIMIT: usize = 1_024;

/// Longest URL that is kept, in bytes.
const URL_LIMIT_BYTES: usize = 2_048;

/// A GET request without anything but its URL.
pub(super) struct PlainGet {
    /// What is sent.
    pub(super) call: Call,
    /// The URL as tags show it.
    pub(super) name: Rc<str>,
    /// The URL as responses show it.
    pub(super) url: Rc<str>,
    /// The request as responses show it.
    pub(super) sent: Rc<Sent>,
    /// Its number in the worker's exchanges.
    pub(super) key: RequestKey,
    /// The series that the last exchange counted for.
    pub(super) last: Cell<Option<(ExchangeKey, ExchangeSlots)>>,
}

/// The requests of one worker.
#[derive(Default)]
pub(super) struct PreparedCache(HashMap<Box<str>, Rc<PlainGet>, BuildHasherDefault<TextHasher>>);

impl PreparedCache {
    /// The request for a URL, none when it was not made before.
    pub(super) fn find(&self, url: &str) -> Option<Rc<PlainGet>> {
        self.0.get(url).cloned()
    }

    fn keep(&mut self, url: &str, get: &Rc<PlainGet>) {
        if url.len() > URL_LIMIT_BYTES {
            return;
        }
        if self.0.len() >= KEPT_LIMIT {
            self.0.clear();
        }
        self.0.insert(url.into(), get.clone());
    }
}

/// A VU's last plain GET request, known again by the identity of the string it was asked with: a literal, a constant
/// or a variable of the environment is the same string in every iteration.
#[derive(Default)]
pub(super) struct LastGet(RefCell<Option<(qjs::JSValue, Rc<PlainGet>)>>);

impl LastGet {
    /// The request that was made with this very string.
    pub(super) fn find(&self, url: qjs::JSValue) -> Option<Rc<PlainGet>> {
        let last = self.0.borrow();
        let (known, get) = last.as_ref()?;
        same_text(*known, url).then(|| get.clone())
    }

    /// Remembers the request of a string.
    pub(super) fn keep(&self, ctx: &Ctx<'_>, url: qjs::JSValue, get: &Rc<PlainGet>) {
        self.forget(ctx);
        // SAFETY: the string is alive; as long as it is held nothing else can have its address.
        let held = unsafe { qjs::JS_DupValue(ctx.as_raw().as_ptr(), url) };
        *self.0.borrow_mut() = Some((held, get.clone()));
    }

    /// Lets go of the string.
    pub(super) fn forget(&self, ctx: &Ctx<'_>) {
        let last = self.0.borrow_mut().take();
        if let Some((held, _)) = last {
            // SAFETY: `keep` has taken this reference in the same runtime.
            unsafe { qjs::JS_FreeValue(ctx.as_raw().as_ptr(), held) };
        }
    }
}

/// The request for a URL that was not asked for last, unless it needs the long way. The value is alive and belongs to
/// the context.
pub(super) fn find(
    ctx: &Ctx<'_>,
    running: &Running,
    url: qjs::JSValue,
) -> Result<Option<Rc<PlainGet>>> {
    // SAFETY: the value is alive; the duplicate is counted.
    let value =
        unsafe { Value::from_raw(ctx.clone(), qjs::JS_DupValue(ctx.as_raw().as_ptr(), url)) };
    let Some(text) = value.into_string() else {
        return Ok(None);
    };
    let text = text.to_cstring()?;
    let local = &running.local.http_local;
    let known = local.prepared.borrow().find(text.as_str());
    let get = known.or_else(|| make(&running.host.worker, local, &running.client, text.as_str()));
    if let Some(get) = &get {
        let state = &VuContext::of(ctx).http_state;
        state.last_get.keep(ctx, url, get);
    }
    Ok(get)
}

/// Makes the request for a URL and remembers it. None when the URL needs the long way: it does not parse, cannot be
/// sent or has credentials.
fn make(worker: &Worker, local: &HttpLocal, client: &Client, text: &str) -> Option<Rc<PlainGet>> {
    let url = Url::parse(text).ok().filter(|url| url.user().is_none())?;
    let shown: Rc<str> = url.to_string().into();
    let request = Request::new("GET", url);
    let get = Rc::new(PlainGet {
        sent: Rc::new(Sent::new(&request, shown.clone(), local)),
        call: Call::new(request, &local.encoding, client).ok()?,
        name: shown.clone(),
        url: shown,
        key: worker.exchanges.borrow_mut().request_key(),
        last: Cell::new(None),
    });
    local.prepared.borrow_mut().keep(text, &get);
    Some(get)
}

/// A quick hash for URLs (FNV-1a over words); the table is small and bounded, so collisions cost little.
#[derive(Default)]
struct TextHasher(u64);

impl Hasher for TextHasher {
    fn write(&mut self, bytes: &[u8]) {
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        const SEED: u64 = 0xcbf2_9ce4_8422_2325;
        let mut hash = self.0 ^ SEED;
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            let mut buffer = [0; 8];
            buffer.copy_from_slice(word);
            hash = (hash ^ u64::from_le_bytes(buffer))
                .wrapping_mul(PRIME)
                .rotate_left(29);
        }
        for byte in words.remainder() {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
        self.0 = hash ^ (hash >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
