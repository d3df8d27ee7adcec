//! The nginx of the comparison runs, pinned to a core of its own.

use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::Failure;
use crate::shell;

/// The core the server has for itself.
pub(super) const SERVER_CORE: &str = "1";
const START_PATIENCE: Duration = Duration::from_secs(10);

/// A running nginx; stops when dropped.
pub(crate) struct Nginx {
    process: Child,
    folder: PathBuf,
    port: u16,
    tls_port: u16,
    http2_port: u16,
    handshake_port: u16,
}

impl Nginx {
    /// Starts it with `bench/nginx.conf` on free ports.
    pub(crate) fn start() -> Result<Nginx, Failure> {
        let folder = std::env::temp_dir().join(format!("netload-nginx-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let names = vec!["localhost".to_owned(), "127.0.0.1".to_owned()];
        let made = rcgen::generate_simple_self_signed(names)?;
        std::fs::write(folder.join("cert.pem"), made.cert.pem())?;
        std::fs::write(folder.join("key.pem"), made.signing_key.serialize_pem())?;
        let (port, tls_port) = (free_port()?, free_port()?);
        let (http2_port, handshake_port) = (free_port()?, free_port()?);
        std::fs::write(folder.join("items.json"), items())?;
        let configuration = std::fs::read_to_string(shell::root().join("bench/nginx.conf"))?
            .replace("{folder}", &folder.display().to_string())
            .replace("{port}", &port.to_string())
            .replace("{tls_port}", &tls_port.to_string())
            .replace("{http2_port}", &http2_port.to_string())
            .replace("{handshake_port}", &handshake_port.to_string());
        let file = folder.join("nginx.conf");
        std::fs::write(&file, configuration)?;
        let process = Command::new("taskset")
            .args([
                "--cpu-list",
                SERVER_CORE,
                "nginx",
                "-g",
                "daemon off;",
                "-c",
            ])
            .arg(&file)
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .stdin(Stdio::null())
            .spawn()?;
        let nginx = Nginx {
            process,
            folder,
            port,
            tls_port,
            http2_port,
            handshake_port,
        };
        nginx.wait_until_ready()?;
        Ok(nginx)
    }

    /// Where plain HTTP is answered.
    pub(super) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The URL that answers with 12 bytes.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/fast", self.port)
    }

    /// The URL that answers with 100 KB of JSON.
    pub(super) fn json_url(&self) -> String {
        format!("http://127.0.0.1:{}/items.json", self.port)
    }

    /// The same over TLS.
    pub(crate) fn tls_url(&self) -> String {
        format!("https://127.0.0.1:{}/fast", self.tls_port)
    }

    /// The same over HTTP/2 without TLS.
    pub(super) fn http2_url(&self) -> String {
        format!("http://127.0.0.1:{}/fast", self.http2_port)
    }

    /// The same over TLS 1.3 with one cipher suite and one key exchange.
    pub(super) fn handshake_url(&self) -> String {
        format!("https://127.0.0.1:{}/fast", self.handshake_port)
    }

    fn wait_until_ready(&self) -> Result<(), Failure> {
        let start = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.tls_port)).is_err() {
            if start.elapsed() > START_PATIENCE {
                return Err("nginx did not start".into());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // The master must end its worker, so it is asked, not killed.
        let asked = Command::new("kill")
            .arg(self.process.id().to_string())
            .status();
        if asked.is_err() {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// About 100 KB of JSON, as an API would list things.
fn items() -> String {
    const ITEMS: usize = 500;
    let item = |id: usize| {
        serde_json::json!({
            "id": id,
            "name": format!("item {id}"),
            "price": id as f64 * 1.25,
            "tags": ["red", "large", "a \"quoted\" one"],
            "description": "x".repeat(60),
            "address": { "street": format!("street {id}"), "city": format!("city {id}") },
        })
    };
    let all: Vec<_> = (0..ITEMS).map(item).collect();
    serde_json::json!({ "total": ITEMS, "items": all }).to_string()
}

pub(super) fn free_port() -> Result<u16, Failure> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    Ok(listener.local_addr()?.port())
}
