//! Open files and sockets of this process against its limit.
//!
//! Counting the entries of a folder would cost more the more connections there are; the kernel tells their number as the
//! folder's size since Linux 6.2.

use netload_metrics::generator::Evidence;

use super::Source;

/// The folder of open files.
const FOLDER: &str = "/proc/self/fd";
/// The limits of this process.
const LIMITS: &str = "/proc/self/limits";

/// Open files against the limit.
pub(super) struct Files {
    limit: u64,
}

impl Files {
    pub(super) fn open() -> Result<Self, String> {
        let limits = std::fs::read_to_string(LIMITS).map_err(|e| format!("{LIMITS}: {e}"))?;
        let limit = parse(&limits).ok_or_else(|| format!("{LIMITS} has no known layout"))?;
        count()?;
        Ok(Self { limit })
    }
}

impl Source for Files {
    fn read(&mut self, _span_ns: u64, evidence: &mut Evidence) -> Result<(), String> {
        evidence.files_used = Some(count()? as f64 / self.limit.max(1) as f64);
        Ok(())
    }
}

fn count() -> Result<u64, String> {
    let found = std::fs::metadata(FOLDER).map_err(|e| format!("{FOLDER}: {e}"))?;
    match found.len() {
        0 => Err("the kernel tells the number of open files only since Linux 6.2".to_owned()),
        count => Ok(count),
    }
}

/// The soft limit of open files.
fn parse(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|l| l.strip_prefix("Max open files"))?;
    match line.split_ascii_whitespace().next()? {
        "unlimited" => Some(u64::MAX),
        number => number.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_counts() {
        let text = "Limit                     Soft Limit           Hard Limit           Units     \n\
                    Max open files            1024                 524288               files     \n";
        assert_eq!(parse(text), Some(1024));
        assert_eq!(
            parse("Max open files            unlimited            unlimited"),
            Some(u64::MAX)
        );
        assert_eq!(parse(""), None);
    }
}
