//! Numbers as they go into a page: rounded to four digits, null where there is none, percentiles only where the sample
//! carries them.

use netload_metrics::interval::samples_needed;
use netload_record::Dist;
use serde_json::{Map, Value};

/// The percentiles of a trend and what they are called in columns.
pub(super) const COLUMNS: [(&str, f64); 6] = [
    ("p50", 0.5),
    ("p75", 0.75),
    ("p90", 0.9),
    ("p95", 0.95),
    ("p99", 0.99),
    ("p999", 0.999),
];

/// A number with four significant digits; null when it is not finite.
pub(super) fn number(value: f64) -> Value {
    if !value.is_finite() {
        return Value::Null;
    }
    let rounded = significant(value, 4);
    // Whole numbers take less room without `.0`.
    if rounded.fract() == 0.0 && rounded.abs() < 9e15 {
        Value::from(rounded as i64)
    } else {
        Value::from(rounded)
    }
}

fn significant(value: f64, digits: i32) -> f64 {
    if value == 0.0 {
        return 0.0;
    }
    let places = digits - 1 - value.abs().log10().floor() as i32;
    let scale = 10f64.powi(places.abs());
    let rounded = if places >= 0 {
        (value * scale).round() / scale
    } else {
        (value / scale).round() * scale
    };
    if rounded.is_finite() { rounded } else { value }
}

/// A moment or a length of time, to the millisecond.
pub(super) fn seconds(ns: u64) -> Value {
    let ms = (ns + 500_000) / 1_000_000;
    if ms.is_multiple_of(1_000) {
        Value::from(ms / 1_000)
    } else {
        Value::from(ms as f64 / 1e3)
    }
}

/// A quantile (0 to 1), null when there are too few values for it.
pub(super) fn quantile(dist: &Dist, q: f64) -> Value {
    if dist.count < samples_needed(q * 100.0) {
        Value::Null
    } else {
        number(dist.quantile(q))
    }
}

/// Mean, ends, count and percentiles of a distribution under the names of columns.
pub(super) fn summary(dist: &Dist) -> Map<String, Value> {
    let mut all = Map::new();
    let mut put = |name: &str, value| all.insert(name.to_owned(), value);
    put("count", Value::from(dist.count));
    if dist.count > 0 {
        put("mean", number(dist.mean()));
        put("min", number(dist.min));
        for (name, q) in COLUMNS {
            put(name, quantile(dist, q));
        }
        put("max", number(dist.max));
    }
    all
}

/// Rounds every number inside.
pub(super) fn round_all(values: &mut [Value]) {
    for value in values {
        round(value);
    }
}

fn round(value: &mut Value) {
    match value {
        Value::Number(n) if n.is_f64() => *value = number(n.as_f64().unwrap_or(0.0)),
        Value::Array(all) => round_all(all),
        Value::Object(all) => all.values_mut().for_each(round),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn four_digits_stay() {
        let cases = [
            (0.0, json!(0)),
            (1.234_56, json!(1.235)),
            (0.000_012_345_6, json!(0.000_012_35)),
            (123_456.7, json!(123_500)),
            (-99.999, json!(-100)),
            (f64::NAN, Value::Null),
            (f64::INFINITY, Value::Null),
        ];
        for (value, shown) in cases {
            assert_eq!(number(value), shown);
        }
    }

    #[test]
    fn percentiles_need_values() {
        let mut few = netload_metrics::Histogram::default();
        (1..=60).for_each(|n| few.record(f64::from(n)));
        let all = summary(&Dist::of(&few, 8));
        assert_eq!(all["max"], 60);
        assert!(all["p95"].is_number() && all["p99"].is_null(), "{all:?}");
    }
}
