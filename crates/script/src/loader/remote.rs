//! Modules from `https://` addresses: fetched once, checked against what the importer expects, kept on disk.
//!
//! Leaves out what the text means. Invariant: a text that does not have the digest its import demands is never used,
//! wherever it comes from.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use aws_lc_rs::digest;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use netload_http::{Request, Url};

use super::names::REMOTE_SCHEME;
use crate::plain_request;

/// How long fetching one module may take, redirects included; k6's limit.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Largest module, in bytes.
const MODULE_AT_MOST: usize = 32 << 20;
/// How long a kept module is used without asking the server again.
const FRESH_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// Whether and how remote modules are had.
#[derive(Clone, Debug, Default)]
pub struct Remote {
    /// Whether they are refused.
    pub refused: bool,
    /// The folder where they are kept; none keeps nothing.
    pub cache: Option<PathBuf>,
}

/// A module that was fetched or found on disk.
#[derive(Debug)]
pub(super) struct Fetched {
    /// Its text.
    pub(super) content: Vec<u8>,
    /// Something the user should know.
    pub(super) warning: Option<String>,
}

/// What an import says about the text it wants: `sha256-`, `sha384-` or `sha512-` and the digest in base64, as in
/// `integrity` attributes of HTML.
///
/// # Errors
/// When the text is not that, or the demand makes no sense.
pub(super) fn check(content: &[u8], integrity: &str) -> Result<(), String> {
    let mut known = false;
    for one in integrity.split_whitespace() {
        let (name, wanted) = one.split_once('-').unwrap_or((one, ""));
        let algorithm = match name {
            "sha256" => &digest::SHA256,
            "sha384" => &digest::SHA384,
            "sha512" => &digest::SHA512,
            _ => continue,
        };
        known = true;
        if STANDARD.encode(digest::digest(algorithm, content)) == wanted {
            return Ok(());
        }
    }
    if !known {
        return Err(format!(
            "'{integrity}' is no integrity; write sha256-, sha384- or sha512- and the digest in base64"
        ));
    }
    let is = STANDARD.encode(digest::digest(&digest::SHA256, content));
    Err(format!(
        "the text is not the one that is expected: its integrity is sha256-{is}, not {integrity}"
    ))
}

/// Gets a module from disk or from its server.
///
/// # Errors
/// One sentence why it cannot be had.
pub(super) fn fetch(remote: &Remote, address: &str) -> Result<Fetched, String> {
    if remote.refused {
        return Err("remote modules are refused (--no-remote-modules); save it as a file".into());
    }
    let kept = remote
        .cache
        .as_deref()
        .map(|folder| Kept::of(folder, address));
    if let Some(content) = kept.as_ref().and_then(|kept| kept.read(Some(FRESH_FOR))) {
        return Ok(Fetched {
            content,
            warning: None,
        });
    }
    match download(address) {
        Ok(content) => {
            if let Some(kept) = &kept {
                kept.write(&content);
            }
            Ok(Fetched {
                content,
                warning: None,
            })
        }
        Err(reason) => match kept.as_ref().and_then(|kept| kept.read(None)) {
            Some(content) => Ok(Fetched {
                content,
                warning: Some(format!(
                    "{address} cannot be fetched, so an older copy is used: {reason}"
                )),
            }),
            None => Err(reason),
        },
    }
}

/// A module's place in the cache. The file holds its digest and a line end before the text.
struct Kept {
    path: PathBuf,
}

impl Kept {
    fn of(folder: &Path, address: &str) -> Self {
        let name = hex(digest::digest(&digest::SHA256, address.as_bytes()).as_ref());
        Self {
            path: folder.join(name),
        }
    }

    /// The text, when it is whole and not older than that.
    fn read(&self, fresh_for: Option<Duration>) -> Option<Vec<u8>> {
        if let Some(limit) = fresh_for {
            let written = std::fs::metadata(&self.path).ok()?.modified().ok()?;
            // A file from the future is as good as none.
            let age = SystemTime::now().duration_since(written).ok()?;
            if age > limit {
                return None;
            }
        }
        let file = std::fs::read(&self.path).ok()?;
        let end = file.iter().position(|b| *b == b'\n')?;
        let (digest, content) = (&file[..end], &file[end + 1..]);
        (digest == digest_line(content).as_bytes()).then(|| content.to_vec())
    }

    /// Keeps the text. A cache that cannot be written is no reason to stop.
    fn write(&self, content: &[u8]) {
        let Some(folder) = self.path.parent() else {
            return;
        };
        let mut file = digest_line(content).into_bytes();
        file.push(b'\n');
        file.extend_from_slice(content);
        // Written beside and moved, so that nobody ever reads a half.
        let beside = self.path.with_extension(std::process::id().to_string());
        let written = std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(&beside, file))
            .and_then(|()| std::fs::rename(&beside, &self.path));
        if written.is_err() {
            let _ = std::fs::remove_file(&beside);
        }
    }
}

fn digest_line(content: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, content).as_ref())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Fetches on a thread of its own, because the caller stands inside a runtime.
fn download(address: &str) -> Result<Vec<u8>, String> {
    let address = address.to_owned();
    let thread = std::thread::Builder::new().name("fetch".into());
    let fetching = thread
        .spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .map_err(|e| e.to_string())?;
            runtime.block_on(download_here(&address))
        })
        .map_err(|e| format!("cannot start a thread: {e}"))?;
    fetching
        .join()
        .unwrap_or_else(|_| Err("fetching it failed".into()))
}

async fn download_here(address: &str) -> Result<Vec<u8>, String> {
    let url = Url::parse(address).map_err(|e| e.detail())?;
    let answer = plain_request::send(Request::new("GET", url), TIMEOUT).await?;
    if !answer.address.starts_with(REMOTE_SCHEME) {
        let address = answer.address;
        return Err(format!("it leads to {address}, which is not https"));
    }
    if answer.status != 200 {
        return Err(format!("the server answered {}", answer.status));
    }
    if answer.body.len() > MODULE_AT_MOST {
        return Err(format!("it is larger than {MODULE_AT_MOST} bytes"));
    }
    Ok(answer.body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_has_the_digest_it_should_have() {
        let sha256 = "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=";
        assert_eq!(check(b"abc", sha256), Ok(()));
        assert_eq!(check(b"abc", &format!("sha512-x {sha256}")), Ok(()));
        let other = check(b"abd", sha256).unwrap_err();
        assert!(other.contains("not sha256-ungWv48Bz"), "{other}");
        assert!(check(b"abc", "md5-x").unwrap_err().contains("no integrity"));
    }

    #[test]
    fn what_is_kept_is_read_until_it_is_damaged() {
        let folder = std::env::temp_dir().join(format!("netload-remote-{}", std::process::id()));
        let kept = Kept::of(&folder, "https://h/a.js");
        assert!(kept.read(None).is_none());
        kept.write(b"export {}\n");
        assert_eq!(
            kept.read(Some(FRESH_FOR)).as_deref(),
            Some(&b"export {}\n"[..])
        );
        assert!(kept.read(Some(Duration::ZERO)).is_none());
        std::fs::write(&kept.path, b"0\nexport {}\n").unwrap();
        assert!(kept.read(None).is_none());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
