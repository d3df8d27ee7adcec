//! What netload adds on this machine, for people: tare, lateness and gross against a server that does nothing.

use netload_metrics::generator::{Verdict, Zero};

use crate::TimeUnit;
use crate::line::{Line, wrap};
use crate::number::{self, grouped};
use crate::palette::{Palette, Style};

const INDENT: usize = 2;
/// Where values stand, counted from the left.
const VALUES_AT: usize = 14;
const COLUMN_WIDTH: usize = 12;
/// Where sentences are wrapped.
const WIDTH: usize = 80;

/// The whole text, with an empty line before and after.
pub fn render(zero: &Zero, palette: Palette) -> String {
    let mut lines = vec![Line::new()];
    let title = "Netload alone, against a server on this machine that does nothing";
    lines.push(Line::indented(INDENT).styled(Style::Title, title));
    lines.push(Line::indented(INDENT).styled(Style::Faint, load(zero)));
    lines.push(Line::new());
    let mut head = Line::indented(INDENT);
    for (at, name) in ["p50", "p90", "p99", "max"].into_iter().enumerate() {
        head = right(head, at, Style::Faint, name);
    }
    lines.push(head);
    let rows = [
        ("tare", Some(zero.tare_ms)),
        ("lateness", zero.late_ms),
        ("gross", Some(zero.gross_ms)),
    ];
    for (name, values) in rows {
        let Some(values) = values else { continue };
        let mut line = Line::indented(INDENT).text(name);
        for (at, ms) in values.into_iter().enumerate() {
            line = right(
                line,
                at,
                Style::Value,
                &number::duration(ms, TimeUnit::Auto),
            );
        }
        lines.push(line);
    }
    lines.push(Line::new());
    lines.push(field("Achieved").styled(Style::Value, format!("{}/s", per_s(zero.achieved_per_s))));
    let highest = match zero.highest_honest_per_s {
        Some(rate) => format!(
            "up to {}/s: starts on time and tare below 1ms, both at p99",
            per_s(rate)
        ),
        None => "not at any rate: starts are late or held up by more than 1ms at p99".to_owned(),
    };
    lines.push(field("Honest").text(highest));
    let (style, verdict) = match zero.verdict {
        Verdict::Clean => (Style::Good, "clean".to_owned()),
        other => (Style::Warning, format!("{}: {}", other.name(), zero.detail)),
    };
    for (row, text) in wrap(&verdict, WIDTH - VALUES_AT).into_iter().enumerate() {
        let line = match row {
            0 => field("Generator"),
            _ => Line::new().blank_to(VALUES_AT),
        };
        lines.push(line.styled(style, text));
    }
    lines.push(Line::new());
    let painted: Vec<String> = lines.iter().map(|l| l.paint(palette)).collect();
    painted.join("\n") + "\n"
}

fn load(zero: &Zero) -> String {
    let rate = match zero.rate_per_s {
        Some(rate) => format!("{}/s", per_s(rate)),
        None => "as fast as possible".to_owned(),
    };
    let body = match zero.payload_bytes {
        0 => "12 B".to_owned(),
        bytes => number::bytes(bytes as f64),
    };
    let span = number::duration(zero.span_ns as f64 / 1e6, TimeUnit::Auto);
    format!(
        "{rate} on up to {} connections, bodies of {body}, {span}",
        grouped(zero.connections)
    )
}

fn per_s(rate: f64) -> String {
    match rate >= 100.0 {
        true => grouped(rate.round() as u64),
        false => number::plain((rate * 10.0).round() / 10.0),
    }
}

fn field(name: &str) -> Line {
    Line::indented(INDENT)
        .styled(Style::Title, name)
        .blank_to(VALUES_AT)
}

fn right(line: Line, at: usize, style: Style, text: &str) -> Line {
    let end = VALUES_AT + (at + 1) * COLUMN_WIDTH - 4;
    line.blank_to(end.saturating_sub(text.chars().count()))
        .styled(style, text)
}
