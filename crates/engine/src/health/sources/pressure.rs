//! For how long some task waited for a CPU, for memory or for a disk (`/proc/pressure`).

use netload_metrics::generator::Evidence;

use super::proc_file::ProcFile;
use super::{Source, grown};

/// CPU, memory and disks, in this order.
pub(super) struct Pressure([Stall; 3]);

struct Stall {
    file: ProcFile,
    total_us: u64,
}

impl Stall {
    fn open(name: &str) -> Result<Self, String> {
        let file = ProcFile::open(format!("/proc/pressure/{name}"))?;
        let total_us = parse(file.text()).ok_or_else(|| file.strange())?;
        Ok(Self { file, total_us })
    }

    fn share(&mut self, span_ns: u64) -> Result<f64, String> {
        let Some(total_us) = parse(self.file.read()?) else {
            return Err(self.file.strange());
        };
        let grown_us = grown(&mut self.total_us, total_us);
        Ok((grown_us as f64 * 1e3 / span_ns as f64).min(1.0))
    }
}

impl Pressure {
    pub(super) fn open() -> Result<Self, String> {
        Ok(Self([
            Stall::open("cpu")?,
            Stall::open("memory")?,
            Stall::open("io")?,
        ]))
    }
}

impl Source for Pressure {
    fn read(&mut self, span_ns: u64, evidence: &mut Evidence) -> Result<(), String> {
        let [cpu, memory, io] = &mut self.0;
        evidence.pressure_cpu = Some(cpu.share(span_ns)?);
        evidence.pressure_memory = Some(memory.share(span_ns)?);
        evidence.pressure_io = Some(io.share(span_ns)?);
        Ok(())
    }
}

/// Microseconds in which some task waited: the last number of the line `some`.
fn parse(text: &str) -> Option<u64> {
    let some = text.lines().find(|line| line.starts_with("some "))?;
    some.rsplit_once("total=")?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_some_tasks_counts() {
        let text = "some avg10=1.00 avg60=0.50 avg300=0.10 total=6390\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=1\n";
        assert_eq!(parse(text), Some(6390));
        assert_eq!(parse("full total=1"), None);
    }
}
