//! A server that follows a script, and a client to meet it: bytes in, facts out.
//!
//! Each accepted connection takes the next script. A script is a list of steps; after the last one the connection is
//! closed.

#![allow(dead_code, missing_docs, unreachable_pub)]

use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;
use std::time::Duration;

use netload_http::{
    BodyMode, Buffers, Client, ClientConfig, Encoding, Exchange, ExchangeOptions, Prepared,
    Request, Url,
};
use netload_net::{Clock, Dialer, NetConfig, Network};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone, Debug)]
pub enum Step {
    /// Read one request: head, and a body by its `Content-Length`.
    Request,
    /// Read until that many bytes have come.
    ReadBytes(usize),
    /// Write these bytes.
    Send(Vec<u8>),
    /// Write these bytes one at a time, each in its own segment.
    Drip(Vec<u8>),
    /// Write these bytes until the peer is gone.
    SendForever(Vec<u8>),
    /// Do nothing for a while.
    Pause(Duration),
    /// Wait until the peer closes.
    AwaitClose,
    /// Close with a reset.
    Reset,
}

pub fn send(text: impl AsRef<[u8]>) -> Step {
    Step::Send(text.as_ref().to_vec())
}

/// One request, one answer.
pub fn answer(text: impl AsRef<[u8]>) -> Vec<Step> {
    vec![Step::Request, send(text)]
}

pub struct Server {
    pub port: u16,
    /// The raw requests, one per connection and request.
    pub requests: Rc<RefCell<Vec<String>>>,
}

impl Server {
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub fn last(&self) -> String {
        self.requests.borrow().last().cloned().unwrap_or_default()
    }
}

/// Must be called inside [`run`].
pub async fn serve(scripts: Vec<Vec<Step>>) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let requests = Rc::new(RefCell::new(Vec::new()));
    let seen = requests.clone();
    tokio::task::spawn_local(async move {
        for script in scripts {
            let (stream, _) = listener.accept().await.unwrap();
            stream.set_nodelay(true).unwrap();
            tokio::task::spawn_local(follow(stream, script, seen.clone()));
        }
    });
    Server { port, requests }
}

async fn follow(mut stream: TcpStream, script: Vec<Step>, seen: Rc<RefCell<Vec<String>>>) {
    for step in script {
        match step {
            Step::Request => match request(&mut stream).await {
                Some(text) => seen.borrow_mut().push(text),
                None => return,
            },
            Step::ReadBytes(count) => {
                let mut bytes = vec![0; count];
                if stream.read_exact(&mut bytes).await.is_err() {
                    return;
                }
            }
            Step::Send(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Step::Drip(bytes) => {
                for byte in bytes {
                    if stream.write_all(&[byte]).await.is_err() {
                        return;
                    }
                    tokio::task::yield_now().await;
                }
            }
            Step::SendForever(bytes) => while stream.write_all(&bytes).await.is_ok() {},
            Step::Pause(time) => tokio::time::sleep(time).await,
            Step::AwaitClose => {
                let mut rest = [0; 4096];
                while stream.read(&mut rest).await.is_ok_and(|bytes| bytes > 0) {}
            }
            Step::Reset => {
                socket2::SockRef::from(&stream)
                    .set_linger(Some(Duration::ZERO))
                    .unwrap();
                return;
            }
        }
    }
}

async fn request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut byte = [0];
    while !bytes.ends_with(b"\r\n\r\n") {
        if stream.read(&mut byte).await.ok()? == 0 {
            return None;
        }
        bytes.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "))
        .map_or(0, |digits| digits.trim().parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    bytes.extend(body);
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

pub fn run<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, test)
}

pub fn client_with(net: &NetConfig, config: ClientConfig) -> Client {
    let dialer = Dialer::new(Network::new(net).unwrap(), Clock::new());
    let vu = dialer.vu_local(1);
    Client::new(dialer, Buffers::new(), vu, config)
}

pub fn client() -> Client {
    client_with(&NetConfig::default(), ClientConfig::default())
}

pub fn prepared(method: &str, url: &str) -> Prepared {
    let request = Request::new(method, Url::parse(url).unwrap());
    Prepared::new(&request, &Encoding::default(), None).unwrap()
}

pub fn with_body(method: &str, url: &str, body: &[u8]) -> Prepared {
    let mut request = Request::new(method, Url::parse(url).unwrap());
    request.body = Some(body.into());
    Prepared::new(&request, &Encoding::default(), None).unwrap()
}

pub async fn get(client: &Client, url: &str) -> Exchange {
    client
        .exchange(&prepared("GET", url), &ExchangeOptions::default())
        .await
}

pub fn within(client: &Client, time: Duration) -> ExchangeOptions {
    ExchangeOptions {
        deadline_ns: Some(client.clock().now_ns() + time.as_nanos() as u64),
        body: BodyMode::Keep,
    }
}

/// Status, reuse, body and failure in one line.
pub fn facts(exchange: &Exchange) -> String {
    let mut facts = format!(
        "{} {:?}",
        exchange.status,
        String::from_utf8_lossy(exchange.body())
    );
    if exchange.reused {
        facts.push_str(" reused");
    }
    if let Some(error) = &exchange.error {
        facts.push_str(&format!(" {} {error}", error.code()));
    }
    facts
}
