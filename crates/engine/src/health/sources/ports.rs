//! Local ports in use or waiting to be free (`/proc/net/sockstat`), against those that may be used.
//!
//! A port can be used once for each server address, so the share is exact only for tests of one server.

use netload_metrics::generator::Evidence;

use super::Source;
use super::proc_file::ProcFile;

/// Where the range stands.
const RANGE: &str = "/proc/sys/net/ipv4/ip_local_port_range";

/// The ports.
pub(super) struct Ports {
    file: ProcFile,
    there: u64,
}

impl Ports {
    pub(super) fn open() -> Result<Self, String> {
        let range = std::fs::read_to_string(RANGE).map_err(|e| format!("{RANGE}: {e}"))?;
        let there = size(&range).ok_or_else(|| format!("{RANGE} has no known layout"))?;
        let file = ProcFile::open("/proc/net/sockstat")?;
        parse(file.text()).ok_or_else(|| file.strange())?;
        Ok(Self { file, there })
    }
}

impl Source for Ports {
    fn read(&mut self, _span_ns: u64, evidence: &mut Evidence) -> Result<(), String> {
        let Some(used) = parse(self.file.read()?) else {
            return Err(self.file.strange());
        };
        evidence.ports_used = Some(used as f64 / self.there as f64);
        Ok(())
    }
}

/// How many ports the range has.
fn size(text: &str) -> Option<u64> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse::<u64>);
    let (first, last) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    last.checked_sub(first).map(|n| n + 1)
}

/// Sockets in use, and closed ones whose port is not free yet.
fn parse(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("TCP: "))?;
    let mut words = line.split_ascii_whitespace();
    let mut sum = None;
    while let (Some(name), Some(number)) = (words.next(), words.next()) {
        if matches!(name, "inuse" | "tw") {
            sum = Some(sum.unwrap_or(0) + number.parse::<u64>().ok()?);
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_in_use_and_waiting_are_counted() {
        let text = "sockets: used 37\nTCP: inuse 9 orphan 0 tw 955 alloc 9 mem 185\n";
        assert_eq!(parse(text), Some(964));
        assert_eq!(parse("UDP: inuse 1\n"), None);
        assert_eq!(size("32768\t60999\n"), Some(28_232));
    }
}
