//! Idle connections of one VU.
//!
//! Owns which are kept. Invariant: never more than the limits, and a connection is in the pool or in an exchange,
//! not both.

use std::rc::Rc;

use netload_net::{Connection, Origin};

use crate::timer::Timer;

/// How many idle connections are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolLimits {
    /// In all (the `batch` option); 0 means no limit.
    pub total: usize,
    /// Per origin (the `batchPerHost` option); 0 means no limit.
    pub per_host: usize,
}

impl Default for PoolLimits {
    fn default() -> Self {
        Self {
            total: 20,
            per_host: 6,
        }
    }
}

/// A connection with its timer.
#[derive(Debug)]
pub(crate) struct Pooled {
    pub(crate) connection: Connection,
    pub(crate) timer: Timer,
    /// When it became idle.
    pub(crate) idle_since_ns: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Pool {
    limits: PoolLimits,
    /// Oldest first.
    idle: Vec<(Rc<Origin>, Box<Pooled>)>,
}

impl Pool {
    pub(crate) fn new(limits: PoolLimits) -> Self {
        Self {
            limits,
            idle: Vec::new(),
        }
    }

    /// The connection to `origin` that was used last.
    pub(crate) fn take(&mut self, origin: &Rc<Origin>) -> Option<Box<Pooled>> {
        let at = self.idle.iter().rposition(|(key, _)| same(key, origin))?;
        Some(self.idle.remove(at).1)
    }

    /// Keeps a connection if the limits allow it.
    pub(crate) fn put(&mut self, origin: &Rc<Origin>, connection: Box<Pooled>) {
        let PoolLimits { total, per_host } = self.limits;
        if per_host != 0 && self.idle.len() >= per_host {
            let there = self.idle.iter().filter(|(key, _)| same(key, origin));
            if there.count() >= per_host {
                return;
            }
        }
        if total != 0 && self.idle.len() >= total {
            self.idle.remove(0);
        }
        self.idle.push((origin.clone(), connection));
    }

    /// Whether there is a connection to `origin`.
    pub(crate) fn has(&self, origin: &Rc<Origin>) -> bool {
        self.idle.iter().any(|(key, _)| same(key, origin))
    }

    pub(crate) fn clear(&mut self) {
        self.idle.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.idle.len()
    }
}

/// Whether two origins are the same.
pub(crate) fn same(a: &Rc<Origin>, b: &Rc<Origin>) -> bool {
    Rc::ptr_eq(a, b) || a == b
}
