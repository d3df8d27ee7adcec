//! Promises that were rejected while nobody listened: reported when the jobs are done and still nobody does.

use std::cell::RefCell;

use rquickjs::{Ctx, Persistent, Value};

use crate::context::VuContext;
use crate::error::Failure;

/// Rejections remembered at once; more of them are not told apart.
const REMEMBERED: usize = 100;

/// A rejected promise and its reason.
type Rejection = (Persistent<Value<'static>>, Persistent<Value<'static>>);

/// The unhandled rejections of one VU.
#[derive(Default)]
pub(crate) struct Rejections {
    open: RefCell<Vec<Rejection>>,
}

impl Rejections {
    /// Told by the interpreter: `promise` was rejected without a handler, or now has one.
    pub(crate) fn track<'js>(
        &self,
        ctx: &Ctx<'js>,
        promise: Value<'js>,
        reason: Value<'js>,
        is_handled: bool,
    ) {
        let promise = Persistent::save(ctx, promise);
        let mut open = self.open.borrow_mut();
        if is_handled {
            if let Some(at) = open.iter().position(|(p, _)| *p == promise) {
                let gone = open.swap_remove(at);
                // Freed outside the borrow, because freeing a value can run anything.
                drop(open);
                drop(gone);
            }
        } else if open.len() < REMEMBERED {
            open.push((promise, Persistent::save(ctx, reason)));
        }
    }

    /// Fails with the first rejection nobody handled, and forgets all.
    ///
    /// # Errors
    /// When there is one.
    pub(crate) fn check(&self, ctx: &Ctx<'_>) -> Result<(), Failure> {
        if self.open.borrow().is_empty() {
            return Ok(());
        }
        let open = std::mem::take(&mut *self.open.borrow_mut());
        let Some((_, reason)) = open.into_iter().next() else {
            return Ok(());
        };
        match reason.restore(ctx) {
            Ok(reason) => Err(Failure::thrown(VuContext::of(ctx), &reason, true)),
            Err(_) => Ok(()),
        }
    }

    /// Forgets all.
    pub(crate) fn clear(&self) {
        if self.open.borrow().is_empty() {
            return;
        }
        let gone = std::mem::take(&mut *self.open.borrow_mut());
        drop(gone);
    }
}
