//! Received packets that were dropped or left for later before any program saw them (`/proc/net/softnet_stat`).

use netload_metrics::generator::Evidence;

use super::proc_file::ProcFile;
use super::{Source, grown};

/// The queues behind the network cards, all CPUs together.
pub(super) struct Softnet {
    file: ProcFile,
    dropped: u64,
    squeezed: u64,
}

impl Softnet {
    pub(super) fn open() -> Result<Self, String> {
        let file = ProcFile::open("/proc/net/softnet_stat")?;
        let (dropped, squeezed) = parse(file.text()).ok_or_else(|| file.strange())?;
        Ok(Self {
            file,
            dropped,
            squeezed,
        })
    }
}

impl Source for Softnet {
    fn read(&mut self, _span_ns: u64, evidence: &mut Evidence) -> Result<(), String> {
        let Some((dropped, squeezed)) = parse(self.file.read()?) else {
            return Err(self.file.strange());
        };
        evidence.softnet_dropped = Some(grown(&mut self.dropped, dropped));
        evidence.softnet_squeezed = Some(grown(&mut self.squeezed, squeezed));
        Ok(())
    }
}

/// The second and third column of each CPU's line, hexadecimal, added up.
fn parse(text: &str) -> Option<(u64, u64)> {
    let mut sums = (0, 0);
    for line in text.lines() {
        let mut columns = line.split_ascii_whitespace().skip(1);
        let mut next = || u64::from_str_radix(columns.next()?, 16).ok();
        sums = (sums.0 + next()?, sums.1 + next()?);
    }
    (!text.is_empty()).then_some(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_all_cpus_are_added_up() {
        let text = "03bef5e2 00000010 00000006 00000000\n04e622a3 00000001 00000002 00000000\n";
        assert_eq!(parse(text), Some((17, 8)));
        assert_eq!(parse(""), None);
        assert_eq!(parse("xyz"), None);
    }
}
