//! The explicit list of paths, and how a request finds its handler.
//!
//! The list is the only source of the documentation: `routes_help` prints it,
//! and `ROUTES.md` is checked against it by a test.
//!
//! Invariant: the first entry that matches answers; nothing registers itself.

mod auth;
mod content;
mod echo;
mod meta;
mod navigation;
mod ntlm;
mod timing;

use std::fmt::Write;

use rustls::ServerConnection;

use crate::faults;
use crate::reply::Reply;
use crate::request::Request;
use crate::state::State;

/// Requests to paths that begin like this are not logged.
pub(crate) const LOG_PATH: &str = "/__log";

/// A request together with what its handler may need.
pub(crate) struct Call<'a> {
    /// The request.
    pub(crate) request: &'a Request<'a>,
    /// What the server's workers share.
    pub(crate) state: &'a State,
    /// The TLS session it came over.
    pub(crate) session: Option<&'a ServerConnection>,
    arguments: Vec<&'a str>,
}

impl<'a> Call<'a> {
    /// The `index`th placeholder of the path as it was sent.
    pub(crate) fn argument(&self, index: usize) -> &'a str {
        self.arguments.get(index).copied().unwrap_or("")
    }
}

/// One path and what it does.
struct Route {
    /// `{name}` stands for one segment, a last `{name*}` for any number of them.
    pattern: &'static str,
    /// One line for the user.
    about: &'static str,
    answer: fn(&Call<'_>) -> Reply,
}

const fn route(
    pattern: &'static str,
    about: &'static str,
    answer: fn(&Call<'_>) -> Reply,
) -> Route {
    Route {
        pattern,
        about,
        answer,
    }
}

#[rustfmt::skip]
const ROUTES: &[Route] = &[
    // Known service times.
    route("/", "12 bytes, at once", content::hello),
    route("/fast", "the same", content::hello),
    route("/fixed/{time}", "12 bytes after exactly that time: /fixed/10ms", timing::fixed),
    route("/exp/{mean}", "after an exponentially distributed time: /exp/10ms", timing::exponential),
    route("/bimodal/{fast}/{slow}/{share}", "after one of two times: /bimodal/5ms/100ms/0.1", timing::bimodal),
    route("/stall", "at once, but all answers stall together: /stall?every=1s&for=200ms", timing::stall),
    route("/queue/{time}/{places}", "served for that time, so many at once, the others in line: /queue/20ms/4?line=10", timing::queue),
    route("/slow/bytes/{n}/over/{time}", "n bytes dripping over that time: /slow/bytes/1000/over/2s", timing::slow_bytes),
    route("/delay/{seconds}", "what was sent, after that many seconds (or /delay/250ms)", timing::delay),
    // Content.
    route("/bytes/{n}", "n bytes (64k, 1m), the same every time", content::bytes),
    route("/stream/{n}", "n JSON lines with chunked encoding", content::stream),
    route("/json", "a JSON document with every type in it", content::json_document),
    route("/html", "a page with headings, links and a form", content::html_page),
    route("/utf8", "text in many scripts", content::utf8),
    route("/gzip", "what was sent, gzip-compressed", content::gzip),
    route("/deflate", "what was sent, zlib-compressed", content::deflate),
    route("/brotli", "what was sent, brotli-compressed", content::brotli),
    route("/zstd", "what was sent, zstd-compressed", content::zstd),
    route("/packed/{codings}", "what was sent, compressed by several: /packed/gzip,br", content::stacked),
    // What was sent, back again.
    route("/echo", "method, target, header fields and body as they arrived", echo::echo),
    route("/get", "GET only: arguments, headers, URL", echo::get),
    route("/post", "POST only: the same with data, form, files, json", echo::post),
    route("/put", "PUT only", echo::put),
    route("/patch", "PATCH only", echo::patch),
    route("/delete", "DELETE only", echo::delete),
    route("/anything/{any*}", "the same for every method and path below", echo::anything),
    route("/headers", "the header fields", echo::headers),
    route("/upload", "length and SHA-256 of the body", echo::upload),
    route("/forms/post", "a form that posts to /post", content::form_page),
    // Statuses, redirects, cookies.
    route("/status/{code}", "that status, no body", navigation::status),
    route("/redirect/{n}", "n redirects, then /get", navigation::redirect),
    route("/redirect-to", "a redirect: /redirect-to?url=/get&status=307", navigation::redirect_to),
    route("/response-headers", "header fields from the query: ?Name=value", navigation::response_headers),
    route("/answer/{status}", "that status, with fields from the query: ?Name=value&body=text", navigation::answer),
    route("/cookies", "the cookies that were sent", navigation::cookies),
    route("/cookies/set", "sets cookies from the query, then /cookies", navigation::set_cookies),
    route("/cookies/delete", "deletes the cookies named in the query, then /cookies", navigation::delete_cookies),
    // Authentication.
    route("/basic-auth/{user}/{password}", "401 unless these are sent", auth::basic),
    route("/digest-auth/{qop}/{user}/{password}", "the same with digest: /digest-auth/auth/u/p", auth::digest),
    route("/digest-auth/{qop}/{user}/{password}/{algorithm}", "with MD5 or SHA-256", auth::digest),
    route("/ntlm/{user}/{password}", "the same with NTLM", ntlm::ntlm),
    route("/files/{path*}", "a file of the folders given to the server as a library", content::file),
    route("/bearer", "401 unless a bearer token is sent", auth::bearer),
    // The server itself.
    route("/healthz", "200 when the server runs", meta::health),
    route("/counter", "a number that grows with every request", meta::counter),
    route("/counter/{name}", "one such number for each name", meta::counter),
    route("/connection/close", "12 bytes, then the connection is closed", meta::connection_close),
    route("/connection", "the number of this connection and of all so far", meta::connection),
    route("/tls", "version, cipher suite, server name, client certificate", meta::tls),
    route("/__log", "what arrived, if the server logs requests", meta::log),
    route("/__log/clear", "forgets what arrived", meta::log_clear),
    route("/fault/{name}", "a broken answer; see below", faults::answer),
];

/// The answer to a request.
pub(crate) fn answer(
    request: &Request<'_>,
    state: &State,
    session: Option<&ServerConnection>,
) -> Reply {
    for route in ROUTES {
        if let Some(arguments) = matches(route.pattern, request.path) {
            return (route.answer)(&Call {
                request,
                state,
                session,
                arguments,
            });
        }
    }
    Reply::new(404, "text/plain; charset=utf-8", "no such path\n")
}

/// The placeholders' values if `path` matches.
fn matches<'a>(pattern: &str, path: &'a str) -> Option<Vec<&'a str>> {
    let mut arguments = Vec::new();
    let mut wanted = pattern.split('/');
    let mut given = path.split('/');
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return Some(arguments),
            (Some(open), _) if open.ends_with("*}") => return Some(arguments),
            (Some(open), Some(value)) if open.starts_with('{') && !value.is_empty() => {
                arguments.push(value);
            }
            (Some(literal), Some(value)) if literal == value => {}
            _ => return None,
        }
    }
}

/// The paths and faults as text for a terminal: one line each.
pub fn routes_help() -> String {
    let lines = ROUTES.iter().map(|route| (route.pattern, route.about));
    let mut help = String::from("Paths:\n");
    columns(&mut help, lines);
    help.push_str("\nFaults, each below /fault/:\n");
    columns(&mut help, faults::FAULTS.iter().map(|f| (f.name, f.about)));
    help
}

/// The same as Markdown tables, for the documentation.
pub fn routes_markdown() -> String {
    let mut text = String::from("| path | answer |\n|---|---|\n");
    for route in ROUTES {
        let _ = writeln!(text, "| `{}` | {} |", route.pattern, route.about);
    }
    text.push_str("\n| fault | what it does |\n|---|---|\n");
    for fault in faults::FAULTS {
        let _ = writeln!(text, "| `/fault/{}` | {} |", fault.name, fault.about);
    }
    text
}

fn columns<'a>(out: &mut String, lines: impl Iterator<Item = (&'a str, &'a str)> + Clone) {
    let width = lines.clone().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, about) in lines {
        let _ = writeln!(out, "  {name:width$}  {about}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_segments_and_tails() {
        assert_eq!(matches("/a/{x}/c/{y}", "/a/1/c/2"), Some(vec!["1", "2"]));
        assert_eq!(matches("/a/{x}", "/a/"), None);
        assert_eq!(matches("/a/{x}", "/a/1/2"), None);
        assert_eq!(matches("/any/{rest*}", "/any"), Some(vec![]));
        assert_eq!(matches("/any/{rest*}", "/any/1/2"), Some(vec![]));
        assert_eq!(matches("/any/{rest*}", "/anything"), None);
    }

    #[test]
    fn the_written_table_is_the_real_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ROUTES.md");
        if std::env::var_os("UPDATE_ROUTES").is_some() {
            std::fs::write(path, routes_markdown()).unwrap();
        }
        let written = std::fs::read_to_string(path).unwrap();
        assert!(
            written == routes_markdown(),
            "out of date; run UPDATE_ROUTES=1 cargo test -p netload-target"
        );
    }
}
