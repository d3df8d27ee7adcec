//! `--form`: multipart bodies in curl's forms.
//!
//! `NAME=TEXT`, `NAME=@FILE` for a file with its name, `NAME=<FILE` for a file's content as text; `;type=` and
//! `;filename=` may follow a file.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;

use netload_http::form::{Part, boundary, encode_multipart};

use super::body::{Body, read};
use crate::failure::Failure;

/// The type of files whose type nobody says.
const SOME_TYPE: &str = "application/octet-stream";

/// Types of files by the ends of their names.
const TYPES: [(&str, &str); 8] = [
    ("txt", "text/plain"),
    ("html", "text/html"),
    ("json", "application/json"),
    ("xml", "application/xml"),
    ("pdf", "application/pdf"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("gif", "image/gif"),
];

/// A part as typed.
#[derive(Debug, PartialEq, Eq)]
struct Field {
    name: String,
    data: Vec<u8>,
    /// File name and type.
    file: Option<(String, String)>,
}

/// The body that all parts make, in their order.
pub(super) fn body(texts: &[&str]) -> Result<Body, Failure> {
    let fields: Vec<Field> = texts
        .iter()
        .map(|text| field(text))
        .collect::<Result<_, _>>()?;
    let parts: Vec<Part<'_>> = fields
        .iter()
        .map(|field| Part {
            name: &field.name,
            file: field
                .file
                .as_ref()
                .map(|(name, kind)| (name.as_str(), kind.as_str())),
            data: &field.data,
        })
        .collect();
    let boundary = boundary(random());
    Ok(Body {
        bytes: encode_multipart(&parts, &boundary),
        content_type: format!("multipart/form-data; boundary={boundary}"),
    })
}

fn field(text: &str) -> Result<Field, Failure> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(Failure::usage(format!("`{text}` is no part of a form"))
            .at("--form")
            .hint("a part is NAME=TEXT or NAME=@FILE"));
    };
    let name = name.to_owned();
    if let Some(file) = value.strip_prefix('<') {
        let data = read(file)?;
        return Ok(Field {
            name,
            data,
            file: None,
        });
    }
    let Some(rest) = value.strip_prefix('@') else {
        let data = value.as_bytes().to_vec();
        return Ok(Field {
            name,
            data,
            file: None,
        });
    };
    let mut pieces = rest.split(';');
    let path = pieces.next().unwrap_or_default();
    let mut file_name = Path::new(path)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut kind = kind(path).to_owned();
    for piece in pieces {
        match piece.trim().split_once('=') {
            Some(("type", given)) => kind = given.to_owned(),
            Some(("filename", given)) => file_name = given.to_owned(),
            _ => {
                let text = format!("`{piece}` says nothing about a file");
                let failure = Failure::usage(text).at("--form");
                return Err(failure.hint("a file may be followed by ;type=TYPE and ;filename=NAME"));
            }
        }
    }
    Ok(Field {
        name,
        data: read(path)?,
        file: Some((file_name, kind)),
    })
}

fn kind(path: &str) -> &'static str {
    let end = path
        .rsplit_once('.')
        .map_or("", |(_, end)| end)
        .to_ascii_lowercase();
    let known = TYPES.iter().find(|(known, _)| *known == end);
    known.map_or(SOME_TYPE, |(_, kind)| kind)
}

/// Bytes that no part has by accident; the standard library seeds every hasher anew.
fn random() -> [u8; 30] {
    std::array::from_fn(|at| RandomState::new().hash_one(at).to_be_bytes()[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_texts_or_files() {
        let part = field("a=b=c").unwrap();
        assert_eq!(
            (part.name.as_str(), part.data.as_slice()),
            ("a", &b"b=c"[..])
        );
        assert!(field("no value").is_err());
        assert!(field("a=@/not/there").is_err());
        assert!(field("a=@x;colour=red").is_err());
        assert_eq!(
            (kind("a/b.JSON"), kind("c")),
            ("application/json", SOME_TYPE)
        );
        let file = field("f=@/dev/null;type=text/x;filename=n").unwrap();
        assert_eq!(file.file, Some(("n".to_owned(), "text/x".to_owned())));
    }
}
