//! How far the numbers can be trusted, for machines and for people.
//!
//! Owns the object `accuracy` of the document and the sentences below a summary: what could not be measured, what is
//! only known from below, and whether everything planned is accounted for. Says nothing where there is nothing to say.

use netload_metrics::accuracy::{Accuracy, Censored, Departures, Stamps};
use netload_metrics::{Basis, Compat, Conservation, Histogram};
use serde_json::{Value, json};

use crate::TimeUnit;
use crate::handle_summary::number;
use crate::number::{duration, grouped, percent_of};

/// The object, times in the unit that their names end in.
pub(crate) fn object(accuracy: &Accuracy) -> Value {
    let stamps = &accuracy.stamps;
    let clock = &accuracy.clock;
    let error = accuracy.instrument_error();
    let exchanges = &accuracy.exchanges;
    let unsent = accuracy.conservation.unwrap_or_default();
    json!({
        "basis": accuracy.basis.name(),
        "stamps": {
            "coverage": coverage(stamps),
            "kernel": stamps.kernel,
            "unix": stamps.unix,
            "refused": stamps.refused,
            "missing": stamps.missing,
        },
        "departures": departures(&accuracy.departures),
        "clock": {
            "mapping_error_us": us(clock.mapping_error_ns as f64),
            "steps": clock.steps,
            "largest_step_ms": ms(clock.largest_step_ns),
            "suspect_stamps": clock.suspects,
        },
        "instrument_ms": { "below": number(error.below), "above": number(error.above) },
        "exchanges": {
            "begun": exchanges.begun,
            "finished": exchanges.finished,
            "failed": exchanges.failed,
            "unfinished": exchanges.unfinished.count,
        },
        "censored": {
            "timed_out": censored(&exchanges.timed_out),
            "unfinished": censored(&exchanges.unfinished),
            "unsent": { "count": unsent.left, "longest_ms": ms(unsent.longest_left_ns) },
        },
        "conservation": accuracy.conservation.as_ref().map(conservation),
        "compat": accuracy.compat.map(compat),
    })
}

/// The share of responses with a stamp; null when none was wanted or none came.
fn coverage(stamps: &Stamps) -> Value {
    match stamps.kernel + stamps.without() {
        0 => Value::Null,
        _ => number(1.0 - stamps.share_without()),
    }
}

fn departures(departures: &Departures) -> Value {
    let at = |trend: &Histogram, percentile: f64| us(trend.percentile(percentile));
    let (delay, bracket, error) = (&departures.delay, &departures.bracket, &departures.error);
    json!({
        "asked": departures.asked,
        "answered": departures.answered,
        "outside_bracket": departures.outside,
        "delay_us": { "p50": at(delay, 50.0), "p99": at(delay, 99.0) },
        "bracket_us": { "p50": at(bracket, 50.0), "p99": at(bracket, 99.0) },
        "residual_us": {
            "p2.5": at(error, 2.5), "p50": at(error, 50.0), "p97.5": at(error, 97.5),
        },
    })
}

fn censored(censored: &Censored) -> Value {
    json!({
        "count": censored.count,
        "at_least_ms": [ms(censored.least_ns), ms(censored.most_ns)],
    })
}

fn conservation(all: &Conservation) -> Value {
    json!({
        "planned": all.planned,
        "started": all.started,
        "finished": all.finished,
        "failed": all.failed,
        "interrupted": all.interrupted,
        "dropped": {
            "no_free_vu": all.dropped,
            "line_full": all.refused,
            "left_at_end": all.left,
        },
        "holds": all.holds(),
    })
}

fn compat(tool: Compat) -> Value {
    json!({
        "tool": tool.name(),
        "term": tool.term(),
        "starts": tool.start(),
        "ends": tool.end(),
        "metric": "http_req_compat",
    })
}

fn us(ns: f64) -> Value {
    number(ns / 1e3)
}

fn ms(ns: u64) -> Value {
    number(ns as f64 / 1e6)
}

/// Where everything planned went; nothing when nothing was planned in time and nothing was cut short.
pub(crate) fn balance(accuracy: &Accuracy) -> Option<String> {
    let all = accuracy.conservation?;
    let mut sums = Vec::new();
    if let Some(planned) = all.planned {
        let parts = [
            (all.started_as_planned, "started"),
            (all.dropped_as_planned, "dropped, no VU was free"),
            (all.refused, "refused, the line was full"),
            (all.left, "left waiting at the end"),
        ];
        sums.push(sum(planned, "planned", &parts));
    }
    if all.planned.is_some() || all.interrupted > 0 || all.failed > 0 {
        let parts = [
            (all.finished, "finished"),
            (all.failed, "failed"),
            (all.interrupted, "interrupted"),
        ];
        sums.push(sum(all.started, "started", &parts));
    }
    (!sums.is_empty()).then(|| sums.join("; "))
}

/// `100 planned = 98 started + 2 dropped`; only the first part may be zero.
fn sum(whole: u64, name: &str, parts: &[(u64, &str)]) -> String {
    let shown = parts.iter().enumerate();
    let shown: Vec<String> = shown
        .filter(|(at, (count, _))| *at == 0 || *count > 0)
        .map(|(_, (count, name))| format!("{} {name}", grouped(*count)))
        .collect();
    format!("{} {name} = {}", grouped(whole), shown.join(" + "))
}

/// What the reader should know before trusting the numbers, a sentence or two each.
pub(crate) fn notices(accuracy: &Accuracy) -> Vec<String> {
    let mut notices = Vec::new();
    if accuracy.basis == Basis::Gross {
        notices.push(
            "Durations are gross: they contain netload's own delays, as in other tools. Without --measure gross they \
             are net."
                .to_owned(),
        );
    } else {
        notices.extend(unstamped(accuracy));
        notices.extend(jumps(accuracy));
    }
    let exchanges = &accuracy.exchanges;
    if exchanges.timed_out.count > 0 {
        notices.push(format!(
            "{} timed out after {}: the durations count that time, the real ones are longer (censored).",
            requests(exchanges.timed_out.count),
            range(&exchanges.timed_out)
        ));
    }
    if exchanges.unfinished.count > 0 {
        notices.push(format!(
            "{} still open when their iterations were cut off, after {}: no duration counts them (censored at >= {}).",
            requests(exchanges.unfinished.count),
            range(&exchanges.unfinished),
            time(exchanges.unfinished.least_ns)
        ));
    }
    if let Some(all) = &accuracy.conservation {
        notices.extend(unsent(all));
        if !all.holds() {
            notices.push(format!(
                "The counts do not add up ({}): this is an error in netload, please report it.",
                balance(accuracy).unwrap_or_default()
            ));
        }
    }
    notices
}

fn unstamped(accuracy: &Accuracy) -> Option<String> {
    let stamps = &accuracy.stamps;
    let without = stamps.without();
    if without == 0 {
        return None;
    }
    let reason = stamps.reason();
    let all = stamps.kernel + without;
    let share = percent_of(without, all);
    Some(if stamps.kernel == 0 {
        format!(
            "No response has a kernel stamp ({reason}): durations contain netload's own delay in receiving. They are \
             upper bounds."
        )
    } else {
        format!(
            "{} of {} responses ({share}) have no kernel stamp ({reason}): their durations are upper bounds. \
             The intervals allow for it.",
            grouped(without),
            grouped(all)
        )
    })
}

fn jumps(accuracy: &Accuracy) -> Option<String> {
    let clock = &accuracy.clock;
    if clock.steps == 0 {
        return None;
    }
    let times = if clock.steps == 1 {
        "once".to_owned()
    } else {
        format!("{} times", grouped(clock.steps))
    };
    Some(format!(
        "The wall clock was set {times} during the run, by up to {}. At most {} may be wrong by that, all others hold.",
        time(clock.largest_step_ns),
        match clock.suspects {
            1 => "1 duration".to_owned(),
            n => format!("{} durations", grouped(n)),
        }
    ))
}

fn unsent(all: &Conservation) -> Option<String> {
    (all.left > 0).then(|| {
        format!(
            "{} still waited for a free connection at the end, the oldest for {}: no duration counts them. The load \
             was more than the connections and the server could take.",
            match all.left {
                1 => "1 planned request".to_owned(),
                n => format!("{} planned requests", grouped(n)),
            },
            time(all.longest_left_ns)
        )
    })
}

fn requests(count: u64) -> String {
    match count {
        1 => "1 request".to_owned(),
        n => format!("{} requests", grouped(n)),
    }
}

fn range(censored: &Censored) -> String {
    let (least, most) = (time(censored.least_ns), time(censored.most_ns));
    if least == most {
        least
    } else {
        format!("{least} to {most}")
    }
}

fn time(ns: u64) -> String {
    duration(ns as f64 / 1e6, TimeUnit::Auto)
}

#[cfg(test)]
mod tests {
    use netload_metrics::accuracy::{Exchanges, WallClock};

    use super::*;

    #[test]
    fn a_clean_run_needs_no_words() {
        let mut accuracy = Accuracy::default();
        accuracy.stamps.kernel = 1_000;
        accuracy.conservation = Some(Conservation {
            started: 5,
            finished: 5,
            ..Conservation::default()
        });
        assert!(notices(&accuracy).is_empty());
        assert_eq!(balance(&accuracy), None);
    }

    #[test]
    fn what_is_censored_missing_or_doubtful_is_told() {
        let bounds = |count, least_ns, most_ns| Censored {
            count,
            least_ns,
            most_ns,
        };
        let accuracy = Accuracy {
            exchanges: Exchanges {
                timed_out: bounds(12, 30_000_000_000, 30_000_000_000),
                unfinished: bounds(1, 2_000_000, 2_000_000),
                ..Exchanges::default()
            },
            stamps: Stamps {
                kernel: 90,
                missing: 10,
                ..Stamps::default()
            },
            clock: WallClock {
                steps: 1,
                largest_step_ns: 100_000_000,
                suspects: 7,
                ..WallClock::default()
            },
            ..Accuracy::default()
        };
        let text = notices(&accuracy).join("\n");
        for part in [
            "10 of 100 responses (10.00%) have no kernel stamp (they did not come with the data)",
            "set once during the run, by up to 100ms. At most 7 durations",
            "12 requests timed out after 30s",
            "1 request still open when their iterations were cut off, after 2ms",
            "censored at >= 2ms",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }

    #[test]
    fn the_balance_names_every_way_out() {
        let accuracy = Accuracy {
            conservation: Some(Conservation {
                planned: Some(1_000),
                started_as_planned: 990,
                started: 990,
                finished: 989,
                interrupted: 1,
                refused: 2,
                left: 7,
                dropped: 1,
                dropped_as_planned: 1,
                ..Conservation::default()
            }),
            ..Accuracy::default()
        };
        assert_eq!(
            balance(&accuracy).unwrap(),
            "1,000 planned = 990 started + 1 dropped, no VU was free + 2 refused, the line was full \
             + 7 left waiting at the end; 990 started = 989 finished + 1 interrupted"
        );
        assert!(accuracy.conservation.unwrap().holds());
    }

    #[test]
    fn counts_that_do_not_add_up_are_an_error() {
        let accuracy = Accuracy {
            conservation: Some(Conservation {
                planned: Some(10),
                ..Conservation::default()
            }),
            ..Accuracy::default()
        };
        assert!(notices(&accuracy)[0].contains("do not add up"));
    }
}
