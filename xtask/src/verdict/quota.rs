//! A cgroup of our own with a CPU quota, in version 2 where the controller is there, else in version 1.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::Failure;
use super::case::wrapped;

/// Where a group can be made, and in which version.
struct Place {
    folder: PathBuf,
    is_v2: bool,
}

/// CPU time in each tenth of a second while it is tight, in microseconds.
const TIGHT_US: u64 = 5_000;
const PERIOD_US: u64 = 100_000;

fn place() -> Result<Place, String> {
    let name = format!("netload-verdict-{}", std::process::id());
    let controllers = fs::read_to_string("/sys/fs/cgroup/cgroup.subtree_control");
    if controllers.is_ok_and(|text| text.split_whitespace().any(|c| c == "cpu")) {
        return Ok(Place {
            folder: PathBuf::from("/sys/fs/cgroup").join(name),
            is_v2: true,
        });
    }
    let v1 = PathBuf::from("/sys/fs/cgroup/cpu");
    match v1.join("cpu.cfs_quota_us").exists() || v1.join("cpu.shares").exists() {
        true => Ok(Place {
            folder: v1.join(name),
            is_v2: false,
        }),
        false => Err("no cgroup with the CPU controller".to_owned()),
    }
}

/// Whether a group can be made here.
pub(super) fn possible() -> Result<(), String> {
    let place = place()?;
    fs::create_dir_all(&place.folder)
        .and_then(|()| fs::remove_dir(&place.folder))
        .map_err(|e| format!("{} cannot be made: {e}", place.folder.display()))
}

/// The same command inside the group, which it enters before it becomes netload.
pub(super) fn confined(inner: &Command) -> Result<Command, Failure> {
    let place = place()?;
    fs::create_dir_all(&place.folder)?;
    limit(&place, None)?;
    let mut command = Command::new("sh");
    command.args(["-c", "echo $$ > \"$0/cgroup.procs\"; exec \"$@\""]);
    command.arg(&place.folder);
    Ok(wrapped(command, inner))
}

fn limit(place: &Place, quota_us: Option<u64>) -> Result<(), Failure> {
    let (file, text) = match (place.is_v2, quota_us) {
        (true, Some(quota)) => ("cpu.max", format!("{quota} {PERIOD_US}")),
        (true, None) => ("cpu.max", format!("max {PERIOD_US}")),
        (false, Some(quota)) => ("cpu.cfs_quota_us", quota.to_string()),
        (false, None) => ("cpu.cfs_quota_us", "-1".to_owned()),
    };
    Ok(fs::write(place.folder.join(file), text)?)
}

/// A tight quota; loose again when dropped, and the group goes with the last process in it.
pub(super) struct Tight(Place);

impl Tight {
    pub(super) fn begin() -> Result<Self, Failure> {
        let place = place()?;
        limit(&place, Some(TIGHT_US))?;
        Ok(Self(place))
    }
}

impl Drop for Tight {
    fn drop(&mut self) {
        let _ = limit(&self.0, None);
        // Only when nothing runs in it any more; the next run uses it again.
        let _ = fs::remove_dir(&self.0.folder);
    }
}
