//! The client of the API: one request to a running test, for `netload status` and its kin.

use std::io::{ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use serde_json::Value;

use crate::failure::Failure;

/// Longest wait for the test to answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Largest answer, in bytes.
const ANSWER_AT_MOST: u64 = 16 << 20;

/// Sends a request and returns the document of the answer.
pub(crate) fn call(
    address: &str,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> Result<Value, Failure> {
    let unreachable = |e: std::io::Error| {
        let why = match e.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => "nothing came in 5 seconds".to_owned(),
            _ => e.to_string(),
        };
        Failure::usage(format!("no test answers at {address}: {why}"))
            .hint("start the test with --address, and give the same address here")
    };
    let answer = exchange(address, method, path, body).map_err(unreachable)?;
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).unwrap_or_default();
    let strange = || {
        Failure::usage(format!(
            "what answers at {address} is not the REST API of a test"
        ))
    };
    let document: Value = serde_json::from_str(body).map_err(|_| strange())?;
    match (status, document["errors"][0]["detail"].as_str()) {
        ("200", _) => Ok(document),
        (_, Some(detail)) => Err(Failure::usage(format!("the test refused: {detail}"))),
        _ => Err(strange()),
    }
}

fn exchange(
    address: &str,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> std::io::Result<String> {
    let full = if address.contains(':') {
        address.to_owned()
    } else {
        format!("{address}:6565")
    };
    let mut failed = std::io::ErrorKind::AddrNotAvailable.into();
    for socket in full.to_socket_addrs()? {
        match TcpStream::connect_timeout(&socket, TIMEOUT) {
            Ok(stream) => return send(stream, address, method, path, body),
            Err(e) => failed = e,
        }
    }
    Err(failed)
}

fn send(
    mut stream: TcpStream,
    host: &str,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> std::io::Result<String> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    let body = body.map(Value::to_string).unwrap_or_default();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.take(ANSWER_AT_MOST).read_to_string(&mut answer)?;
    Ok(answer)
}
