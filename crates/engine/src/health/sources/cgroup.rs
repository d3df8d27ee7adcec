//! For how long the CPU quota of a container or service was used up (`cpu.stat` of the cgroup, versions 1 and 2).
//!
//! A quota may be set on any group above ours, so all of them are watched.

use netload_metrics::generator::Evidence;

use super::proc_file::{ProcFile, field};
use super::{Source, grown};

/// Where cgroups are mounted.
const MOUNT: &str = "/sys/fs/cgroup";

/// Groups above each other that are watched at most.
const DEPTH_AT_MOST: usize = 16;

/// The groups this process is in, as far as they count CPU time.
pub(super) struct Cgroup(Vec<Group>);

struct Group {
    stat: ProcFile,
    throttled_ns: u64,
}

impl Cgroup {
    pub(super) fn open() -> Result<Self, String> {
        let path = "/proc/self/cgroup";
        let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
        let groups: Vec<Group> = folders(&text)
            .into_iter()
            .filter_map(|folder| {
                let stat = ProcFile::open(format!("{folder}/cpu.stat")).ok()?;
                let throttled_ns = parse(stat.text())?;
                Some(Group { stat, throttled_ns })
            })
            .collect();
        match groups.is_empty() {
            false => Ok(Self(groups)),
            true => Err(format!(
                "no group of this process below {MOUNT} has a quota or tells about it"
            )),
        }
    }
}

impl Source for Cgroup {
    fn read(&mut self, span_ns: u64, evidence: &mut Evidence) -> Result<(), String> {
        let mut most = 0;
        for group in &mut self.0 {
            let Some(throttled_ns) = parse(group.stat.read()?) else {
                return Err(group.stat.strange());
            };
            most = most.max(grown(&mut group.throttled_ns, throttled_ns));
        }
        evidence.throttled = Some((most as f64 / span_ns as f64).min(1.0));
        Ok(())
    }
}

/// The folders of our groups and those above them, from `/proc/self/cgroup`.
fn folders(text: &str) -> Vec<String> {
    let mut folders = Vec::new();
    for line in text.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next())
        else {
            continue;
        };
        let mounts: &[&str] = match controllers {
            "" => &["", "/unified"],
            names if names.split(',').any(|n| n == "cpu") => &["/cpu", "/cpu,cpuacct"],
            _ => continue,
        };
        for mount in mounts {
            let mut path = path.trim_end_matches('/');
            for _ in 0..DEPTH_AT_MOST {
                folders.push(format!("{MOUNT}{mount}{path}"));
                match path.rfind('/') {
                    Some(at) => path = &path[..at],
                    None => break,
                }
            }
        }
    }
    folders
}

/// Nanoseconds for which the quota was used up; none where there is no such line.
fn parse(text: &str) -> Option<u64> {
    let v2 = || field(text, "throttled_usec ").map(|us| us.saturating_mul(1_000));
    v2().or_else(|| field(text, "throttled_time "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_of_cgroups_are_understood() {
        assert_eq!(
            parse("usage_usec 5\nnr_throttled 2\nthrottled_usec 7\n"),
            Some(7_000)
        );
        assert_eq!(
            parse("nr_periods 1\nnr_throttled 2\nthrottled_time 99\n"),
            Some(99)
        );
        assert_eq!(parse("usage_usec 5\n"), None);
    }

    #[test]
    fn a_quota_may_be_set_on_any_group_above() {
        assert_eq!(
            folders("0::/a/b\n"),
            ["", "/unified"]
                .iter()
                .flat_map(|m| ["/a/b", "/a", ""].map(|p| format!("{MOUNT}{m}{p}")))
                .collect::<Vec<_>>()
        );
        assert_eq!(folders("3:cpuset:/\n1:cpu,cpuacct:/\nnonsense\n").len(), 2);
    }
}
