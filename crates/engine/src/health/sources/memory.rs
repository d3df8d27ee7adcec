//! Memory that had to be fetched from disk (`/proc/self/stat`), and what is left (`/proc/meminfo`).

use netload_metrics::generator::Evidence;

use super::proc_file::{ProcFile, field};
use super::{Source, grown};

/// The memory of process and machine.
pub(super) struct Memory {
    own: ProcFile,
    machine: ProcFile,
    faults: u64,
}

impl Memory {
    pub(super) fn open() -> Result<Self, String> {
        let own = ProcFile::open("/proc/self/stat")?;
        let machine = ProcFile::open("/proc/meminfo")?;
        let faults = major_faults(own.text()).ok_or_else(|| own.strange())?;
        Ok(Self {
            own,
            machine,
            faults,
        })
    }
}

impl Source for Memory {
    fn read(&mut self, _span_ns: u64, evidence: &mut Evidence) -> Result<(), String> {
        let Some(faults) = major_faults(self.own.read()?) else {
            return Err(self.own.strange());
        };
        evidence.major_faults = Some(grown(&mut self.faults, faults));
        let available_kb = field(self.machine.read()?, "MemAvailable");
        evidence.memory_available_bytes = available_kb.map(|kb| kb.saturating_mul(1024));
        Ok(())
    }
}

/// The twelfth field; the second, the name in brackets, may contain anything.
fn major_faults(text: &str) -> Option<u64> {
    let fields = &text[text.rfind(')')? + 1..];
    fields.split_ascii_whitespace().nth(9)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_stand_in_the_twelfth_field() {
        let text = "42 (net load) S 3 4 5 6 7 8 9 10 11 77 13";
        assert_eq!(major_faults(text), Some(11));
        assert_eq!(major_faults("42 net"), None);
    }
}
