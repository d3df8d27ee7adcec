//! Archives: a test with everything it reads in one tar file, in k6's layout, so that each runs the other's.
//!
//! `metadata.json` tells options, environment and the script's name, `data` is the script, modules and files stand
//! below `file/` and `https/`. Leaves out running them.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value as Json, json};
use tar::{EntryType, Header};

use crate::loader::names;
use crate::loader::store::Held;

/// Largest content of an archive, in bytes.
const CONTENT_AT_MOST: u64 = 1 << 30;
/// The version of k6 whose layout this is.
const LAYOUT_OF: &str = "2.2.0";

/// A test that was packed.
#[derive(Clone, Debug)]
pub struct Archive {
    /// The name of the script's own module.
    pub(crate) entry: String,
    /// Every file.
    pub(crate) held: Arc<Held>,
    /// The options the test was packed with.
    pub options: Json,
    /// What `__ENV` holds.
    pub env: Vec<(String, String)>,
    /// Whether the name `global` is there.
    pub global_alias: bool,
}

/// What is said about a test when it is packed.
#[derive(Clone, Debug)]
pub struct Packing {
    /// Its options.
    pub options: Json,
    /// What `__ENV` holds.
    pub env: Vec<(String, String)>,
    /// Whether the name `global` is there.
    pub global_alias: bool,
}

/// Whether a file that begins with these bytes is an archive.
pub fn is_archive(start: &[u8]) -> bool {
    start.get(257..262) == Some(b"ustar")
}

impl Archive {
    /// Reads a tar file.
    ///
    /// # Errors
    /// One sentence what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let (mut metadata, mut data, mut held) = (None, None, Held::default());
        let mut budget = CONTENT_AT_MOST;
        let broken = |e: std::io::Error| format!("it is cut or damaged: {e}");
        for entry in tar::Archive::new(Cursor::new(bytes))
            .entries()
            .map_err(broken)?
        {
            let mut entry = entry.map_err(broken)?;
            if entry.header().entry_type() != EntryType::Regular {
                continue;
            }
            let path = entry.path().map_err(broken)?.into_owned();
            budget = budget
                .checked_sub(entry.size())
                .ok_or_else(|| format!("its content is larger than {CONTENT_AT_MOST} bytes"))?;
            let mut content = Vec::new();
            entry.read_to_end(&mut content).map_err(broken)?;
            match path.to_str() {
                Some("metadata.json") => metadata = Some(content),
                Some("data") => data = Some(content),
                _ => place(&mut held, &path, content.into()),
            }
        }
        let metadata = metadata.ok_or("there is no metadata.json in it")?;
        let data = data.ok_or("there is no script in it")?;
        Self::assemble(&metadata, data, held)
    }

    fn assemble(metadata: &[u8], data: Vec<u8>, mut held: Held) -> Result<Self, String> {
        let metadata: Json = serde_json::from_slice(metadata)
            .map_err(|e| format!("its metadata.json is not JSON: {e}"))?;
        if let Some(kind) = metadata["type"].as_str().filter(|kind| *kind != "js") {
            return Err(format!("it holds a test of the kind `{kind}`; there is js"));
        }
        let entry = metadata["filename"]
            .as_str()
            .ok_or("its metadata.json does not name the script")?;
        match names::path(entry) {
            Some(path) => held.insert(path, data.into()),
            None => held.insert_remote(entry.to_owned(), data.into()),
        }
        let env = metadata["env"].as_object().into_iter().flatten();
        let env = env.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        Ok(Self {
            entry: entry.to_owned(),
            held: Arc::new(held),
            options: without_nulls(&metadata["options"]),
            env: env.collect(),
            global_alias: metadata["compatibilityMode"] != "base",
        })
    }
}

/// Options that are null are not set.
fn without_nulls(options: &Json) -> Json {
    match options.as_object() {
        None => Json::Null,
        Some(options) => {
            let set = options.iter().filter(|(key, value)| {
                // k6's default for all three is an object of nulls.
                let empty = value
                    .as_object()
                    .is_some_and(|o| o.values().all(Json::is_null));
                let unset = key.as_str() == "dns" && empty;
                !value.is_null() && !unset
            });
            set.map(|(key, value)| (key.clone(), value.clone()))
                .collect()
        }
    }
}

/// Puts an entry where its path says; others are not ours.
fn place(held: &mut Held, path: &Path, content: Arc<[u8]>) {
    let mut parts = path.components();
    let first = parts.next();
    let rest = parts.as_path();
    if rest.components().any(|part| part == Component::ParentDir) {
        return;
    }
    match first.and_then(|part| part.as_os_str().to_str()) {
        Some("file") => held.insert(Path::new("/").join(rest), content),
        Some("https") => {
            held.insert_remote(
                format!("{}{}", names::REMOTE_SCHEME, rest.display()),
                content,
            );
        }
        _ => {}
    }
}

/// Packs what a test has read. `entry` is the name of the script's own module.
///
/// # Errors
/// One sentence why it cannot be packed.
pub(crate) fn pack(
    entry: &str,
    files: &BTreeMap<String, Arc<[u8]>>,
    packing: &Packing,
) -> Result<Vec<u8>, String> {
    let folder = names::path(entry).and_then(|path| path.parent().map(names::of_path));
    let env: serde_json::Map<String, Json> = packing
        .env
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().into()))
        .collect();
    let metadata = json!({
        "type": "js",
        "options": packing.options,
        "filename": entry,
        "pwd": folder,
        "env": env,
        "compatibilityMode": if packing.global_alias { "extended" } else { "base" },
        "k6version": LAYOUT_OF,
        "goos": std::env::consts::OS,
        "dependencies": { "k6": "*" },
    });
    let script = files.get(entry).ok_or("the script was not read")?;
    let mut archive = tar::Builder::new(Vec::new());
    let failed = |e: std::io::Error| format!("cannot pack it: {e}");
    append(
        &mut archive,
        "metadata.json",
        format!("{metadata:#}\n").as_bytes(),
    )
    .map_err(failed)?;
    append(&mut archive, "data", script).map_err(failed)?;
    for (name, content) in files {
        append(&mut archive, &inside(name), content).map_err(failed)?;
    }
    archive.into_inner().map_err(failed)
}

/// Where a module or file stands in an archive.
fn inside(name: &str) -> String {
    match name.split_once("://") {
        Some((scheme, rest)) => format!("{scheme}/{}", rest.trim_start_matches('/')),
        None => name.to_owned(),
    }
}

fn append(archive: &mut tar::Builder<Vec<u8>>, path: &str, content: &[u8]) -> std::io::Result<()> {
    // Without times and owners, so that the same test makes the same archive.
    let mut header = Header::new_ustar();
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    header.set_entry_type(EntryType::Regular);
    archive.append_data(&mut header, PathBuf::from(path), content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::store::Store;

    fn packed() -> Vec<u8> {
        let long = format!("file:///{}/x.js", "deep/".repeat(60));
        let files: BTreeMap<String, Arc<[u8]>> = [
            ("file:///a/main.ts", "let a: number"),
            ("file:///a/data.csv", "1,2"),
            ("https://h/x.js?a=1", "export {}"),
            (&long, "export {}"),
        ]
        .into_iter()
        .map(|(name, text)| (name.to_owned(), text.as_bytes().into()))
        .collect();
        let packing = Packing {
            options: json!({ "vus": 2, "duration": null, "dns": { "ttl": null } }),
            env: vec![("A".into(), "b".into())],
            global_alias: false,
        };
        pack("file:///a/main.ts", &files, &packing).unwrap()
    }

    #[test]
    fn what_is_packed_is_read_again() {
        let bytes = packed();
        assert!(is_archive(&bytes));
        let archive = Archive::read(&bytes).unwrap();
        assert_eq!(archive.entry, "file:///a/main.ts");
        assert_eq!(archive.options, json!({ "vus": 2 }));
        assert_eq!(archive.env, [("A".to_owned(), "b".to_owned())]);
        assert!(!archive.global_alias);
        let store = Store::Archive(archive.held);
        assert_eq!(&*store.read(Path::new("/a/data.csv")).unwrap(), b"1,2");
        assert!(store.is_file(Path::new(&format!("/{}/x.js", "deep/".repeat(60)))));
        assert_eq!(&*store.remote("https://h/x.js?a=1").unwrap(), b"export {}");
    }

    #[test]
    fn a_bad_archive_is_refused_in_a_sentence() {
        let bytes = packed();
        for (bytes, reason) in [
            (&bytes[..700], "it is cut or damaged"),
            (&bytes[..0], "there is no metadata.json in it"),
            (&b"not a tar file".repeat(100)[..], "it is cut or damaged"),
        ] {
            let said = Archive::read(bytes).unwrap_err();
            assert!(said.starts_with(reason), "{said}");
        }
    }
}
