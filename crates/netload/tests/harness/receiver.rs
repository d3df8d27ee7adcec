//! Receivers that we did not write, and some that misbehave: each in a folder and on ports of its own.
//!
//! A program that is not installed (`cargo xtask setup` does it) leaves its test out, unless `NETLOAD_NEEDS_SERVERS`
//! is set, as in `cargo xtask ci`.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Folder;
use super::server::{answers, free_port};

/// How long a start, or the way of a value into a database, may take on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(100);

/// A running program, ended when dropped.
pub(crate) struct Receiver {
    process: Child,
    /// Where it has its files.
    pub(crate) folder: Folder,
    /// The ports it listens on.
    pub(crate) ports: Vec<u16>,
}

impl Drop for Receiver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Receiver {
    /// Starts a program on so many ports and waits until the last one answers; none when it is not installed.
    /// `prepare` writes its files and says its arguments.
    pub(crate) fn start(
        program: &str,
        ports: usize,
        prepare: impl Fn(&Folder, &[u16]) -> Vec<String>,
    ) -> Option<Self> {
        let path = Path::new("/usr/bin").join(program);
        if !path.is_file() {
            let needed = std::env::var_os("NETLOAD_NEEDS_SERVERS").is_some();
            assert!(!needed, "{program} is missing: cargo xtask setup");
            eprintln!("{program} is missing, nothing is tested: cargo xtask setup");
            return None;
        }
        // Another process may take a port between its choice and its use: then others are tried.
        for _ in 0..5 {
            let folder = Folder::new();
            let ports: Vec<u16> = (0..ports).map(|_| free_port()).collect();
            let mut process = Command::new(&path)
                .args(prepare(&folder, &ports))
                .current_dir(folder.path())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            if answers(&mut process, ports[ports.len() - 1], PATIENCE) {
                return Some(Self {
                    process,
                    folder,
                    ports,
                });
            }
            let _ = process.kill();
            let _ = process.wait();
        }
        panic!("{program} does not start");
    }

    /// The body of an answer to a GET on the first port.
    pub(crate) fn get(&self, target: &str) -> String {
        get(self.ports[0], target)
    }

    /// Asks until the answer is as wanted.
    pub(crate) fn wait_for(&self, target: &str, wanted: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            let answer = self.get(target);
            if wanted(&answer) {
                return answer;
            }
            assert!(Instant::now() < until, "{target} still says {answer}");
            std::thread::sleep(PAUSE);
        }
    }
}

/// What `cargo xtask setup` has fetched from other places than Debian, or nothing as with a missing program.
pub(crate) fn fetched(file: &str) -> Option<std::path::PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.cache/receivers");
    let path = folder.join(file);
    if !path.exists() {
        let needed = std::env::var_os("NETLOAD_NEEDS_SERVERS").is_some();
        assert!(!needed, "{file} is missing: cargo xtask setup");
        eprintln!("{file} is missing, nothing is tested: cargo xtask setup");
        return None;
    }
    Some(path.canonicalize().unwrap())
}

/// The body of an answer to a GET on loopback.
pub(crate) fn get(port: u16, target: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let request = format!("GET {target} HTTP/1.0\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    body.to_owned()
}

/// A query with everything but letters and digits escaped.
pub(crate) fn escaped(text: &str) -> String {
    let piece = |b: u8| match b.is_ascii_alphanumeric() {
        true => char::from(b).to_string(),
        false => format!("%{b:02X}"),
    };
    text.bytes().map(piece).collect()
}

/// How a receiver of ours misbehaves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Manner {
    /// It takes connections and never says a word.
    Hangs,
    /// It answers everything with this status.
    Says(u16),
    /// It closes every connection at once.
    Closes,
}

/// A receiver with bad manners on a port of its own, until the process ends.
pub(crate) fn rude(manner: Manner) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming().flatten() {
            match manner {
                Manner::Hangs => kept.push(stream),
                Manner::Closes => drop(stream),
                Manner::Says(status) => {
                    std::thread::spawn(move || refuse(stream, status));
                }
            }
        }
    });
    port
}

/// Answers a request after its end, whatever it is.
fn refuse(mut stream: TcpStream, status: u16) {
    let mut bytes = [0; 64 * 1024];
    let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
    while stream
        .read(&mut bytes)
        .is_ok_and(|read| read == bytes.len())
    {}
    let answer =
        format!("HTTP/1.1 {status} No\r\nContent-Length: 9\r\nConnection: close\r\n\r\nno thanks");
    let _ = stream.write_all(answer.as_bytes());
}
