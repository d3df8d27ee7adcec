//! Requests as the server saw them, in a form that two honest clients share.
//!
//! What may differ without meaning anything is removed here and nowhere else:
//! addresses, the name of the client, multipart boundaries, the order of
//! cookies and parts, digest proofs. Invariant: everything else is compared.

use netload_target::LoggedRequest;

/// Replaces what differs from run to run in any text: the addresses of the servers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Normalizer {
    replaced: Vec<(String, &'static str)>,
}

impl Normalizer {
    /// Replaces `text` by `name` from now on.
    pub(crate) fn replace(&mut self, text: impl Into<String>, name: &'static str) {
        self.replaced.push((text.into(), name));
    }

    /// The text with all replacements made.
    pub(crate) fn apply(&self, text: &str) -> String {
        self.replaced
            .iter()
            .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
    }
}

/// One line per request.
pub(crate) fn line(request: &LoggedRequest, normalizer: &Normalizer) -> String {
    let boundary = boundary(request);
    let headers: Vec<_> = request
        .headers
        .iter()
        .filter(|(name, _)| boundary.is_none() || !name.eq_ignore_ascii_case("content-length"))
        .map(|(name, value)| format!("{name}: {}", header(name, value, boundary.as_deref())))
        .collect();
    let body = match &boundary {
        Some(boundary) => parts(&request.body_text, boundary),
        None if request.body_bytes == 0 => String::new(),
        None if request.body_bytes == request.body_text.len() => request.body_text.clone(),
        None => format!("{} bytes {}", request.body_bytes, request.body_sha256),
    };
    normalizer.apply(&format!(
        "{}{} {} HTTP/1.{} [{}] {body:?}",
        if request.secure { "TLS " } else { "" },
        request.method,
        request.target,
        request.minor_version,
        headers.join("; "),
    ))
}

fn header(name: &str, value: &str, boundary: Option<&str>) -> String {
    match name.to_ascii_lowercase().as_str() {
        "user-agent" if value.starts_with("Grafana k6/") || value.starts_with("netload/") => {
            "DEFAULT".to_owned()
        }
        "cookie" => sorted(value, "; "),
        "authorization" if value.starts_with("Digest ") => digest(value),
        "content-type" => match boundary {
            Some(boundary) => value.replace(boundary, "BOUNDARY"),
            None => value.to_owned(),
        },
        _ => value.to_owned(),
    }
}

fn sorted(list: &str, separator: &str) -> String {
    let mut items: Vec<_> = list.split(separator).collect();
    items.sort_unstable();
    items.join(separator)
}

/// The proof depends on a random number of the client; the rest is compared.
fn digest(value: &str) -> String {
    let mut fields: Vec<_> = value
        .trim_start_matches("Digest ")
        .split(',')
        .map(str::trim)
        .map(|field| match field.split_once('=') {
            Some((name @ ("cnonce" | "response"), _)) => format!("{name}=RANDOM"),
            // Quoting is optional for these in the standard.
            Some((name @ ("qop" | "algorithm" | "nc"), value)) => {
                format!("{name}={}", value.trim_matches('"'))
            }
            _ => field.to_owned(),
        })
        .collect();
    fields.sort_unstable();
    format!("Digest {}", fields.join(", "))
}

fn boundary(request: &LoggedRequest) -> Option<String> {
    let (_, content_type) = request
        .headers
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case("content-type"))?;
    let (_, boundary) = content_type.split_once("boundary=")?;
    Some(boundary.trim_matches('"').to_owned())
}

/// Parts come in any order; file names may be times.
fn parts(body: &str, boundary: &str) -> String {
    let mut parts: Vec<_> = body
        .split(&format!("--{boundary}"))
        .map(|part| part.trim_end_matches("\r\n"))
        .filter(|part| !part.is_empty() && *part != "--")
        .map(without_time_names)
        .collect();
    parts.sort_unstable();
    parts.join(" & ")
}

/// `http.file` without a name uses the current time, which is all digits.
fn without_time_names(part: &str) -> String {
    const KEY: &str = "filename=\"";
    let Some(at) = part.find(KEY) else {
        return part.to_owned();
    };
    let (before, name) = part.split_at(at + KEY.len());
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    if digits >= 15 {
        format!("{before}TIME{}", &name[digits..])
    } else {
        part.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_nothing_is_removed_and_the_rest_kept() {
        assert_eq!(header("Cookie", "b=2; a=1", None), "a=1; b=2");
        assert_eq!(header("User-Agent", "netload/0.1.0", None), "DEFAULT");
        assert_eq!(header("User-Agent", "mine", None), "mine");
        assert_eq!(
            header(
                "Authorization",
                "Digest username=\"u\", cnonce=\"x\", response=\"y\", qop=auth",
                None
            ),
            "Digest cnonce=RANDOM, qop=auth, response=RANDOM, username=\"u\""
        );
    }

    #[test]
    fn multipart_bodies_are_compared_part_by_part() {
        let one = "--X\r\nA\r\n--X\r\nB\r\n--X--\r\n";
        let other = "--YY\r\nB\r\n--YY\r\nA\r\n--YY--\r\n";
        assert_eq!(parts(one, "X"), parts(other, "YY"));
        assert_eq!(
            without_time_names("filename=\"1700000000000000000\"; x"),
            "filename=\"TIME\"; x"
        );
    }
}
