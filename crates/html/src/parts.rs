//! The parts of a URL reference, and references seen from a base (RFC 3986, 3 and 5).

/// A reference cut into its parts; nothing is decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts<'a> {
    pub(crate) scheme: Option<&'a str>,
    pub(crate) authority: Option<&'a str>,
    pub(crate) path: &'a str,
    pub(crate) query: Option<&'a str>,
    pub(crate) fragment: Option<&'a str>,
}

impl<'a> Parts<'a> {
    pub(crate) fn of(reference: &'a str) -> Self {
        let (rest, fragment) = cut(reference, '#');
        let (rest, query) = cut(rest, '?');
        let scheme = rest.split_once(':').filter(|(scheme, _)| {
            let mut characters = scheme.chars();
            characters.next().is_some_and(|c| c.is_ascii_alphabetic())
                && characters.all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
        });
        let (scheme, rest) = scheme.map_or((None, rest), |(scheme, rest)| (Some(scheme), rest));
        let (authority, path) = match rest.strip_prefix("//") {
            None => (None, rest),
            Some(rest) => {
                let end = rest.find('/').unwrap_or(rest.len());
                (Some(&rest[..end]), &rest[end..])
            }
        };
        Self {
            scheme,
            authority,
            path,
            query,
            fragment,
        }
    }

    /// Name and password before the `@`.
    pub(crate) fn user_info(self) -> (&'a str, &'a str) {
        let authority = self.authority.unwrap_or_default();
        let user = authority.rsplit_once('@').map_or("", |(user, _)| user);
        user.split_once(':').unwrap_or((user, ""))
    }

    /// Host and port as they are written.
    pub(crate) fn host(self) -> &'a str {
        let authority = self.authority.unwrap_or_default();
        authority
            .rsplit_once('@')
            .map_or(authority, |(_, host)| host)
    }

    /// Host and port apart; no port is an empty one.
    pub(crate) fn host_and_port(self) -> (&'a str, &'a str) {
        let host = self.host();
        match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => (name, port),
            _ => (host, ""),
        }
    }

    fn text(self) -> String {
        let mut text = String::new();
        if let Some(scheme) = self.scheme {
            text.push_str(scheme);
            text.push(':');
        }
        if let Some(authority) = self.authority {
            text.push_str("//");
            text.push_str(authority);
        }
        text.push_str(self.path);
        for (mark, part) in [('?', self.query), ('#', self.fragment)] {
            if let Some(part) = part {
                text.push(mark);
                text.push_str(part);
            }
        }
        text
    }
}

fn cut(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// What `reference` means in a document at `base`; without a base it stays as it is.
#[must_use]
pub fn resolve(base: &str, reference: &str) -> String {
    let (base, given) = (Parts::of(base), Parts::of(reference));
    if base.scheme.is_none() {
        return reference.to_owned();
    }
    if given.scheme.is_some() {
        return reference.to_owned();
    }
    let mut whole = given;
    whole.scheme = base.scheme;
    if given.authority.is_some() {
        return whole.text();
    }
    whole.authority = base.authority;
    let path = if given.path.is_empty() {
        whole.query = given.query.or(base.query);
        base.path.to_owned()
    } else if given.path.starts_with('/') {
        without_dots(given.path)
    } else {
        let folder = base.path.rfind('/').map_or("/", |end| &base.path[..=end]);
        without_dots(&format!("{folder}{}", given.path))
    };
    whole.path = &path;
    whole.text()
}

/// An absolute path without its `.` and `..`.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if is_last {
                    kept.push("");
                }
            }
            segment => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_as_rfc_3986_says() {
        let base = "http://a/b/c/d;p?q";
        for (reference, expected) in [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("g;x=1/../y", "http://a/b/c/y"),
        ] {
            assert_eq!(resolve(base, reference), expected, "{reference}");
        }
        assert_eq!(resolve("", "/x"), "/x");
        assert_eq!(resolve("http://h", "x"), "http://h/x");
    }

    #[test]
    fn parts_are_cut_where_they_end() {
        let parts = Parts::of("http://user:pw@example.com:8080/p/a?x=y#z");
        assert_eq!(parts.user_info(), ("user", "pw"));
        assert_eq!(parts.host_and_port(), ("example.com", "8080"));
        assert_eq!(
            (parts.path, parts.query, parts.fragment),
            ("/p/a", Some("x=y"), Some("z"))
        );
        assert_eq!(Parts::of("http://[::1]/").host_and_port(), ("[::1]", ""));
    }
}
