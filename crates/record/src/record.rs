//! A whole run: its head, its series, its frames, and its tail when it came to one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::frame::Frame;
use crate::key::{Key, OTHER, Part};
use crate::point::Point;

/// Scripts are kept up to this length, in bytes.
pub const SCRIPT_LIMIT_BYTES: usize = 1 << 20;

/// What is known of a run when it starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// The version of everything that is kept.
    pub format: u32,
    /// The name of the run; ids sort by the time of the start.
    pub id: String,
    /// When it started, in nanoseconds since 1970.
    pub started_unix_ns: u64,
    /// `run`, `hit` or `demo`.
    pub command: String,
    /// The script's path or the URL.
    pub title: String,
    /// What tells runs apart: branch, commit, and what `--label` said.
    pub labels: BTreeMap<String, String>,
    /// The version of netload.
    pub tool_version: String,
    /// The name of the machine.
    pub host: String,
    /// Threads that made the load.
    pub workers: u32,
    /// The options in effect.
    pub options: Value,
    /// The script, if there is one of at most [`SCRIPT_LIMIT_BYTES`].
    pub script: Option<String>,
    /// The metrics that the run knew when it started.
    pub metrics: Vec<MetricInfo>,
}

/// What a metric is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricInfo {
    /// Its name.
    pub name: String,
    /// `counter`, `gauge`, `rate` or `trend`.
    pub kind: String,
    /// `default`, `time` or `data`.
    pub contains: String,
}

/// What is known of a run when it is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tail {
    /// How long it lasted, in nanoseconds.
    pub elapsed_ns: u64,
    /// The exit code of the process.
    pub exit_code: u8,
    /// How it ended, in one sentence.
    pub ending: String,
    /// Whether it failed: thresholds, exceptions, aborts.
    pub failed: bool,
    /// The machine-readable result, as `--format json` prints it.
    pub document: Value,
    /// What was seen of the generator, second by second: the document's `generator.evidence`, which is empty there.
    pub evidence: Vec<Value>,
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// What was known at the start.
    pub head: Head,
    /// The series; frames refer to them by position.
    pub keys: Vec<Key>,
    /// Every second, with the series of [`Part::Whole`] and [`Part::Tagged`].
    pub seconds: Vec<Frame>,
    /// Every ten seconds, with all other series.
    pub spans: Vec<Frame>,
    /// What was known at the end; none while the run goes on and when it was interrupted.
    pub tail: Option<Tail>,
}

impl Record {
    /// The number of a series.
    pub fn key(&self, key: &Key) -> Option<u32> {
        let at = self.keys.iter().position(|k| k == key)?;
        u32::try_from(at).ok()
    }

    /// Everything that a series has seen.
    pub fn total(&self, key: &Key) -> Option<Point> {
        let number = self.key(key)?;
        let mut points = self.frames_of(key).iter().filter_map(|f| f.point(number));
        let mut sum = points.next()?.clone();
        points.for_each(|point| sum.merge(point));
        Some(sum)
    }

    /// The frames in which a series is kept.
    pub fn frames_of(&self, key: &Key) -> &[Frame] {
        if key.part.is_by_second() {
            &self.seconds
        } else {
            &self.spans
        }
    }

    /// The series of a metric that `choose` takes, with their numbers and what names them.
    pub fn parts<'a, T>(
        &'a self,
        metric: &'a str,
        choose: impl Fn(&'a Part) -> Option<T> + 'a,
    ) -> impl Iterator<Item = (u32, &'a Key, T)> + 'a {
        let keys = self.keys.iter().zip(0u32..);
        keys.filter(move |(key, _)| key.metric == metric)
            .filter_map(move |(key, number)| Some((number, key, choose(&key.part)?)))
    }

    /// When the run ended or was last heard of, in nanoseconds since it started.
    pub fn elapsed_ns(&self) -> u64 {
        let last = self.seconds.last().map_or(0, Frame::until_ns);
        self.tail.as_ref().map_or(last, |tail| tail.elapsed_ns)
    }

    /// Whether there were too many names to keep them apart.
    pub fn is_folded(&self) -> bool {
        self.keys.iter().any(|key| match &key.part {
            Part::Whole | Part::Tagged(_) => false,
            part => *part == part.folded(),
        })
    }

    /// The name of what was counted together because there were too many names.
    pub const OTHER: &str = OTHER;
}
