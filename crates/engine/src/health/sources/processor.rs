//! CPU time of the machine and what the hypervisor took of it (`/proc/stat`), and what netload used (`/proc/self/stat`).
//!
//! The kernel counts in ticks of 10 ms, so a share of half a second is known to a few per cent.

use netload_metrics::generator::Evidence;

use super::proc_file::ProcFile;
use super::{Source, grown};

/// The machine's CPUs.
pub(super) struct Processor {
    stat: ProcFile,
    own: ProcFile,
    all: Ticks,
    own_ticks: u64,
    cpus: Vec<Ticks>,
}

/// Ticks since the machine started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Ticks {
    busy: u64,
    idle: u64,
    steal: u64,
}

impl Ticks {
    /// What was added since `last`, which becomes `self`.
    fn since(self, last: &mut Self) -> Self {
        Self {
            busy: grown(&mut last.busy, self.busy),
            idle: grown(&mut last.idle, self.idle),
            steal: grown(&mut last.steal, self.steal),
        }
    }

    fn total(self) -> u64 {
        self.busy + self.idle + self.steal
    }

    fn share(self, part: u64) -> f64 {
        part as f64 / self.total().max(1) as f64
    }
}

impl Processor {
    pub(super) fn open() -> Result<Self, String> {
        let stat = ProcFile::open("/proc/stat")?;
        let own = ProcFile::open("/proc/self/stat")?;
        let (all, cpus) = parse(stat.text()).ok_or_else(|| stat.strange())?;
        let own_ticks = parse_own(own.text()).ok_or_else(|| own.strange())?;
        Ok(Self {
            stat,
            own,
            all,
            own_ticks,
            cpus,
        })
    }
}

impl Source for Processor {
    fn read(&mut self, _span_ns: u64, evidence: &mut Evidence) -> Result<(), String> {
        let Some((all, cpus)) = parse(self.stat.read()?) else {
            return Err(self.stat.strange());
        };
        let Some(own_ticks) = parse_own(self.own.read()?) else {
            return Err(self.own.strange());
        };
        let all = all.since(&mut self.all);
        evidence.machine_busy = Some(all.share(all.busy));
        evidence.own_cpu = Some(all.share(grown(&mut self.own_ticks, own_ticks)).min(1.0));
        // A CPU that was switched on or off starts anew.
        self.cpus.resize(cpus.len(), Ticks::default());
        let stolen = cpus.iter().zip(&mut self.cpus).map(|(now, last)| {
            let fresh = *last == Ticks::default();
            let part = now.since(last);
            if fresh { 0.0 } else { part.share(part.steal) }
        });
        evidence.steal = Some(stolen.fold(0.0, f64::max));
        Ok(())
    }
}

/// The line of all CPUs and one for each.
fn parse(text: &str) -> Option<(Ticks, Vec<Ticks>)> {
    let mut lines = text.lines().take_while(|line| line.starts_with("cpu"));
    let all = ticks(lines.next()?)?;
    Some((all, lines.map(ticks).collect::<Option<_>>()?))
}

/// `cpu0 user nice system idle iowait irq softirq steal ...`
fn ticks(line: &str) -> Option<Ticks> {
    let numbers: Vec<u64> = line
        .split_ascii_whitespace()
        .skip(1)
        .map_while(|n| n.parse().ok())
        .collect();
    let [user, nice, system, idle, iowait, irq, softirq, steal, ..] = numbers[..] else {
        return None;
    };
    Some(Ticks {
        busy: user + nice + system + irq + softirq,
        idle: idle + iowait,
        steal,
    })
}

/// User and system ticks of this process. Its name, in brackets, may contain anything.
fn parse_own(text: &str) -> Option<u64> {
    let fields = &text[text.rfind(')')? + 1..];
    let mut fields = fields.split_ascii_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cpu_has_its_line() {
        let text = "cpu  10 20 30 400 5 1 2 7 0 0\ncpu0 5 10 15 200 2 1 1 3 0 0\nintr 5 6\n";
        let (all, cpus) = parse(text).unwrap();
        let expected = Ticks {
            busy: 63,
            idle: 405,
            steal: 7,
        };
        assert_eq!((all, cpus.len()), (expected, 1));
        assert_eq!(cpus[0].steal, 3);
        assert!(parse("cpu 1 2\n").is_none() && parse("").is_none());
    }

    #[test]
    fn the_name_of_a_process_may_contain_brackets() {
        let text = "42 (a) b) S 1 2 3 4 5 6 7 8 9 10 17 4 0 0";
        assert_eq!(parse_own(text), Some(21));
    }
}
