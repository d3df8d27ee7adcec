//! For a moment nothing came back.

use serde_json::json;

use super::view::{View, median, seconds};
use super::{Finding, Rule, Severity};

/// The share of the usual rate below which a second is a stall.
const SHARE: f64 = 0.1;
/// Runs with fewer requests a second have such seconds by chance.
const USUAL_RATE: f64 = 20.0;

pub(super) const RULE: Rule = Rule {
    name: "stall",
    law: "In the middle of the run, with as much load as usual, a second brought less than a tenth of the \
          usual rate of at least 20 requests a second.",
    check,
};

fn check(view: &View<'_>) -> Vec<Finding> {
    let windows = &view.windows;
    let usual = median(windows.iter().map(|w| w.rate));
    if windows.len() < 8 || usual < USUAL_RATE {
        return Vec::new();
    }
    let inner = windows.len() / 10 + 1..windows.len() - windows.len() / 10 - 1;
    let usual_load = median(windows.iter().map(|w| w.load()));
    let is_stall = |at: &usize| {
        let here = &windows[*at];
        here.rate < usual * SHARE && here.load() >= 0.8 * usual_load && here.load() > 0.0
    };
    let stalls: Vec<usize> = inner.filter(is_stall).collect();
    let (Some(first), Some(last)) = (stalls.first(), stalls.last()) else {
        return Vec::new();
    };
    let lost_ns: u64 = stalls
        .iter()
        .map(|at| windows[*at].until_ns - windows[*at].at_ns)
        .sum();
    vec![Finding {
        rule: RULE.name,
        severity: Severity::Problem,
        title: "Responses stopped for a while".to_owned(),
        sentence: format!(
            "At {}, for {} in all, hardly anything came back: less than a tenth of the usual {usual:.0} requests a second.",
            seconds(windows[*first].at_ns),
            seconds(lost_ns)
        ),
        since_ns: windows[*first].at_ns,
        until_ns: windows[*last].until_ns,
        chart: "rate",
        evidence: json!({ "usual_rate_per_s": usual, "windows": stalls.len(), "lost_ns": lost_ns }),
    }]
}
