//! Servers that we did not write: starts the real thing in a folder of its own.
//!
//! Without its program (`cargo xtask setup` installs it) nothing is tested, unless `NETLOAD_NEEDS_SERVERS` is set, as in
//! `cargo xtask ci`.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use netload_target::{Target, TargetConfig};

use super::Folder;

/// How long a start may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// Where programs are, also those that are not in an ordinary user's path.
const PLACES: [&str; 4] = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin"];

/// A program that serves what its configuration says.
pub(crate) struct Program {
    /// Its file's name.
    pub(crate) name: &'static str,
    /// What makes it serve in the foreground from the folder in which it runs.
    pub(crate) arguments: &'static [&'static str],
    /// The file it reads.
    pub(crate) configuration: &'static str,
}

/// nginx.
#[allow(dead_code, reason = "each test file uses its own part")]
pub(crate) const NGINX: Program = Program {
    name: "nginx",
    arguments: &["-p", ".", "-c", "nginx.conf", "-e", "errors.log"],
    configuration: "nginx.conf",
};

/// Caddy.
#[allow(dead_code, reason = "each test file uses its own part")]
pub(crate) const CADDY: Program = Program {
    name: "caddy",
    arguments: &["run", "--config", "Caddyfile", "--adapter", "caddyfile"],
    configuration: "Caddyfile",
};

/// A running server, ended when dropped.
pub(crate) struct Server {
    process: Child,
    /// What it serves and writes.
    pub(crate) folder: Folder,
    /// The ports it listens on, in the order of its configuration.
    pub(crate) ports: Vec<u16>,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts a server on so many ports, or says that there is none. `configuration` makes its text from the folder and
    /// the ports; the folder has `ca.pem`, `cert.pem` and `key.pem` and room in `temporary`.
    pub(crate) fn start(
        program: &Program,
        ports: usize,
        configuration: impl Fn(&Folder, &[u16]) -> String,
    ) -> Option<Self> {
        let name = program.name;
        let mut paths = PLACES.iter().map(|place| Path::new(place).join(name));
        let Some(path) = paths.find(|path| path.exists()) else {
            let needed = std::env::var_os("NETLOAD_NEEDS_SERVERS").is_some();
            assert!(!needed, "{name} is missing: cargo xtask setup");
            eprintln!("{name} is missing, nothing is tested: cargo xtask setup");
            return None;
        };
        let folder = Folder::new();
        // The target makes an authority and a certificate; here that certificate is the server's and the client's.
        let target = Target::start(TargetConfig::with_tls()).unwrap();
        let authority = target.authority().unwrap();
        folder.write("ca.pem", &authority.certificate_pem);
        folder.write("cert.pem", &authority.client_certificate_pem);
        folder.write("key.pem", &authority.client_key_pem);
        folder.write("temporary/here", "");
        // Another process may take a port between its choice and its use: then the server ends, and others are tried.
        for _ in 0..5 {
            let ports: Vec<u16> = (0..ports).map(|_| free_port()).collect();
            folder.write(program.configuration, &configuration(&folder, &ports));
            let log = std::fs::File::create(folder.path().join("output.log")).unwrap();
            let mut process = Command::new(&path)
                .args(program.arguments)
                .current_dir(folder.path())
                .env("HOME", folder.path())
                .stdin(Stdio::null())
                .stderr(log)
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
        panic!("{name} does not start: {}", folder.read("output.log"));
    }
}

/// A port that nobody has at the moment.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

/// Waits until a process listens on a port; false when it ends before or takes too long.
pub(crate) fn answers(process: &mut Child, port: u16, patience: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < patience {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return true;
        }
        if process.try_wait().unwrap().is_some() {
            return false;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}
