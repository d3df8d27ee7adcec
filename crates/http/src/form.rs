//! Form bodies: `application/x-www-form-urlencoded` and `multipart/form-data`.
//!
//! Owns the two encodings, byte for byte as Go's encoders write them. Invariant: no name or value can break out of
//! its place.

use crate::url::escape;

/// Encodes pairs for a query or a form body: sorted by name, the values of one name in their order, blanks as `+`.
pub fn encode_form<N: AsRef<str>, V: AsRef<str>>(pairs: &[(N, V)]) -> String {
    let mut sorted: Vec<_> = pairs.iter().collect();
    sorted.sort_by(|(a, _), (b, _)| a.as_ref().cmp(b.as_ref()));
    let mut text = String::new();
    for (name, value) in sorted {
        if !text.is_empty() {
            text.push('&');
        }
        text.push_str(&encode_component(name.as_ref()));
        text.push('=');
        text.push_str(&encode_component(value.as_ref()));
    }
    text
}

/// Encodes one name or value: letters, digits and `-_.~` stay, a blank becomes `+`.
pub fn encode_component(text: &str) -> String {
    let keep = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~ ".contains(&byte);
    escape(text.as_bytes(), keep).replace(' ', "+")
}

/// One part of a multipart body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part<'a> {
    /// The field's name.
    pub name: &'a str,
    /// File name and content type, when the part is a file.
    pub file: Option<(&'a str, &'a str)>,
    /// The content.
    pub data: &'a [u8],
}

/// A boundary for multipart bodies, from random bytes.
pub fn boundary(random: [u8; 30]) -> String {
    random.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Encodes a multipart body.
pub fn encode_multipart(parts: &[Part<'_>], boundary: &str) -> Vec<u8> {
    let mut body = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            body.extend_from_slice(b"\r\n");
        }
        let mut head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{}\"",
            quoted(part.name)
        );
        if let Some((filename, content_type)) = part.file {
            let content_type = content_type.replace(['\r', '\n'], "");
            head.push_str(&format!(
                "; filename=\"{}\"\r\nContent-Type: {content_type}",
                quoted(filename)
            ));
        }
        head.push_str("\r\n\r\n");
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(part.data);
    }
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    body
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_sorted_and_escaped() {
        let pairs = [("b", "x y"), ("a", "1"), ("a", "2&"), ("c", "é~-_.*")];
        assert_eq!(encode_form(&pairs), "a=1&a=2%26&b=x+y&c=%C3%A9~-_.%2A");
        assert_eq!(encode_form::<&str, &str>(&[]), "");
    }

    #[test]
    fn multipart_bodies() {
        let parts = [
            Part {
                name: "f",
                file: Some(("na\"me\r\n.txt", "text/plain")),
                data: b"DATA",
            },
            Part {
                name: "x",
                file: None,
                data: b"v",
            },
        ];
        assert_eq!(
            String::from_utf8(encode_multipart(&parts, "B")).unwrap(),
            "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"na\\\"me%0D%0A.txt\"\r\nContent-Type: text/plain\r\n\r\nDATA\r\n\
             --B\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\nv\r\n--B--\r\n"
        );
    }

    #[test]
    fn boundaries_are_sixty_digits() {
        assert_eq!(boundary([0xa1; 30]).len(), 60);
    }
}
