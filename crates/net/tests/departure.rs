//! When requests leave, by the kernel's word: every sampled write has its stamp, between the clock reads around it.

use std::future::poll_fn;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use netload_net::{Clock, Dialer, NetConfig, Network, Origin, Scheme, Stamping};

/// What two clocks may differ by, in nanoseconds.
const TOLERANCE_NS: u64 = 5_000;

fn run<F: Future>(test: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(test)
}

/// A server that answers every byte with a byte.
fn echo() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            thread::spawn(move || {
                let mut byte = [0; 1];
                while stream.read_exact(&mut byte).is_ok() && stream.write_all(&byte).is_ok() {}
            });
        }
    });
    port
}

async fn connect(port: u16, no_stamps: bool) -> (netload_net::Connection, Clock) {
    let config = NetConfig {
        no_stamps,
        ..NetConfig::default()
    };
    let clock = Clock::new();
    let dialer = Dialer::new(Network::new(&config).unwrap(), clock.clone());
    let origin = Origin::new(Scheme::Http, "127.0.0.1", port);
    let connection = dialer.connect(&origin, &dialer.vu_local(1)).await.unwrap();
    (connection, clock)
}

#[test]
fn sampled_writes_leave_between_the_clock_reads_around_them() {
    run(async {
        let (mut connection, clock) = connect(echo(), false).await;
        let (mut answered, rounds) = (0, 50);
        for round in 0..rounds {
            // Every other write is sampled: the numbers of the stamps must not get out of step.
            let sampled = round % 2 == 1;
            let before = clock.now_ns();
            connection.socket_mut().begin_write(before, sampled);
            let mut done = 0;
            let write = poll_fn(|cx| connection.poll_write_all(cx, b"x", &mut done));
            write.await.unwrap();
            let after = clock.now_ns();
            let mut buffer = [0; 16];
            let read = poll_fn(|cx| connection.poll_read(cx, &mut buffer))
                .await
                .unwrap();
            assert_eq!(read.bytes, 1);
            if let Some(stamp) = read.kernel_ns {
                assert!(stamp + TOLERANCE_NS >= before && stamp <= read.returned_ns + TOLERANCE_NS);
            }
            let left = connection.socket_mut().take_departure(read.returned_ns);
            assert!(sampled || left.is_none(), "nobody asked");
            if let Some(left) = left {
                answered += 1;
                assert!(left + TOLERANCE_NS >= before && left <= after + TOLERANCE_NS);
            }
        }
        // A kernel that cannot number the stamps of TCP answers nothing, another one everything.
        assert!(answered == 0 || answered == rounds / 2, "{answered}");
    });
}

#[test]
fn without_stamps_none_are_asked_for() {
    run(async {
        let (mut connection, clock) = connect(echo(), true).await;
        assert_eq!(connection.socket().stamping(), Stamping::Unwanted);
        connection.socket_mut().begin_write(clock.now_ns(), false);
        let mut done = 0;
        poll_fn(|cx| connection.poll_write_all(cx, b"x", &mut done))
            .await
            .unwrap();
        let mut buffer = [0; 16];
        let read = poll_fn(|cx| connection.poll_read(cx, &mut buffer))
            .await
            .unwrap();
        assert_eq!((read.bytes, read.kernel_ns), (1, None));
    });
}
