//! A server for scripts: echoes requests, or answers with the very bytes that the path asks for.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// JavaScript that knows the server: `BASE`, `echo`, `raw(response)` and `cut(response)`, which closes behind it.
const PRELUDE: &str = r"
import http from 'k6/http';
const BASE = 'http://ADDRESS', echo = BASE + '/echo';
const hex = (text) => [...text].map((c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join('');
const raw = (text) => BASE + '/raw/' + hex(text.replaceAll('\n', '\r\n'));
const cut = (text) => BASE + '/cut/' + hex(text.replaceAll('\n', '\r\n'));
const answer = (status, headers, body = '') =>
  raw(`HTTP/1.1 ${status}\nContent-Length: ${body.length}\n${headers.map((h) => h + '\n').join('')}\n`) + hex(body);
const show = (...values) => console.log(values.map((v) => typeof v === 'string' ? v : JSON.stringify(v)).join(' '));
";

/// A running server; it ends with the process.
pub(crate) struct Server {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let seen = requests.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = seen.clone();
                thread::spawn(move || serve(&stream, &seen));
            }
        });
        Self { address, requests }
    }

    /// A script whose iteration is `body`, with the prelude before it.
    pub(crate) fn script(&self, body: &str) -> String {
        let prelude = PRELUDE.replace("ADDRESS", &self.address);
        format!("{prelude}\nexport default async function () {{\n{body}\n}}\n")
    }

    /// The requests so far as they came, one text each, line ends as `\n`, the address as `HOST`.
    pub(crate) fn requests(&self) -> Vec<String> {
        let requests = self.requests.lock().unwrap();
        let plain = |r: &String| r.replace(&self.address, "HOST").replace("\r\n", "\n");
        requests.iter().map(plain).collect()
    }

    /// A text with the address as `HOST`.
    pub(crate) fn plain(&self, text: &str) -> String {
        text.replace(&self.address, "HOST")
    }
}

fn serve(stream: &TcpStream, seen: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream);
    let mut writer = stream;
    while let Some(request) = read_request(&mut reader) {
        let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
        let is_head = request.starts_with("HEAD");
        seen.lock().unwrap().push(request.clone());
        let answer = match (path.strip_prefix("/raw/"), path.strip_prefix("/cut/")) {
            (Some(hex), _) | (_, Some(hex)) => unhex(hex),
            _ => {
                let body = if is_head { "" } else { &request };
                let length = request.len();
                format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
            }
        };
        if writer.write_all(&answer).is_err() || path.starts_with("/cut/") {
            return;
        }
    }
}

fn read_request(reader: &mut BufReader<&TcpStream>) -> Option<String> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("Content-Length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    Some(head + &String::from_utf8_lossy(&body))
}

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    digits
        .chunks(2)
        .map(|pair| (pair[0] << 4 | pair.get(1).unwrap_or(&0)) as u8)
        .collect()
}
