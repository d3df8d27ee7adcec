//! Basic and digest authentication.
//!
//! Owns the computation of `Authorization`. The exchange of challenge and answer is `send`'s. Invariant: credentials
//! never appear in errors.

use aws_lc_rs::digest::{SHA256, digest as sha};
use base64::Engine as _;
use md5::{Digest as _, Md5};

use crate::url::UserInfo;

/// The value of `Authorization` for basic authentication.
pub fn basic(user: &UserInfo) -> String {
    let password = user.password.as_deref().unwrap_or_default();
    let encoded =
        base64::engine::general_purpose::STANDARD.encode(format!("{}:{password}", user.name));
    format!("Basic {encoded}")
}

/// A server's digest challenge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Challenge {
    realm: String,
    nonce: String,
    opaque: Option<String>,
    algorithm: Option<String>,
    /// Whether `auth` is among the offered qualities of protection.
    auth: bool,
}

impl Challenge {
    /// Reads a `WWW-Authenticate` value; `None` when it is no digest challenge that can be answered.
    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.trim().split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("digest") {
            return None;
        }
        let mut challenge = Self::default();
        let mut qop = None;
        for (name, value) in parameters(rest) {
            match name.to_ascii_lowercase().as_str() {
                "realm" => challenge.realm = value,
                "nonce" => challenge.nonce = value,
                "opaque" => challenge.opaque = Some(value),
                "algorithm" => challenge.algorithm = Some(value),
                "qop" => qop = Some(value),
                _ => {}
            }
        }
        let algorithm = challenge.algorithm.as_deref().unwrap_or("MD5");
        let known = ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess"];
        if challenge.nonce.is_empty()
            || !known
                .iter()
                .any(|name| name.eq_ignore_ascii_case(algorithm))
        {
            return None;
        }
        if let Some(qop) = qop {
            challenge.auth = qop
                .split(',')
                .any(|part| part.trim().eq_ignore_ascii_case("auth"));
            if !challenge.auth {
                return None;
            }
        }
        Some(challenge)
    }

    /// The value of `Authorization` that answers it. `cnonce` is random text of ours.
    pub fn answer(&self, user: &UserInfo, method: &str, target: &str, cnonce: &str) -> String {
        let algorithm = self.algorithm.as_deref().unwrap_or("MD5");
        let upper = algorithm.to_ascii_uppercase();
        let hash = |text: &str| {
            if upper.starts_with("SHA-256") {
                hex(sha(&SHA256, text.as_bytes()).as_ref())
            } else {
                hex(&Md5::digest(text.as_bytes()))
            }
        };
        let password = user.password.as_deref().unwrap_or_default();
        let mut secret = hash(&format!("{}:{}:{password}", user.name, self.realm));
        if upper.ends_with("-SESS") {
            secret = hash(&format!("{secret}:{}:{cnonce}", self.nonce));
        }
        let what = hash(&format!("{method}:{target}"));
        let response = if self.auth {
            hash(&format!(
                "{secret}:{}:00000001:{cnonce}:auth:{what}",
                self.nonce
            ))
        } else {
            hash(&format!("{secret}:{}:{what}", self.nonce))
        };
        let mut value = format!(
            "Digest realm=\"{}\", nonce=\"{}\", algorithm=\"{algorithm}\", username=\"{}\", uri=\"{target}\", response=\"{response}\"",
            quoted(&self.realm),
            quoted(&self.nonce),
            quoted(&user.name),
        );
        if self.auth {
            value.push_str(", qop=auth");
        }
        if let Some(opaque) = &self.opaque {
            value.push_str(&format!(", opaque=\"{}\"", quoted(opaque)));
        }
        if self.auth {
            value.push_str(&format!(", cnonce=\"{cnonce}\", nc=00000001"));
        }
        value
    }
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Splits `a=b, c="d, \"e\""`.
fn parameters(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text.trim_start_matches([' ', ',']);
    while let Some((name, after)) = rest.split_once('=') {
        let name = name.trim().to_owned();
        let after = after.trim_start();
        let (value, left) = match after.strip_prefix('"') {
            Some(inner) => quoted_value(inner),
            None => {
                let end = after.find(',').unwrap_or(after.len());
                (after[..end].trim().to_owned(), &after[end..])
            }
        };
        found.push((name, value));
        rest = left.trim_start_matches([' ', ',', '\t']);
    }
    found
}

fn quoted_value(inner: &str) -> (String, &str) {
    let mut value = String::new();
    let mut letters = inner.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return (value, &inner[at + 1..]),
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            letter => value.push(letter),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str, password: &str) -> UserInfo {
        UserInfo {
            name: name.into(),
            password: Some(password.into()),
        }
    }

    #[test]
    fn basic_credentials() {
        assert_eq!(basic(&user("u", "p@")), "Basic dTpwQA==");
        let alone = UserInfo {
            name: "u".into(),
            password: None,
        };
        assert_eq!(basic(&alone), "Basic dTo=");
    }

    /// The examples of RFC 7616, section 3.9.1.
    #[test]
    fn digests_of_the_standard() {
        let check = |algorithm: &str, expected: &str| {
            let text = format!(
                "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm={algorithm}, nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
            );
            let value = Challenge::parse(&text).unwrap().answer(
                &user("Mufasa", "Circle of Life"),
                "GET",
                "/dir/index.html",
                "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
            );
            assert!(
                value.contains(&format!("response=\"{expected}\"")),
                "{value}"
            );
        };
        check("MD5", "8ca523f5e9506fed4657c9700eebdbec");
        check(
            "SHA-256",
            "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1",
        );
    }

    #[test]
    fn the_answer_as_it_goes_out() {
        let challenge =
            Challenge::parse("digest realm=\"a \\\"b\\\", c\",nonce=n , qop=auth,opaque=\"op\"")
                .unwrap();
        let value = challenge.answer(&user("u", "p"), "GET", "/", "cn");
        assert!(value.starts_with("Digest realm=\"a \\\"b\\\", c\", nonce=\"n\", algorithm=\"MD5\", username=\"u\", uri=\"/\", response=\""));
        assert!(value.ends_with("\", qop=auth, opaque=\"op\", cnonce=\"cn\", nc=00000001"));
    }

    #[test]
    fn challenges_that_cannot_be_answered() {
        for text in [
            "Basic realm=\"x\"",
            "Digest",
            "Digest realm=\"x\"",
            "Digest nonce=\"x\", algorithm=SHA-512",
            "Digest nonce=\"x\", qop=\"auth-int\"",
        ] {
            assert_eq!(Challenge::parse(text), None, "{text}");
        }
    }
}
