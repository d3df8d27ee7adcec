//! The chart: for each kind of answers the error of each tool at each percentile, on a logarithmic scale.
//!
//! Plain SVG without a library. Invariant: a tool has the same colour in every panel, and its name stands at its line.

use std::fmt::Write;

use super::cell::Cell;
use super::load::SCRIPTS;
use super::quantiles::SHOWN;

/// The group whose cells are drawn: all tools under the same loads.
const GROUP: &str = "compare";
const PANEL_WIDTH: f64 = 470.0;
const PANEL_HEIGHT: f64 = 340.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 98.0;
/// Room at the right of a panel's plot for names.
const NAMES: f64 = 112.0;
/// Room below a panel's plot for the percentiles.
const FOOT: f64 = 64.0;
/// Least distance of two names.
const LINE: f64 = 14.0;
/// Errors from a microsecond to a second, as powers of ten of nanoseconds.
const DECADES: std::ops::RangeInclusive<i32> = 3..=9;

/// Colours that differ for colour-blind readers too; the first is ours.
const COLOURS: [&str; 8] = [
    "#d1360e", "#8a4a00", "#0b6fb8", "#5f6b76", "#00805e", "#a0479a", "#b08900", "#3a3aa8",
];

/// The picture; `None` when there is nothing to draw.
pub(super) fn draw(cells: &[Cell]) -> Option<String> {
    let cells: Vec<_> = cells
        .iter()
        .filter(|cell| cell.group == GROUP && !cell.runs.is_empty())
        .collect();
    if cells.is_empty() {
        return None;
    }
    let mut tools: Vec<&str> = Vec::new();
    for cell in &cells {
        if !tools.contains(&cell.tool.name) {
            tools.push(cell.tool.name);
        }
    }
    let (width, height) = (LEFT + 2.0 * PANEL_WIDTH, TOP + 2.0 * PANEL_HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, sans-serif\" \
         font-size=\"12\" fill=\"#1c1c1c\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"20\" y=\"32\" font-size=\"19\" font-weight=\"600\">How far each tool is from what happened</text>\n\
         <text x=\"20\" y=\"54\" fill=\"#555\">Size of the error of the reported time, logarithmic; 32 connections, as fast as \
         the server answers. Lower is better.</text>\n"
    );
    for (index, script) in SCRIPTS.iter().enumerate() {
        let x = LEFT + (index % 2) as f64 * PANEL_WIDTH;
        let y = TOP + (index / 2) as f64 * PANEL_HEIGHT;
        let lines: Vec<Line<'_>> = cells
            .iter()
            .filter(|cell| cell.load.script == *script)
            .map(|cell| Line::new(cell, &tools))
            .collect();
        panel(&mut svg, x, y, script.name, &lines);
    }
    svg.push_str("</svg>\n");
    Some(svg)
}

/// One tool in one panel.
struct Line<'a> {
    name: &'a str,
    colour: &'static str,
    ours: bool,
    /// The size of the error at each shown percentile, in nanoseconds.
    errors: Vec<Option<f64>>,
}

impl Line<'_> {
    fn new<'a>(cell: &'a Cell, tools: &[&str]) -> Line<'a> {
        let index = tools.iter().position(|tool| *tool == cell.tool.name);
        Line {
            name: cell.tool.name,
            colour: COLOURS[index.unwrap_or(0) % COLOURS.len()],
            ours: cell.tool.name.starts_with("netload"),
            errors: SHOWN.iter().map(|p| cell.error(*p).map(f64::abs)).collect(),
        }
    }

    /// Where it ends: the place of its name.
    fn last(&self) -> Option<f64> {
        self.errors.iter().rev().find_map(|error| *error)
    }
}

fn panel(svg: &mut String, left: f64, top: f64, title: &str, lines: &[Line<'_>]) {
    let (width, height) = (PANEL_WIDTH - NAMES - 24.0, PANEL_HEIGHT - FOOT);
    let column = |index: usize| left + width * (index as f64 + 0.5) / SHOWN.len() as f64;
    let level = |ns: f64| top + height * (1.0 - share(ns));
    let mut add = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    add(format!(
        "<text x=\"{left}\" y=\"{:.1}\" font-weight=\"600\">{title}</text>",
        top - 8.0
    ));
    for decade in DECADES {
        let y = level(10f64.powi(decade));
        let right = left + width;
        add(format!(
            "<path d=\"M{left} {y:.1}H{right:.1}\" stroke=\"#e2e2e2\"/>"
        ));
        let label = scale(decade);
        add(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{label}</text>",
            left - 6.0,
            y + 4.0
        ));
    }
    for (index, percentile) in SHOWN.iter().enumerate() {
        let (x, y) = (column(index), top + height + 18.0);
        add(format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\" fill=\"#555\">p{percentile}</text>"
        ));
    }
    for line in lines {
        let (colour, stroke) = (line.colour, if line.ours { 2.6 } else { 1.4 });
        let mut path = String::new();
        let points = line.errors.iter().enumerate();
        for (index, error) in points.filter_map(|(index, error)| Some((index, (*error)?))) {
            let (x, y) = (column(index), level(error));
            let step = if path.is_empty() { 'M' } else { 'L' };
            // Writing to a string cannot fail.
            let _ = write!(path, "{step}{x:.1} {y:.1}");
            add(format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
            ));
        }
        add(format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{stroke}\"/>"
        ));
    }
    for (name, colour, y) in names(lines, level) {
        let x = left + width + 2.0;
        add(format!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{name}</text>"
        ));
    }
}

/// Each name beside the end of its line, moved down where two would overlap, and up again at the bottom.
fn names<'a>(lines: &'a [Line<'a>], level: impl Fn(f64) -> f64) -> Vec<(&'a str, &'a str, f64)> {
    let mut names: Vec<_> = lines
        .iter()
        .filter_map(|line| Some((line.name, line.colour, level(line.last()?) + 4.0)))
        .collect();
    names.sort_by(|a, b| a.2.total_cmp(&b.2));
    let mut above = f64::MIN;
    for name in &mut names {
        name.2 = name.2.max(above + LINE);
        above = name.2;
    }
    let mut below = level(10f64.powi(*DECADES.start())) + 4.0 + LINE;
    for name in names.iter_mut().rev() {
        name.2 = name.2.min(below - LINE);
        below = name.2;
    }
    names
}

/// Where a time lies on the scale: 0 at its lower end, 1 at its upper.
fn share(ns: f64) -> f64 {
    let (low, high) = (f64::from(*DECADES.start()), f64::from(*DECADES.end()));
    ((ns.max(1.0).log10() - low) / (high - low)).clamp(0.0, 1.0)
}

fn scale(decade: i32) -> String {
    match decade {
        3..=5 => format!("{} us", 10i32.pow(decade as u32 - 3)),
        6..=8 => format!("{} ms", 10i32.pow(decade as u32 - 6)),
        _ => "1 s".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_runs_from_a_microsecond_to_a_second() {
        assert_eq!((share(1e3), share(1e6), share(1e9)), (0.0, 0.5, 1.0));
        assert_eq!((share(0.0), share(1e12)), (0.0, 1.0));
        assert_eq!(
            DECADES.map(scale).collect::<Vec<_>>().join(" "),
            "1 us 10 us 100 us 1 ms 10 ms 100 ms 1 s"
        );
    }

    #[test]
    fn names_never_overlap() {
        let line = |name, error| Line {
            name,
            colour: "#000",
            ours: false,
            errors: vec![Some(error)],
        };
        let lines = [
            line("a", 1e3),
            line("b", 1e3),
            line("c", 1.1e3),
            line("d", 1e9),
        ];
        let found = names(&lines, |ns| 100.0 * (1.0 - share(ns)));
        let heights: Vec<f64> = found.iter().map(|name| name.2).collect();
        assert!(
            heights.windows(2).all(|two| two[1] - two[0] >= LINE - 0.01),
            "{heights:?}"
        );
        assert!(heights.last().is_some_and(|lowest| *lowest <= 104.1));
    }
}
