//! What is printed before a test starts: what runs, where results go, and what each scenario will do.
//!
//! The layout is k6's. Nothing is cut to a width here: names of scripts and scenarios stay whole.

use netload_plan::duration::format_go;

use crate::line::Line;
use crate::palette::{Palette, Style};

/// What is going to run.
#[derive(Clone, Debug)]
pub struct StartView {
    /// Where: `local`.
    pub execution: String,
    /// The path of the script, or what runs in its place.
    pub script: String,
    /// The outputs as they describe themselves; empty for none.
    pub outputs: Vec<String>,
    /// The part of the plan that this instance runs, 0 to 1.
    pub share: f64,
    /// The most VUs that will exist at once.
    pub max_vus: u64,
    /// How long the test can last, graceful stops included, in nanoseconds; none if nothing ends it.
    pub max_duration_ns: Option<u64>,
    /// Name and description of each scenario.
    pub scenarios: Vec<(String, String)>,
}

/// Where labels end.
const LABELS_END: usize = 14;

/// The whole block with an empty line before and after.
pub fn render(view: &StartView, palette: Palette) -> String {
    let outputs = match view.outputs.as_slice() {
        [] => "-".to_owned(),
        outputs => outputs.join(", "),
    };
    let mut lines = vec![
        Line::new(),
        labelled("execution", Style::Value, &view.execution),
        labelled("script", Style::Value, &view.script),
        labelled("output", Style::Value, &outputs),
        Line::new(),
        Line::new()
            .text(format!("{:>LABELS_END$}: ", "scenarios"))
            .text(overview(view)),
    ];
    for (name, description) in &view.scenarios {
        lines.push(
            Line::indented(LABELS_END)
                .text("* ")
                .styled(Style::Title, name)
                .text(format!(": {description}")),
        );
    }
    lines.push(Line::new());
    let painted: Vec<String> = lines.iter().map(|l| l.paint(palette)).collect();
    painted.join("\n") + "\n"
}

fn overview(view: &StartView) -> String {
    let count = view.scenarios.len();
    let word = if count == 1 { "scenario" } else { "scenarios" };
    let duration = view
        .max_duration_ns
        .map_or("unlimited".to_owned(), format_go);
    format!(
        "({:.2}%) {count} {word}, {} max VUs, {duration} max duration (incl. graceful stop):",
        view.share * 100.0,
        view.max_vus
    )
}

fn labelled(label: &str, style: Style, value: &str) -> Line {
    Line::new()
        .text(format!("{label:>LABELS_END$}: "))
        .styled(style, value)
}
