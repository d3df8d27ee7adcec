//! The service log as a client can check it: every request once, between its own sending and receiving.

#![cfg(target_os = "linux")]

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, SystemTime};

use netload_target::{Running, Served, Target, TargetConfig};

const PATIENCE: Duration = Duration::from_secs(20);

fn server(busy_poll: bool) -> Running {
    Target::start(TargetConfig {
        log_service: true,
        workers: 2,
        busy_poll,
        ..TargetConfig::default()
    })
    .unwrap()
}

fn connect(server: &Running) -> TcpStream {
    let socket = TcpStream::connect(server.addr()).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket
}

fn unix_ns() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.unwrap().as_nanos() as u64
}

/// Sends a request for each of `targets` in one write, reads as many answers of 12 bytes; gives when it began and ended.
fn exchange(socket: &mut TcpStream, targets: &[&str]) -> (u64, u64) {
    let requests: String = targets
        .iter()
        .map(|target| format!("GET {target} HTTP/1.1\r\nHost: t\r\n\r\n"))
        .collect();
    let start = unix_ns();
    socket.write_all(requests.as_bytes()).unwrap();
    let mut answer = Vec::new();
    let mut some = [0; 4096];
    while answer.windows(12).filter(|w| w == b"hello, world").count() < targets.len() {
        let count = socket.read(&mut some).unwrap();
        assert!(count > 0, "closed after {answer:?}");
        answer.extend_from_slice(&some[..count]);
    }
    (start, unix_ns())
}

/// The log in the order of connection and request.
fn log(server: Running) -> Vec<Served> {
    let mut served = server.shutdown().served;
    served.sort_by_key(|s| (s.connection, s.number));
    served
}

#[test]
fn every_request_is_logged_once_with_both_stamps() {
    for busy_poll in [false, true] {
        let server = server(busy_poll);
        let (mut one, mut two) = (connect(&server), connect(&server));
        let bounds = [
            exchange(&mut one, &["/fixed/20ms"]),
            exchange(&mut one, &["/fast"]),
            exchange(&mut two, &["/fixed/5ms"]),
        ];
        let log = log(server);
        let ids: Vec<_> = log
            .iter()
            .map(|s| (s.connection, s.number, s.script_ns))
            .collect();
        assert_eq!(ids, [(1, 1, 20_000_000), (1, 2, 0), (2, 1, 5_000_000)]);
        for (served, (start, end)) in log.iter().zip(bounds) {
            let inside = start <= served.received_unix_ns && served.sent_unix_ns <= end;
            assert!(inside, "{served:?} is not within {start} and {end}");
            let service_ns = served.service_ns().unwrap();
            assert!(service_ns >= served.script_ns, "{served:?} came early");
        }
    }
}

#[test]
fn pipelined_requests_arrive_together_and_are_told_apart() {
    let server = server(false);
    // Answers that leave at once behind each other may share a packet, and then a stamp.
    exchange(&mut connect(&server), &["/", "/fixed/10ms", "/fixed/40ms"]);
    let log = log(server);
    assert_eq!(log.iter().map(|s| s.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(log[0].received_unix_ns, log[2].received_unix_ns);
    assert!(log[0].sent_unix_ns < log[1].sent_unix_ns);
    assert!(log[1].service_ns().unwrap() >= 10_000_000);
}

#[test]
fn what_the_client_did_not_wait_for_is_logged_too() {
    let server = server(false);
    let mut socket = connect(&server);
    socket
        .write_all(b"GET /fixed/50ms HTTP/1.1\r\nHost: t\r\n\r\n")
        .unwrap();
    drop(socket);
    let start = std::time::Instant::now();
    // The answer is due after 50 ms; the server is stopped well behind it.
    while start.elapsed() < Duration::from_millis(300) {
        std::thread::sleep(Duration::from_millis(10));
    }
    let log = log(server);
    assert_eq!((log.len(), log[0].script_ns), (1, 50_000_000));
}

#[test]
fn without_being_asked_nothing_is_logged() {
    let server = Target::start(TargetConfig::default()).unwrap();
    exchange(&mut connect(&server), &["/fast"]);
    assert!(server.shutdown().served.is_empty());
}
