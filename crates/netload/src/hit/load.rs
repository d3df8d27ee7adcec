//! The load of `netload hit`: how many connections, until when, and at what rate.

use netload_hit::{Limit, Load, Rate};
use netload_plan::duration;
use netload_plan::executor::Arrival;

use crate::failure::Failure;
use crate::typed::Typed;

/// Connections when nobody says, as hey and oha.
const CONNECTIONS: u64 = 50;

/// How long the load lasts when nobody says, in nanoseconds.
const DURATION_NS: u64 = 10_000_000_000;

/// Longest time of one request when nobody says, in nanoseconds.
const TIMEOUT_NS: u64 = 60_000_000_000;

const SECOND_NS: u64 = 1_000_000_000;

/// Reads the load.
pub(crate) fn load(typed: &Typed) -> Result<Load, Failure> {
    let connections = typed.read("connections", number)?.unwrap_or(CONNECTIONS);
    let streams = typed.read("streams", number)?.unwrap_or(1);
    if streams > 1 && !typed.switch("http2")? {
        return Err(Failure::usage(
            "only HTTP/2 can have several requests at once on a connection",
        )
        .at("--streams")
        .hint("add --http2, or use more --connections"));
    }
    let requests = typed.read("requests", number)?;
    let duration_ns = typed.read("duration", self::duration)?;
    let duration_ns = match (requests, duration_ns) {
        (None, None) => Some(DURATION_NS),
        (_, given) => given,
    };
    let rate = typed.read("rate", self::rate)?;
    Ok(Load {
        connections,
        streams,
        limit: Limit {
            requests,
            duration_ns,
        },
        rate,
        arrival: arrival(typed, rate.is_some())?,
        timeout_ns: typed.read("timeout", time)?.unwrap_or(TIMEOUT_NS),
    })
}

/// A duration greater than 0, in nanoseconds.
pub(crate) fn duration(text: &str) -> Result<u64, String> {
    match duration::parse_k6(text) {
        Ok(0) => Err("the duration must be longer than 0".to_owned()),
        Ok(ns) => Ok(ns),
        Err(e) => Err(format!("{e}; {}", e.hint())),
    }
}

/// `--arrival` with its `--seed`; both need a rate.
fn arrival(typed: &Typed, has_rate: bool) -> Result<Arrival, Failure> {
    let seed = typed.read("seed", |t| {
        t.parse()
            .map_err(|_| format!("`{t}` is not a whole number"))
    })?;
    let named = |t: &str| {
        Arrival::named(t, seed)
            .ok_or_else(|| format!("`{t}` is no way to arrive; there are constant and poisson"))
    };
    let arrival = typed.read("arrival", named)?;
    for (flag, given) in [("--arrival", arrival.is_some()), ("--seed", seed.is_some())] {
        if given && !has_rate {
            return Err(Failure::usage(format!("{flag} needs --rate"))
                .hint("without a rate each connection sends when its last response has come"));
        }
    }
    match (arrival.unwrap_or_default(), seed) {
        (Arrival::Constant, Some(_)) => Err(Failure::usage("--seed needs --arrival poisson")
            .hint("constant arrivals leave nothing to chance")),
        (arrival, _) => Ok(arrival),
    }
}

/// A whole number greater than 0, with `k` or `M`.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.chars().last() {
        Some('k' | 'K') => (&text[..text.len() - 1], 1_000),
        Some('m' | 'M') => (&text[..text.len() - 1], 1_000_000),
        _ => (text, 1),
    };
    let number = digits
        .parse::<u64>()
        .ok()
        .and_then(|n| n.checked_mul(factor));
    number
        .filter(|n| *n > 0)
        .ok_or_else(|| format!("`{text}` is not a whole number greater than 0"))
}

/// `100`, `0.5/s`, `6000/m`, `10k/s`.
pub(crate) fn rate(text: &str) -> Result<Rate, String> {
    let wrong = || format!("`{text}` is not a rate; write it like 100, 0.5/s or 6000/m");
    let (amount, per_ns) = match text.split_once('/') {
        None | Some((_, "s")) => (text.split('/').next().unwrap_or_default(), SECOND_NS),
        Some((amount, "m")) => (amount, 60 * SECOND_NS),
        Some((amount, "h")) => (amount, 3_600 * SECOND_NS),
        Some(_) => return Err(wrong()),
    };
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, ""));
    if fraction.is_empty() {
        return number(whole)
            .map(|count| Rate { count, per_ns })
            .map_err(|_| wrong());
    }
    // 0.5 in a second is 5 in ten seconds.
    let count = format!("{whole}{fraction}").parse().ok().filter(|n| *n > 0);
    let per_ns = u32::try_from(fraction.len())
        .ok()
        .and_then(|places| 10u64.checked_pow(places))
        .and_then(|factor| per_ns.checked_mul(factor));
    match (count, per_ns) {
        (Some(count), Some(per_ns)) => Ok(Rate { count, per_ns }),
        _ => Err(wrong()),
    }
}

/// A time greater than 0: seconds as curl writes them, or a duration with its unit.
pub(crate) fn time(text: &str) -> Result<u64, String> {
    let ns = match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds < 1e9 => (seconds * 1e9) as u64,
        Ok(_) => 0,
        Err(_) => duration::parse_go(text).map_err(|e| e.to_string())?,
    };
    match ns {
        0 => Err(format!("`{text}` is not a time greater than 0")),
        ns => Ok(ns),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_exact() {
        let second = |count| {
            Ok(Rate {
                count,
                per_ns: SECOND_NS,
            })
        };
        assert_eq!(rate("100"), second(100));
        assert_eq!(rate("10k/s"), second(10_000));
        assert_eq!(
            rate("90/m"),
            Ok(Rate {
                count: 90,
                per_ns: 60 * SECOND_NS
            })
        );
        assert_eq!(
            rate("0.5"),
            Ok(Rate {
                count: 5,
                per_ns: 10 * SECOND_NS
            })
        );
        for wrong in ["", "0", "-1", "5/d", "0.0/s", "1e3", "1.x"] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_seconds_unless_they_have_a_unit() {
        assert_eq!(time("2"), Ok(2 * SECOND_NS));
        assert_eq!(time("0.25"), Ok(SECOND_NS / 4));
        assert_eq!(time("250ms"), Ok(SECOND_NS / 4));
        assert!(time("0").is_err() && time("soon").is_err() && time("NaN").is_err());
    }
}
