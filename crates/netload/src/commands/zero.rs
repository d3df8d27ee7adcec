//! `netload zero`: what netload itself adds on this machine.

use netload_hit::Rate;
use netload_metrics::generator::Zero;
use netload_output::{generator, zero as text};

use super::Command;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::options::Category;
use crate::terminal::settings::TerminalSettings;
use crate::terminal::{Terminal, stdout};
use crate::typed::Typed;
use crate::zero::{BEFORE_NS, Shape, highest_honest, measure};
use crate::{format, hit, workers};

/// Starts per second when nobody says.
const RATE: Rate = Rate {
    count: 1_000,
    per_ns: 1_000_000_000,
};

/// Connections when nobody says.
const CONNECTIONS: u64 = 50;

/// Largest body that is asked for, in bytes.
const PAYLOAD_AT_MOST: u64 = 1 << 30;

pub(super) const COMMAND: Command = Command {
    name: "zero",
    about: "Measure what netload itself adds on this machine",
    details: "Sends requests to a server in this process that does nothing, at a planned rate; what remains is the \
              tare of this machine. Then looks for the highest rate at which 99 % of the starts are on time to the \
              millisecond. The server uses the same cores, as a server on this machine would.",
    categories: &[Category::Zero, Category::Terminal],
    operand: None,
    examples: &[
        ("At 1000 requests per second", "netload zero"),
        (
            "At 20,000 per second with bodies of 64 KiB",
            "netload zero --rate 20k --payload 65536",
        ),
    ],
    hidden: false,
    act,
};

fn act(typed: &Typed) -> Result<Exit, Failure> {
    let settings = TerminalSettings::resolve(typed)?;
    let as_json = format::is_json(typed)?;
    let shape = Shape {
        rate: Some(typed.read("rate", hit::load::rate)?.unwrap_or(RATE)),
        connections: typed
            .read("connections", hit::load::number)?
            .unwrap_or(CONNECTIONS),
        payload_bytes: typed.read("payload", payload)?.unwrap_or(0),
        span_ns: typed
            .read("duration", hit::load::duration)?
            .unwrap_or(BEFORE_NS),
        workers: workers::count(typed)?,
    };
    let terminal = Terminal::start(settings, None)?;
    let told = |line: String| {
        if !terminal.settings.quiet {
            terminal.screen.text(line + "\n");
        }
    };
    told("measuring tare and lateness".to_owned());
    let measured = measure(&shape)?;
    let highest_honest_per_s = highest_honest(&shape, |rate, honest| {
        told(format!(
            "trying {rate}/s: {}",
            if honest { "on time" } else { "not on time" }
        ));
    })?;
    let zero = Zero {
        highest_honest_per_s,
        ..measured
    };
    terminal.screen.settle();
    if as_json {
        stdout::line(&format::pretty(&generator::zero(&zero)))?;
    } else {
        stdout::bytes(text::render(&zero, terminal.settings.stdout).as_bytes())?;
    }
    Ok(Exit::Success)
}

fn payload(text: &str) -> Result<u64, String> {
    let bytes = text.parse::<u64>().ok().filter(|n| *n <= PAYLOAD_AT_MOST);
    bytes.ok_or_else(|| {
        format!("`{text}` is not a number of bytes; there can be {PAYLOAD_AT_MOST} at most")
    })
}
