//! Thresholds against the metrics there are: names and aggregations that cannot be judged are refused before the load.

use netload_metrics::Registry;
use netload_plan::{Place, Plan, Problem, names};

/// Thresholds on metrics that do not exist, or with aggregations that their kind does not have. They stand at `place`.
pub(crate) fn problems(plan: &Plan, registry: &Registry, place: &Place) -> Vec<Problem> {
    let all = registry.all();
    let known: Vec<&str> = all.iter().map(|m| &*m.name).collect();
    let mut problems = Vec::new();
    for set in &plan.thresholds {
        let path = place.key(&set.source).to_string();
        let Some(metric) = all.iter().find(|m| *m.name == *set.metric_name) else {
            let problem = Problem::new(path, format!("there is no metric `{}`", set.metric_name));
            problems.push(match names::nearest(&set.metric_name, &known) {
                Some(near) => problem.hint(format!("did you mean `{near}`?")),
                None => problem
                    .hint("a metric of your own must be made in the script, outside of functions"),
            });
            continue;
        };
        if let Err(error) = set.check_kind(metric.kind) {
            problems.push(Problem::new(path, error.to_string()).hint(error.hint()));
        }
    }
    problems
}
