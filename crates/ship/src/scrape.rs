//! `--out prometheus=ADDRESS`: a small HTTP server for Prometheus to scrape while the run goes on.
//!
//! Owns just enough of HTTP/1.1: one GET, one answer, the end. Invariant: connections, their time and their bytes are
//! bounded, and rendering happens at most once a second.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::ShipError;
use crate::account::Account;
use crate::courier::Message;
use crate::fleet::{Opened, Way};
use crate::given::{Given, Schema};
use crate::prometheus::{Format, TextPage};

pub(crate) static SCHEMA: Schema = Schema {
    output: "prometheus",
    prefix: "K6_PROMETHEUS_",
    keys: &["host", "port"],
};

const DEFAULT_HOST: &str = "localhost";
const DEFAULT_PORT: &str = "5656";
/// Connections answered at a time.
const CONNECTIONS_LIMIT: usize = 8;
/// The longest time of one connection.
const CONNECTION_LIMIT: Duration = Duration::from_secs(10);
/// Bytes of a request that are read.
const REQUEST_LIMIT_BYTES: usize = 8 * 1024;

/// After a connection that could not be accepted.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The page, and the last rendering of it in each format.
pub(crate) struct Page {
    text: TextPage,
    rendered: [Option<Arc<str>>; 2],
}

pub(crate) fn open(given: &Given<'_>) -> Result<Opened, ShipError> {
    let host = given.text("host").unwrap_or(DEFAULT_HOST);
    let port = given.text("port").unwrap_or(DEFAULT_PORT);
    let address = match given.address() {
        Some(port) if port.parse::<u16>().is_ok() => format!("{host}:{port}"),
        Some(address) => address.to_owned(),
        None => format!("{host}:{port}"),
    };
    let listener = std::net::TcpListener::bind(&address)
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
        .map_err(|e| given.cannot(format!("cannot listen on {address}: {e}")))?;
    let local = listener.local_addr().map_err(|e| given.cannot(e))?;
    let page = Page {
        text: TextPage::new(),
        rendered: [None, None],
    };
    Ok(Opened {
        shown: format!("prometheus (http://{local}/metrics)"),
        way: Way::Serve(Box::new(page), listener),
    })
}

impl Page {
    fn show(&mut self, format: Format) -> Arc<str> {
        let slot = &mut self.rendered[usize::from(format == Format::OpenMetrics)];
        let text = &self.text;
        slot.get_or_insert_with(|| text.render(format).into())
            .clone()
    }
}

/// Takes batches and answers until the end of the run.
pub(crate) async fn serve(
    page: Page,
    listener: std::net::TcpListener,
    mut inbox: mpsc::Receiver<Message>,
    account: Arc<Account>,
) {
    let listener = match tokio::net::TcpListener::from_std(listener) {
        Ok(listener) => listener,
        Err(error) => {
            account.blame(&error.to_string());
            account.warn(&format!("cannot listen: {error}"));
            return;
        }
    };
    let page = Rc::new(RefCell::new(page));
    let room = Arc::new(Semaphore::new(CONNECTIONS_LIMIT));
    loop {
        let message = tokio::select! {
            message = inbox.recv() => message,
            accepted = accept(&listener, &room) => {
                if let Some((stream, permit)) = accepted {
                    let page = page.clone();
                    tokio::task::spawn_local(async move {
                        // A client that goes away early has lost nothing.
                        let _ = tokio::time::timeout(CONNECTION_LIMIT, answer(stream, &page)).await;
                        drop(permit);
                    });
                }
                continue;
            }
        };
        match message {
            Some(Message::Batch(batch)) => {
                let mut page = page.borrow_mut();
                page.text.absorb(&batch);
                page.rendered = [None, None];
                // It is there to be fetched; more is not promised.
                account.deliver(batch.samples());
            }
            Some(Message::End(_)) | None => return,
        }
    }
}

/// The next connection, once there is room for one more.
async fn accept(
    listener: &tokio::net::TcpListener,
    room: &Arc<Semaphore>,
) -> Option<(TcpStream, OwnedSemaphorePermit)> {
    // It is never closed.
    let permit = room.clone().acquire_owned().await.ok()?;
    match listener.accept().await {
        Ok((stream, _)) => Some((stream, permit)),
        Err(_) => {
            // Out of descriptors, most likely: not at once again.
            tokio::time::sleep(ACCEPT_PAUSE).await;
            None
        }
    }
}

async fn answer(mut stream: TcpStream, page: &RefCell<Page>) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        if request.len() >= REQUEST_LIMIT_BYTES || stream.read_buf(&mut request).await? == 0 {
            return Ok(());
        }
    }
    let request = String::from_utf8_lossy(&request);
    let mut words = request.split(' ');
    let (method, path) = (words.next(), words.next().unwrap_or_default());
    let path = path.split('?').next().unwrap_or_default();
    let accept = request.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("accept").then_some(value)
    });
    let format = Format::wanted(accept.unwrap_or_default());
    let (status, kind, body): (_, _, Arc<str>) = match (method, path) {
        (Some("GET"), "/metrics" | "/") => (
            "200 OK",
            format.content_type(),
            page.borrow_mut().show(format),
        ),
        (Some("GET"), _) => (
            "404 Not Found",
            "text/plain",
            "the page is /metrics\n".into(),
        ),
        _ => ("405 Method Not Allowed", "text/plain", "only GET\n".into()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}
