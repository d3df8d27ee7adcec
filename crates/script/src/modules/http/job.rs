//! A request that needs no JavaScript any more: it can wait, run beside others and be sent from any future.

use std::rc::Rc;

use netload_http::compression::{self, Coding};
use netload_http::{Client, Request};
use netload_metrics::TagsId;
use rquickjs::Ctx;

use super::arguments::{DEFAULT_TIMEOUT_NS, Refusal};
use super::cookies::JarRef;
use super::expectation::Expectation;
use super::response::BodyKind;
use crate::context::{Local, Running, VuContext};

/// How the credentials of a URL are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Auth {
    /// As a basic `Authorization` header.
    #[default]
    Basic,
    /// After a challenge.
    Digest,
    /// After a challenge of NTLM, and never before.
    Ntlm,
}

/// How far redirects are followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Redirects {
    /// Hops at most.
    pub(super) limit: u64,
    /// Whether somebody chose the limit; the end of the default one is warned of.
    pub(super) chosen: bool,
}

/// One request with everything that decides how it is sent, measured and shown.
pub(super) struct Job {
    /// The VU's connections.
    pub(super) client: Rc<Client>,
    /// What the VUs of the worker share.
    pub(super) local: Rc<Local>,
    /// Number of the VU and of its iteration, for the samples.
    pub(super) vu: (u64, u64),
    /// What is sent.
    pub(super) request: Request,
    /// The user's name for it.
    pub(super) name: Option<Rc<str>>,
    /// Tags of the VU and of the request.
    pub(super) tags: TagsId,
    /// Where cookies come from and go to.
    pub(super) jar: JarRef,
    /// How credentials in the URL are used.
    pub(super) auth: Auth,
    /// How long all of it may take.
    pub(super) timeout_ns: u64,
    /// How far redirects are followed.
    pub(super) redirects: Redirects,
    /// The form of the response's body.
    pub(super) body_kind: BodyKind,
    /// Who judges the status.
    pub(super) expectation: Expectation,
    /// Whether a failure is an exception.
    pub(super) throw: bool,
}

impl Job {
    /// A request with everything else as the plan and the VU have it.
    pub(super) fn new(ctx: &Ctx<'_>, running: &Running, request: Request) -> Self {
        let vu = VuContext::of(ctx);
        let http = &running.host.worker.plan.http;
        let tags = vu.tags.get();
        Self {
            client: running.client.clone(),
            local: running.local.clone(),
            vu: super::record::ids(vu),
            request,
            name: super::record::name_of_tags(&running.host.worker, tags).map(Into::into),
            tags,
            jar: vu.http_state.jar.borrow().clone(),
            auth: Auth::Basic,
            timeout_ns: DEFAULT_TIMEOUT_NS,
            redirects: Redirects {
                limit: http.max_redirects,
                chosen: http.max_redirects_chosen,
            },
            body_kind: BodyKind::of_plan(&running.host.worker),
            expectation: vu.http_state.expectation.borrow().clone(),
            throw: http.throw,
        }
    }

    /// Sets the body, compressed when that is wanted.
    pub(super) fn set_body(
        &mut self,
        body: Option<Vec<u8>>,
        compression: Option<&str>,
        warn: impl Fn(String),
    ) -> Result<(), Refusal> {
        let length = body.as_ref().map_or(0, Vec::len);
        let mut body = body;
        if let (Some(bytes), Some(names)) = (&body, compression) {
            body = Some(compress(bytes, names)?);
            self.note_encoding(names, &warn);
        }
        self.check_length(body.as_ref().map_or(length, Vec::len), &warn);
        self.request.body = body.map(Into::into);
        Ok(())
    }

    fn note_encoding(&mut self, names: &str, warn: &impl Fn(String)) {
        let encoding = names
            .split(',')
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(", ");
        let headers = &mut self.request.headers;
        match headers.first("Content-Encoding") {
            None => headers.set("Content-Encoding", encoding),
            Some(own) if own != encoding => warn(format!(
                "There's a mismatch between the desired `compression` the manually set `Content-Encoding` header \
                 in the {} request for '{}', the custom header has precedence and won't be overwritten. \
                 This may result in invalid data being sent to the server.",
                self.request.method, self.request.url
            )),
            Some(_) => {}
        }
    }

    fn check_length(&self, length: usize, warn: &impl Fn(String)) {
        let Some(given) = self.request.headers.first("Content-Length") else {
            return;
        };
        if given.trim().parse() != Ok(length) {
            warn(format!(
                "The specified Content-Length header {given:?} in the {} request for {} \
                 doesn't match the actual request body length of {length}, so it will be ignored!",
                self.request.method, self.request.url
            ));
        }
    }
}

fn compress(bytes: &[u8], names: &str) -> Result<Vec<u8>, Refusal> {
    let mut bytes = bytes.to_vec();
    for name in names.split(',').map(str::trim) {
        let Some(coding) = Coding::parse(name) else {
            return Err(Refusal::invalid(format!(
                "unknown compression algorithm {name}, supported algorithms are [gzip deflate zstd br]"
            )));
        };
        bytes = compression::encode(coding, &bytes)
            .map_err(|error| Refusal::invalid(error.to_string()))?;
    }
    Ok(bytes)
}
