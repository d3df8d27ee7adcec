//! Segments sent again and connections turned away, by the whole machine (`/proc/net/snmp`, `/proc/net/netstat`).

use netload_metrics::generator::Evidence;

use super::proc_file::ProcFile;
use super::{Source, grown};

/// TCP's counters.
pub(super) struct Network {
    snmp: ProcFile,
    netstat: ProcFile,
    retransmits: u64,
    listen_drops: u64,
}

impl Network {
    pub(super) fn open() -> Result<Self, String> {
        let snmp = ProcFile::open("/proc/net/snmp")?;
        let netstat = ProcFile::open("/proc/net/netstat")?;
        let retransmits = retransmits(snmp.text()).ok_or_else(|| snmp.strange())?;
        let listen_drops = listen_drops(netstat.text()).ok_or_else(|| netstat.strange())?;
        Ok(Self {
            snmp,
            netstat,
            retransmits,
            listen_drops,
        })
    }
}

impl Source for Network {
    fn read(&mut self, _span_ns: u64, evidence: &mut Evidence) -> Result<(), String> {
        let Some(retransmits) = retransmits(self.snmp.read()?) else {
            return Err(self.snmp.strange());
        };
        let Some(listen_drops) = listen_drops(self.netstat.read()?) else {
            return Err(self.netstat.strange());
        };
        evidence.retransmits = Some(grown(&mut self.retransmits, retransmits));
        evidence.listen_drops = Some(grown(&mut self.listen_drops, listen_drops));
        Ok(())
    }
}

fn retransmits(text: &str) -> Option<u64> {
    counter(text, "Tcp:", "RetransSegs")
}

fn listen_drops(text: &str) -> Option<u64> {
    counter(text, "TcpExt:", "ListenDrops")
}

/// A counter of a table whose first line has the names and whose second has the numbers.
fn counter(text: &str, table: &str, name: &str) -> Option<u64> {
    let mut lines = text
        .lines()
        .filter(|line| line.split(' ').next() == Some(table));
    let (names, numbers) = (lines.next()?, lines.next()?);
    let at = names.split(' ').position(|n| n == name)?;
    numbers.split(' ').nth(at)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_is_found_by_its_name() {
        let text = "Ip: Forwarding\nIp: 2\nTcp: RtoAlgorithm MaxConn RetransSegs\nTcp: 1 -1 10\n";
        assert_eq!(counter(text, "Tcp:", "RetransSegs"), Some(10));
        assert_eq!(counter(text, "Tcp:", "Nothing"), None);
        assert_eq!(counter(text, "TcpExt:", "ListenDrops"), None);
    }
}
