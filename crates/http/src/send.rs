//! A request from the caller's view: redirects, cookies and authentication included.
//!
//! Owns the sequence of exchanges that one request becomes, by the rules of Go's client as k6 uses it. Invariant:
//! every exchange is shown to the caller exactly once, in order, before the next one starts.

use std::cell::RefCell;
use std::rc::Rc;

use rand::rngs::SmallRng;
use rand::{RngCore, SeedableRng};

use crate::auth::Challenge;
use crate::client::{Client, ExchangeOptions};
use crate::cookies::{Jar, SetCookie, is_below};
use crate::error::HttpError;
use crate::exchange::Exchange;
use crate::ntlm;
use crate::request::{Encoding, Headers, Prepared, Request};
use crate::url::Url;

/// How credentials in the URL are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AuthMode {
    /// Sent with the request.
    #[default]
    Basic,
    /// Also used to answer a digest challenge.
    Digest,
    /// Used to answer a challenge of NTLM.
    Ntlm,
}

/// A request that is sent again and again: prepared once as far as possible.
#[derive(Debug)]
pub struct Call {
    request: Request,
    encoding: Rc<Encoding>,
    prepared: Prepared,
}

impl Call {
    /// Prepares a request for `client`'s worker.
    ///
    /// # Errors
    /// When it cannot be sent as it is.
    pub fn new(
        request: Request,
        encoding: &Rc<Encoding>,
        client: &Client,
    ) -> Result<Self, HttpError> {
        let origin = request.url.origin()?;
        let proxy = client.dialer().plain_proxy(&origin);
        Ok(Self {
            prepared: Prepared::new(&request, encoding, proxy)?,
            encoding: encoding.clone(),
            request,
        })
    }

    /// The request.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The bytes that are sent while the jar has no cookies for the URL.
    pub fn prepared(&self) -> &Prepared {
        &self.prepared
    }
}

/// How a call is carried out.
#[derive(Clone, Copy, Debug)]
pub struct SendOptions<'a> {
    /// Deadline of the whole, and what happens to bodies.
    pub exchange: ExchangeOptions,
    /// Redirects that are followed.
    pub max_redirects: u32,
    /// Where cookies come from and go to.
    pub jar: Option<&'a RefCell<Jar>>,
    /// What credentials are used for.
    pub auth: AuthMode,
    /// Where the bytes of each request are put before it is sent, for somebody who shows them.
    pub sent: Option<&'a RefCell<Vec<u8>>>,
}

/// One exchange of a call, as it is measured.
#[derive(Debug)]
pub struct Hop<'a> {
    /// What happened.
    pub exchange: &'a Exchange,
    /// Where it went.
    pub url: &'a Url,
    /// The method it used.
    pub method: &'a str,
    /// A challenge that was to be expected: no failure whatever the status says.
    pub challenge: bool,
}

/// The end of a call.
#[derive(Debug)]
pub struct Sent {
    /// The last exchange. Its `error` is also set when the redirect it brought could not be followed.
    pub exchange: Exchange,
    /// Where the last exchange went.
    pub url: Url,
    /// The redirects that were followed.
    pub redirects: u32,
    /// Whether one more was wanted than allowed.
    pub stopped: bool,
}

/// The request of the hop at hand.
struct Current {
    request: Request,
    redirects: u32,
    /// Headers for the first host only have been dropped, for good.
    stripped: bool,
}

enum Next {
    Stop,
    Limit,
    Broken(HttpError),
    Follow(Box<Current>),
}

impl Client {
    /// Sends a request, follows redirects and answers a digest challenge; `on_hop` sees every exchange. Never fails as
    /// such: a failure is in the last exchange.
    pub async fn send(
        &self,
        call: &Call,
        options: &SendOptions<'_>,
        on_hop: impl FnMut(Hop<'_>),
    ) -> Sent {
        self.carry_on(call, None, options, on_hop).await
    }

    /// [`Client::send`] for a caller that has done the first exchange itself, with [`Client::exchange`] and the call's
    /// prepared bytes.
    pub async fn finish(
        &self,
        call: &Call,
        first: Exchange,
        options: &SendOptions<'_>,
        on_hop: impl FnMut(Hop<'_>),
    ) -> Sent {
        self.carry_on(call, Some(first), options, on_hop).await
    }

    async fn carry_on(
        &self,
        call: &Call,
        mut done: Option<Exchange>,
        options: &SendOptions<'_>,
        mut on_hop: impl FnMut(Hop<'_>),
    ) -> Sent {
        let mut current: Option<Box<Current>> = None;
        loop {
            let request = current.as_ref().map_or(&call.request, |hop| &hop.request);
            let first = current.is_none().then_some(&call.prepared);
            let mut exchange = self
                .hop(
                    request,
                    first,
                    done.take(),
                    &call.encoding,
                    options,
                    &mut on_hop,
                )
                .await;
            let redirects = current.as_ref().map_or(0, |hop| hop.redirects);
            let mut next = self.next(call, current.as_deref(), &exchange, options.max_redirects);
            if let Next::Broken(error) = next {
                exchange.status = 0;
                exchange.error = Some(error);
                next = Next::Stop;
            }
            on_hop(Hop {
                exchange: &exchange,
                url: &request.url,
                method: &request.method,
                challenge: false,
            });
            match next {
                Next::Follow(hop) => current = Some(hop),
                Next::Stop | Next::Limit | Next::Broken(_) => {
                    return Sent {
                        exchange,
                        url: request.url.clone(),
                        redirects,
                        stopped: matches!(next, Next::Limit),
                    };
                }
            }
        }
    }

    /// One hop: an exchange, or more when a challenge has to be answered. Shows only the challenges.
    async fn hop(
        &self,
        request: &Request,
        first: Option<&Prepared>,
        done: Option<Exchange>,
        encoding: &Encoding,
        options: &SendOptions<'_>,
        on_hop: &mut impl FnMut(Hop<'_>),
    ) -> Exchange {
        let exchange = match done {
            Some(exchange) => {
                self.keep_cookies(request, &exchange, options);
                exchange
            }
            None => self
                .one(request, first, encoding, options)
                .await
                .unwrap_or_else(Exchange::failed),
        };
        if exchange.status != 401 {
            return exchange;
        }
        match options.auth {
            AuthMode::Basic => exchange,
            AuthMode::Digest => match self.digest_answer(request, &exchange) {
                None => exchange,
                Some(answer) => {
                    on_hop(challenge(request, &exchange));
                    self.answered(request, answer, encoding, options).await
                }
            },
            // Boxed, because it is rare and its state is large.
            AuthMode::Ntlm => {
                Box::pin(self.ntlm(request, exchange, encoding, options, on_hop)).await
            }
        }
    }

    /// The same request with this `Authorization`.
    async fn answered(
        &self,
        request: &Request,
        answer: String,
        encoding: &Encoding,
        options: &SendOptions<'_>,
    ) -> Exchange {
        let mut request = request.clone();
        request.headers.set("Authorization", answer);
        self.one(&request, None, encoding, options)
            .await
            .unwrap_or_else(Exchange::failed)
    }

    /// Answers a challenge of NTLM. It holds for the connection that the question went over, which is the one used last,
    /// and nothing else gets a chance to take it: no wait is between the end of an exchange and the choice of the next
    /// one's connection.
    async fn ntlm(
        &self,
        request: &Request,
        first: Exchange,
        encoding: &Encoding,
        options: &SendOptions<'_>,
        on_hop: &mut impl FnMut(Hop<'_>),
    ) -> Exchange {
        let own = request.headers.first("Authorization");
        let user = request.url.user().filter(|_| own.is_none());
        let (Some(user), Some(scheme)) = (user, ntlm::scheme(&first)) else {
            return first;
        };
        on_hop(challenge(request, &first));
        let question = ntlm::question(scheme);
        let second = self.answered(request, question, encoding, options).await;
        let Some(found) = ntlm::Challenge::of(&second, scheme).filter(|_| second.status == 401)
        else {
            return second;
        };
        on_hop(challenge(request, &second));
        let now_ns = self.clock().now_ns();
        let nonce = SmallRng::seed_from_u64(now_ns).next_u64().to_le_bytes();
        let answer = found.answer(scheme, user, nonce, self.clock().unix_ns(now_ns));
        self.answered(request, answer, encoding, options).await
    }

    /// One exchange with the jar before and behind it.
    async fn one(
        &self,
        request: &Request,
        prepared: Option<&Prepared>,
        encoding: &Encoding,
        options: &SendOptions<'_>,
    ) -> Result<Exchange, HttpError> {
        let cookies = self.jar_cookies(request, options);
        let exchange = match prepared {
            Some(prepared) if cookies.is_empty() => {
                note(prepared, options);
                self.exchange(prepared, &options.exchange).await
            }
            _ => {
                let origin = request.url.origin()?;
                let proxy = self.dialer().plain_proxy(&origin);
                let prepared = Prepared::with_cookies(request, encoding, proxy, &cookies)?;
                note(&prepared, options);
                self.exchange(&prepared, &options.exchange).await
            }
        };
        self.keep_cookies(request, &exchange, options);
        Ok(exchange)
    }

    fn keep_cookies(&self, request: &Request, exchange: &Exchange, options: &SendOptions<'_>) {
        if let Some(jar) = options.jar
            && exchange.head().is_some_and(|head| head.has_cookies)
        {
            let now_s = self.unix_s();
            let mut jar = jar.borrow_mut();
            for cookie in exchange.cookies() {
                jar.set(&request.url, &cookie, now_s);
            }
        }
    }

    fn jar_cookies(&self, request: &Request, options: &SendOptions<'_>) -> String {
        let Some(jar) = options.jar else {
            return String::new();
        };
        let jar = jar.borrow();
        if jar.is_empty() {
            return String::new();
        }
        jar.header_for(&request.url, self.unix_s(), |name| {
            let mut own = request.cookies.iter();
            own.any(|cookie| cookie.replace && cookie.name == name)
        })
    }

    fn digest_answer(&self, request: &Request, exchange: &Exchange) -> Option<String> {
        let user = request.url.user()?;
        let challenge = exchange
            .headers()
            .filter(|(name, _)| name.eq_ignore_ascii_case("www-authenticate"))
            .find_map(|(_, value)| Challenge::parse(std::str::from_utf8(&value).ok()?))?;
        let mut random = SmallRng::seed_from_u64(self.clock().now_ns());
        let cnonce = format!("{:016x}{:016x}", random.next_u64(), random.next_u64());
        Some(challenge.answer(user, &request.method, &request.url.target(), &cnonce))
    }

    /// What the response asks for.
    fn next(
        &self,
        call: &Call,
        current: Option<&Current>,
        exchange: &Exchange,
        max_redirects: u32,
    ) -> Next {
        if !matches!(exchange.status, 301 | 302 | 303 | 307 | 308) {
            return Next::Stop;
        }
        let location = exchange.header("Location").unwrap_or_default();
        let location = String::from_utf8_lossy(&location);
        let redirects = current.map_or(0, |hop| hop.redirects);
        if location.is_empty() {
            return Next::Stop;
        }
        if redirects >= max_redirects {
            return Next::Limit;
        }
        let request = current.map_or(&call.request, |hop| &hop.request);
        let url = match request.url.join(&location) {
            Ok(url) => url,
            Err(HttpError::Url { reason }) => {
                return Next::Broken(HttpError::request(format!(
                    "failed to parse Location header {location:?}: {reason}"
                )));
            }
            Err(error) => return Next::Broken(error),
        };
        let keeps_body = matches!(exchange.status, 307 | 308);
        let stripped =
            current.is_some_and(|hop| hop.stripped) || !same_or_below(&url, &call.request.url);
        let absolute = Url::parse(&location).is_ok_and(|url| !url.scheme().is_empty());
        let mut headers = redirect_headers(&call.request.headers, keeps_body, stripped, absolute);
        if let Some(referer) = referer(&request.url, &url, &headers) {
            headers.set("Referer", referer);
        }
        let method = if keeps_body || matches!(request.method.as_str(), "GET" | "HEAD") {
            request.method.clone()
        } else {
            "GET".to_owned()
        };
        Next::Follow(Box::new(Current {
            request: Request {
                body: request.body.clone().filter(|_| keeps_body),
                method,
                url,
                headers,
                // Cookies of the request alone go along, but like credentials not to other hosts.
                cookies: if stripped {
                    Vec::new()
                } else {
                    call.request.cookies.clone()
                },
                withhold_credentials: request.withhold_credentials,
            },
            redirects: redirects + 1,
            stripped,
        }))
    }

    /// Seconds since 1970, as cookies count.
    fn unix_s(&self) -> i64 {
        let clock = self.clock();
        (clock.unix_ns(clock.now_ns()) / 1_000_000_000) as i64
    }
}

impl Exchange {
    /// The cookies the response sets, in order.
    pub fn cookies(&self) -> impl Iterator<Item = SetCookie> {
        self.headers()
            .filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"))
            .filter_map(|(_, value)| SetCookie::parse(std::str::from_utf8(&value).ok()?))
    }
}

/// Keeps what is about to be sent, when somebody wants that.
fn note(prepared: &Prepared, options: &SendOptions<'_>) {
    if let Some(sent) = options.sent {
        prepared.copy_to(&mut sent.borrow_mut());
    }
}

/// The hop of a challenge that is going to be answered.
fn challenge<'a>(request: &'a Request, exchange: &'a Exchange) -> Hop<'a> {
    Hop {
        exchange,
        url: &request.url,
        method: &request.method,
        challenge: true,
    }
}

fn same_or_below(url: &Url, first: &Url) -> bool {
    let host = url.hostname().to_ascii_lowercase();
    let first = first.hostname().to_ascii_lowercase();
    host == first || is_below(&host, &first)
}

/// The headers of the first request, without those that are not for the next one.
fn redirect_headers(first: &Headers, keeps_body: bool, stripped: bool, absolute: bool) -> Headers {
    let mut headers = first.clone();
    // The jar speaks for cookies from here on.
    headers.remove("Cookie");
    if stripped {
        for name in [
            "Authorization",
            "Www-Authenticate",
            "Cookie2",
            "Proxy-Authorization",
            "Proxy-Authenticate",
        ] {
            headers.remove(name);
        }
    }
    if !keeps_body {
        for name in [
            "Content-Encoding",
            "Content-Language",
            "Content-Location",
            "Content-Type",
        ] {
            headers.remove(name);
        }
    }
    if absolute {
        headers.remove("Host");
    }
    headers
}

/// Where we come from, unless that would leak from TLS into the clear.
fn referer(from: &Url, to: &Url, headers: &Headers) -> Option<String> {
    if from.scheme() == "https" && to.scheme() == "http" {
        return None;
    }
    if headers.first("Referer").is_some() {
        return None;
    }
    let mut from = from.clone();
    from.set_user(None);
    Some(from.to_string())
}
