//! Requests per CPU-second over HTTP/2, and TLS handshakes per CPU-second.

use super::measure::run;
use super::report::Row;
use super::speed::{CORE, Figure, Generator, counted, number_before, pinned_hit, rounds, seconds};
use super::{Failure, Rig};

/// Requests at once on the one connection of HTTP/2.
const STREAMS: &str = "32";

/// Connections that are opened again and again; few, so that they do not queue.
const HANDSHAKERS: &str = "16";

/// Requests of one run of h2load, whose time-limited runs lose what is under way.
const H2LOAD_REQUESTS: u64 = 200_000;

const H2LOAD: Generator = Generator {
    name: "h2load",
    run: |_, url| {
        let requests = H2LOAD_REQUESTS.to_string();
        let mut command = super::measure::pinned(CORE, "h2load".as_ref());
        command.args(["-n", &requests, "-c", "1", "-m", STREAMS, url]);
        let used = run(&mut command, &[])?;
        let all = format!("{requests} succeeded, 0 failed");
        if !used.stdout.contains(&all) {
            return Err("requests failed".into());
        }
        Ok(Figure {
            requests: H2LOAD_REQUESTS as f64,
            used,
        })
    },
};

const HIT: Generator = Generator {
    name: "netload hit --http2",
    run: |rig, url| {
        let mut command = pinned_hit(rig, url);
        command.args(["--http2", "-c", "1", "--streams", STREAMS]);
        counted(&mut command, |used| Ok(used.stdout.clone()))
    },
};

const WRK_CLOSING: Generator = Generator {
    name: "wrk, closing",
    run: |rig, url| {
        let mut command = super::measure::pinned(CORE, "wrk".as_ref());
        command.args(["-t1", "-c", HANDSHAKERS, "-d", &seconds(rig)]);
        command.args(["-H", "Connection: close", url]);
        let used = run(&mut command, &[])?;
        let requests = number_before(&used.stdout, " requests in")?;
        Ok(Figure { requests, used })
    },
};

const HIT_CLOSING: Generator = Generator {
    name: "netload hit, closing",
    run: |rig, url| {
        let mut command = pinned_hit(rig, url);
        command.args(["--no-keepalive", "-k", "-c", HANDSHAKERS]);
        counted(&mut command, |used| Ok(used.stdout.clone()))
    },
};

/// One connection of HTTP/2 with 32 streams.
pub(super) fn http2(rig: &Rig) -> Result<Vec<Row>, Failure> {
    let rounds = rounds(rig, &rig.nginx.http2_url(), &[H2LOAD, HIT])?;
    let mut rows = rounds.figures();
    let name = "netload hit --http2 against h2load";
    rows.push(rounds.ratio(name, HIT.name, H2LOAD.name, 0.8));
    Ok(rows)
}

/// A new connection with a full handshake of TLS 1.3 for every request.
pub(super) fn handshakes(rig: &Rig) -> Result<Vec<Row>, Failure> {
    let rounds = rounds(rig, &rig.nginx.handshake_url(), &[WRK_CLOSING, HIT_CLOSING])?;
    let mut rows = rounds.figures();
    let name = "TLS handshakes, netload hit against wrk";
    rows.push(rounds.ratio(name, HIT_CLOSING.name, WRK_CLOSING.name, 1.0));
    Ok(rows)
}
