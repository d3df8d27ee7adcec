//! The names of runs: `20261122-044512-7f3a`, the start in UTC and four digits that tell runs of one second apart.

use jiff::Timestamp;

/// The id of a run that started then, in nanoseconds since 1970; `chance` is any number.
pub fn run_id(started_unix_ns: u64, chance: u64) -> String {
    let started = Timestamp::from_nanosecond(i128::from(started_unix_ns)).unwrap_or_default();
    format!(
        "{}-{:04x}",
        started.strftime("%Y%m%d-%H%M%S"),
        chance & 0xffff
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_sort_by_time() {
        let id = super::run_id(1_795_322_712_000_000_000, 0xabc_7f3a);
        assert_eq!(id, "20261122-044512-7f3a");
        assert!(super::run_id(1_795_322_713_000_000_000, 0) > id);
    }
}
