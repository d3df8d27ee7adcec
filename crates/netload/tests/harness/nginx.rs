//! A server that we did not write: starts the real nginx in a folder of its own.
//!
//! Without nginx (`cargo xtask setup` installs it) nothing is tested, unless `NETLOAD_NEEDS_NGINX` is set, as in
//! `cargo xtask ci`.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use netload_target::{Target, TargetConfig};

use super::Folder;

/// How long a start may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
const PROGRAMS: [&str; 3] = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/bin/nginx"];

/// A running nginx, ended when dropped.
pub(crate) struct Nginx {
    process: Child,
    /// What it serves and writes.
    pub(crate) folder: Folder,
    /// The ports it listens on, in the order of its configuration.
    pub(crate) ports: Vec<u16>,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Nginx {
    /// Starts nginx on so many ports, or says that there is none. `configuration` makes its text from the folder and
    /// the ports; the folder has `ca.pem`, `cert.pem` and `key.pem` and room in `temporary`.
    pub(crate) fn start(
        ports: usize,
        configuration: impl Fn(&Folder, &[u16]) -> String,
    ) -> Option<Self> {
        let Some(program) = PROGRAMS
            .iter()
            .find(|path| std::path::Path::new(path).exists())
        else {
            let needed = std::env::var_os("NETLOAD_NEEDS_NGINX").is_some();
            assert!(!needed, "nginx is missing: cargo xtask setup");
            eprintln!("nginx is missing, nothing is tested: cargo xtask setup");
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
        // Another process may take a port between its choice and its use: then nginx ends, and others are tried.
        for _ in 0..5 {
            let ports: Vec<u16> = (0..ports).map(|_| free_port()).collect();
            folder.write("nginx.conf", &configuration(&folder, &ports));
            let mut process = Command::new(program)
                .arg("-p")
                .arg(folder.path())
                .args(["-c", "nginx.conf", "-e", "errors.log"])
                .stdin(Stdio::null())
                .spawn()
                .unwrap();
            if answers(&mut process, ports[ports.len() - 1]) {
                return Some(Self {
                    process,
                    folder,
                    ports,
                });
            }
            let _ = process.kill();
            let _ = process.wait();
        }
        panic!("nginx does not start: {}", folder.read("errors.log"));
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

fn answers(process: &mut Child, port: u16) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
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
