//! What `k6/http` keeps per VU and per worker.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use netload_engine::worker::Worker;
use netload_http::Encoding;
use rquickjs::Ctx;

use super::cookies::JarRef;
use super::expectation::Expectation;
use super::label::Labels;
use super::prepared::{LastGet, PreparedCache};
use super::record::RequestKeys;
use super::response::ResponseClass;

/// Per VU.
#[derive(Default)]
pub(crate) struct HttpState {
    /// The cookies of the current iteration.
    pub(super) jar: RefCell<JarRef>,
    /// Who judges statuses unless a request says otherwise.
    pub(super) expectation: RefCell<Expectation>,
    /// The class of responses in the VU's runtime.
    pub(super) class: ResponseClass,
    /// The last plain GET request.
    pub(super) last_get: LastGet,
    /// The tags that requests were given.
    pub(super) labels: Labels,
}

impl HttpState {
    /// Called before each iteration: forgets the cookies of the last one, unless the plan keeps them.
    pub(crate) fn start_iteration(&self, keep_cookies: bool) {
        if !keep_cookies {
            self.jar.borrow_mut().renew();
        }
    }

    /// Lets go of what belongs to the VU's runtime.
    pub(crate) fn end(&self, ctx: &Ctx<'_>) {
        self.last_get.forget(ctx);
        self.labels.end(ctx);
        self.class.end(ctx);
    }
}

/// Per worker.
pub(crate) struct HttpLocal {
    /// How requests become bytes.
    pub(super) encoding: Rc<Encoding>,
    /// The user agent in it, as responses show it.
    pub(super) user_agent: Rc<str>,
    /// Plain GET requests sent before.
    pub(super) prepared: RefCell<PreparedCache>,
    /// Numbers of requests for the series they count for.
    pub(super) keys: RefCell<RequestKeys>,
    /// Whether the end of the default number of redirects was already warned of.
    pub(super) redirects_warned: Cell<bool>,
}

impl HttpLocal {
    /// For one worker.
    pub(crate) fn new(worker: &Worker) -> Self {
        let http = &worker.plan.http;
        Self {
            encoding: Rc::new(Encoding {
                user_agent: http.user_agent.clone(),
                close: http.no_connection_reuse,
            }),
            user_agent: http.user_agent.as_str().into(),
            prepared: RefCell::default(),
            keys: RefCell::default(),
            redirects_warned: Cell::new(false),
        }
    }
}
