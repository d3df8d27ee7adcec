//! What is known about the generator itself: the verdict on a run, and the evidence of each second behind it.
//!
//! Pure data. Who reads the evidence and who judges it is the engine's business, how it looks is that of the outputs.
//! Invariant: a [`Report`] has a bounded size, however long the run was.

/// Whether the numbers of a run are the server's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Nothing of the generator's own touched the numbers.
    #[default]
    Clean,
    /// Something touched some of the numbers for a time; the meaning says which.
    Disturbed,
    /// Every VU or connection was busy, so planned starts had to wait or were dropped.
    ConcurrencyBound,
    /// The generator had no more to give; the load was not the planned one, or not what the server could take.
    GeneratorBound,
    /// The numbers contradict each other.
    Invalid,
}

impl Verdict {
    /// The name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Disturbed => "disturbed",
            Self::ConcurrencyBound => "concurrency-bound",
            Self::GeneratorBound => "generator-bound",
            Self::Invalid => "invalid",
        }
    }

    /// The verdict with this name.
    pub fn named(name: &str) -> Option<Self> {
        let all = [
            Self::Clean,
            Self::Disturbed,
            Self::ConcurrencyBound,
            Self::GeneratorBound,
            Self::Invalid,
        ];
        all.into_iter().find(|v| v.name() == name)
    }
}

/// Why it came to a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// All threads stood still at once: stopped by a signal or a debugger, or the machine was suspended.
    Stopped,
    /// The CPU quota of the cgroup was used up.
    CpuQuota,
    /// The hypervisor gave the CPU to another machine.
    Steal,
    /// A worker was ready to run and waited for a CPU that somebody else used.
    CpuContention,
    /// A worker used all of its CPU itself.
    OwnCpu,
    /// Memory had to be fetched back from disk.
    Memory,
    /// The kernel dropped received packets before anybody saw them.
    PacketDrops,
    /// No more files or sockets could be opened.
    OpenFiles,
    /// No local port was free.
    Ports,
    /// The wall clock, by which the kernel stamps packets, was set.
    ClockStep,
    /// Every VU or connection was busy.
    AllBusy,
    /// Counts that must agree do not.
    Conservation,
    /// Nothing that could be read explains it.
    Unknown,
}

impl Cause {
    /// The name in documents.
    pub fn name(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::CpuQuota => "cpu-quota",
            Self::Steal => "steal",
            Self::CpuContention => "cpu-contention",
            Self::OwnCpu => "own-cpu",
            Self::Memory => "memory",
            Self::PacketDrops => "packet-drops",
            Self::OpenFiles => "open-files",
            Self::Ports => "ports",
            Self::ClockStep => "clock-step",
            Self::AllBusy => "all-busy",
            Self::Conservation => "conservation",
            Self::Unknown => "unknown",
        }
    }
}

/// A distribution in a few numbers, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spread {
    /// How many values.
    pub count: u64,
    /// Their sum.
    pub sum_ms: f64,
    /// Their median.
    pub p50_ms: f64,
    /// Their 99th percentile.
    pub p99_ms: f64,
    /// The largest.
    pub max_ms: f64,
}

impl Spread {
    /// The mean; 0 without values.
    pub fn mean_ms(&self) -> f64 {
        self.sum_ms / self.count.max(1) as f64
    }

    /// Both together; percentiles are those of the worse part.
    fn absorb(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.count += other.count;
        self.sum_ms += other.sum_ms;
        self.p50_ms = self.p50_ms.max(other.p50_ms);
        self.p99_ms = self.p99_ms.max(other.p99_ms);
        self.max_ms = self.max_ms.max(other.max_ms);
    }
}

impl From<&crate::Histogram> for Spread {
    fn from(values: &crate::Histogram) -> Self {
        Self {
            count: values.count(),
            sum_ms: values.sum(),
            p50_ms: values.percentile(50.0),
            p99_ms: values.percentile(99.0),
            max_ms: values.max(),
        }
    }
}

/// Which numbers of a slice the generator touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Gross, while net is right.
    pub gross: bool,
    /// The instants of planned starts.
    pub starts: bool,
    /// The offered load.
    pub load: bool,
    /// Net may be too large.
    pub net_up: bool,
    /// Net may be wrong in either direction.
    pub net: bool,
    /// Exchanges failed that the server never saw.
    pub failures: bool,
}

impl Touched {
    /// Both together.
    pub fn absorb(&mut self, other: Self) {
        self.gross |= other.gross;
        self.starts |= other.starts;
        self.load |= other.load;
        self.net_up |= other.net_up;
        self.net |= other.net;
        self.failures |= other.failures;
    }

    /// What was touched, in the words of the documents.
    pub fn names(self) -> Vec<&'static str> {
        let all = [
            (self.gross, "gross"),
            (self.starts, "starts"),
            (self.load, "load"),
            (self.net || self.net_up, "net"),
            (self.failures, "failures"),
        ];
        let touched = all.into_iter().filter(|(is_touched, _)| *is_touched);
        touched.map(|(_, name)| name).collect()
    }
}

/// What was seen of the generator and its machine in a slice of the run. Shares are from 0 to 1; what could not be read
/// is none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evidence {
    /// When it began, in nanoseconds since the load started.
    pub at_ns: u64,
    /// How long it was, in nanoseconds.
    pub span_ns: u64,
    /// What it did to the numbers, when its verdict is not clean.
    pub touched: Touched,
    /// Net durations of exchanges.
    pub net: Spread,
    /// The same as a tool without kernel stamps would have measured them.
    pub gross: Spread,
    /// What netload added: from the kernel's receive stamp to the end of the exchange.
    pub tare: Spread,
    /// Lateness of planned starts while a VU was free.
    pub late: Spread,
    /// Responses whose end the kernel should have stamped or has stamped.
    pub responses: u64,
    /// Those of them without a stamp: what delays netload is in their net and not in their tare.
    pub unstamped: u64,
    /// Starts that the plan wanted.
    pub planned: f64,
    /// Starts that happened.
    pub started: u64,
    /// Starts that were given up because every VU was busy.
    pub dropped: u64,
    /// Planned starts that had neither happened nor been dropped at the end.
    pub behind: f64,
    /// Share of the looks at which every VU was busy.
    pub all_busy: f64,
    /// The worker that worked and waited most, from 0.
    pub worker: usize,
    /// Share of the time it ran on a CPU.
    pub worker_run: Option<f64>,
    /// Share of the time it was ready to run and waited for a CPU.
    pub worker_wait: Option<f64>,
    /// The longest time for which the coordinating thread did not run although it should have, in nanoseconds.
    pub stood_still_ns: u64,
    /// The part of it that is explained by waiting for a CPU, in nanoseconds.
    pub stood_still_waiting_ns: u64,
    /// Share of the machine's CPU time that was not idle.
    pub machine_busy: Option<f64>,
    /// Share of the machine's CPU time that netload used.
    pub own_cpu: Option<f64>,
    /// Share of the time that the hypervisor took from the CPU it took most from.
    pub steal: Option<f64>,
    /// Share of the time for which the cgroup's quota was used up.
    pub throttled: Option<f64>,
    /// Share of the time in which some task waited for a CPU (pressure stall information).
    pub pressure_cpu: Option<f64>,
    /// The same for memory.
    pub pressure_memory: Option<f64>,
    /// The same for disks.
    pub pressure_io: Option<f64>,
    /// Received packets that were dropped because the queue behind the network card was full.
    pub softnet_dropped: Option<u64>,
    /// How often the kernel gave up taking packets from that queue for a while.
    pub softnet_squeezed: Option<u64>,
    /// TCP segments sent again, by the whole machine.
    pub retransmits: Option<u64>,
    /// Connections that a full accept queue on this machine turned away.
    pub listen_drops: Option<u64>,
    /// Local ports in use or waiting to be free, as a share of those there are.
    pub ports_used: Option<f64>,
    /// Open files and sockets as a share of the limit.
    pub files_used: Option<f64>,
    /// Times that memory had to be fetched from disk.
    pub major_faults: Option<u64>,
    /// Memory that programs can still have, in bytes.
    pub memory_available_bytes: Option<u64>,
    /// How often the wall clock was set.
    pub clock_steps: u64,
    /// The farthest it was moved, in nanoseconds.
    pub clock_step_ns: u64,
    /// Exchanges that failed because no more files could be opened.
    pub out_of_files: u64,
    /// Exchanges that failed because no local port was free.
    pub out_of_ports: u64,
    /// What was found in this slice.
    pub verdict: Verdict,
}

/// The larger of two readings, where there is any.
fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

/// The sum of two counts, where there is any.
fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}

impl Evidence {
    /// The share of responses without a kernel stamp, from 0 to 1.
    pub fn share_unstamped(&self) -> f64 {
        self.unstamped as f64 / self.responses.max(1) as f64
    }

    /// Adds the slice that follows: counts are added, of shares and percentiles the worse one stays.
    pub fn absorb(&mut self, next: &Self) {
        self.span_ns += next.span_ns;
        self.touched.absorb(next.touched);
        self.net.absorb(&next.net);
        self.gross.absorb(&next.gross);
        self.tare.absorb(&next.tare);
        self.late.absorb(&next.late);
        self.responses += next.responses;
        self.unstamped += next.unstamped;
        self.planned += next.planned;
        self.started += next.started;
        self.dropped += next.dropped;
        self.behind = next.behind;
        self.all_busy = self.all_busy.max(next.all_busy);
        let load = |e: &Self| e.worker_run.unwrap_or(0.0) + e.worker_wait.unwrap_or(0.0);
        if load(next) > load(self) || self.worker_run.is_none() {
            self.worker = next.worker;
            self.worker_run = next.worker_run;
            self.worker_wait = next.worker_wait;
        }
        if next.stood_still_ns > self.stood_still_ns {
            self.stood_still_ns = next.stood_still_ns;
            self.stood_still_waiting_ns = next.stood_still_waiting_ns;
        }
        self.machine_busy = larger(self.machine_busy, next.machine_busy);
        self.own_cpu = larger(self.own_cpu, next.own_cpu);
        self.steal = larger(self.steal, next.steal);
        self.throttled = larger(self.throttled, next.throttled);
        self.pressure_cpu = larger(self.pressure_cpu, next.pressure_cpu);
        self.pressure_memory = larger(self.pressure_memory, next.pressure_memory);
        self.pressure_io = larger(self.pressure_io, next.pressure_io);
        self.softnet_dropped = sum(self.softnet_dropped, next.softnet_dropped);
        self.softnet_squeezed = sum(self.softnet_squeezed, next.softnet_squeezed);
        self.retransmits = sum(self.retransmits, next.retransmits);
        self.listen_drops = sum(self.listen_drops, next.listen_drops);
        self.ports_used = larger(self.ports_used, next.ports_used);
        self.files_used = larger(self.files_used, next.files_used);
        self.major_faults = sum(self.major_faults, next.major_faults);
        self.memory_available_bytes =
            match (self.memory_available_bytes, next.memory_available_bytes) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        self.clock_steps += next.clock_steps;
        self.clock_step_ns = self.clock_step_ns.max(next.clock_step_ns);
        self.out_of_files += next.out_of_files;
        self.out_of_ports += next.out_of_ports;
        self.verdict = self.verdict.max(next.verdict);
    }
}

/// A stretch of the run with one verdict other than clean.
#[derive(Clone, Debug, PartialEq)]
pub struct Episode {
    /// The verdict.
    pub verdict: Verdict,
    /// Its first moment, in nanoseconds since the load started.
    pub since_ns: u64,
    /// Its end, the same.
    pub until_ns: u64,
    /// When it was known, the same.
    pub found_ns: u64,
    /// Its cause.
    pub cause: Cause,
    /// The cause with its numbers, as a sentence without full stop.
    pub detail: String,
}

/// Something that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// What.
    pub quantity: &'static str,
    /// Why not.
    pub reason: String,
    /// What is not known without it.
    pub effect: &'static str,
}

/// The numbers of the seconds that nothing touched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CleanPart {
    /// How long they were together, in nanoseconds.
    pub span_ns: u64,
    /// Net durations.
    pub net: Spread,
    /// Gross durations.
    pub gross: Spread,
}

/// Everything known about the generator in a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// The verdict on the run: the worst of its episodes.
    pub verdict: Verdict,
    /// When it first came to that, in nanoseconds since the load started.
    pub since_ns: Option<u64>,
    /// When that was last the case, the same.
    pub until_ns: Option<u64>,
    /// Why.
    pub cause: Option<Cause>,
    /// The cause with its numbers; empty when the run is clean.
    pub detail: String,
    /// What that means for the numbers.
    pub meaning: String,
    /// The part of the touched time that the cause explains, from 0 to 1; 1 when the run is clean.
    pub confidence: f64,
    /// The stretches that were not clean.
    pub episodes: Vec<Episode>,
    /// Stretches that were left out because there were too many.
    pub episodes_left_out: u64,
    /// What was seen, second by second; in long runs in longer steps.
    pub evidence: Vec<Evidence>,
    /// Mean number of VUs at work times the time, against the time their iterations took: the share that is missing
    /// (Little's law). None when the run does not allow the comparison.
    pub little_residual: Option<f64>,
    /// Counts that contradict each other, as sentences.
    pub contradictions: Vec<String>,
    /// What could not be read.
    pub unread: Vec<Unread>,
    /// The numbers without the touched seconds; none when all or no seconds were touched.
    pub clean: Option<CleanPart>,
    /// What the measurement before the test found on this machine, when it was asked for.
    pub zero: Option<Zero>,
}

/// The generator against a server that does nothing, on this machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Zero {
    /// Planned starts per second; none when connections sent as fast as they could.
    pub rate_per_s: Option<f64>,
    /// Connections.
    pub connections: u64,
    /// Bytes of each body that was asked for.
    pub payload_bytes: u64,
    /// How long it took, in nanoseconds.
    pub span_ns: u64,
    /// Exchanges.
    pub exchanges: u64,
    /// Exchanges per second.
    pub achieved_per_s: f64,
    /// Tare: median, 90th, 99th percentile and largest, in milliseconds.
    pub tare_ms: [f64; 4],
    /// Gross durations, the same.
    pub gross_ms: [f64; 4],
    /// Lateness of starts, the same; none without a rate.
    pub late_ms: Option<[f64; 4]>,
    /// The highest rate at which starts were still on time, per second; none when it was not looked for.
    pub highest_honest_per_s: Option<f64>,
    /// Its verdict.
    pub verdict: Verdict,
    /// The cause, when that is not clean.
    pub detail: String,
}
