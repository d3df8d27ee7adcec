//! Netload alone: the load of a test against a server on this machine that does nothing, in this process.
//!
//! What remains is the machine's own tare and lateness, and the highest rate at which starts are still on time. Leaves
//! out how that is printed. Invariant: nothing of it goes into the results of the test that follows.

use std::sync::Arc;

use netload_engine::{Log, Record, RunConfig};
use netload_hit::{Hit, Limit, Load, Rate, Target as Request};
use netload_metrics::generator::{Verdict, Zero};
use netload_metrics::{Aggregate, Histogram, Registry, Summary};
use netload_net::{DnsConfig, NetConfig};
use netload_plan::executor::Arrival;
use netload_plan::{Executor, Layered, Plan};
use netload_target::{Target, TargetConfig};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::network;

/// How long the measurement before a test takes, in nanoseconds.
pub(crate) const BEFORE_NS: u64 = 2_000_000_000;

/// Connections at most when the plan has more VUs: a process has a limited number of files, and here both ends are its
/// own.
const CONNECTIONS_AT_MOST: u64 = 1_000;

/// Longest time of one request, in nanoseconds.
const TIMEOUT_NS: u64 = 10_000_000_000;

const SECOND_NS: u64 = 1_000_000_000;

/// The search for the highest honest rate: the first rate, how often it is doubled at most, how often the gap between
/// the last good and the first bad rate is halved, and how long one rate is tried, in nanoseconds.
const FIRST_RATE: u64 = 1_000;
const DOUBLINGS: u32 = 12;
const HALVINGS: u32 = 3;
const TRY_NS: u64 = 600_000_000;

/// Tare and lateness of an honest rate at the 99th percentile, in milliseconds, and the share of starts that happen.
const HONEST_MS: f64 = 1.0;
const HONEST_SHARE: f64 = 0.99;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shape {
    /// Planned starts; none lets the connections send as fast as they can.
    pub(crate) rate: Option<Rate>,
    /// Connections at most.
    pub(crate) connections: u64,
    /// Bytes of each body.
    pub(crate) payload_bytes: u64,
    /// How long, in nanoseconds.
    pub(crate) span_ns: u64,
    /// Threads.
    pub(crate) workers: usize,
}

impl Shape {
    /// The load of a plan: its highest rate, if it has one, and as many connections as it has VUs.
    pub(crate) fn of(plan: &Plan, workers: usize) -> Self {
        let cut = &plan.segmentation;
        let rates = plan.scenarios.iter().map(|s| match &s.executor {
            Executor::ConstantArrivalRate(law) => law.per_second(cut),
            Executor::RampingArrivalRate(law) => law.most_per_second(cut),
            _ => 0.0,
        });
        let per_s: f64 = rates.sum();
        Self {
            rate: (per_s > 0.0).then(|| Rate {
                // A thousand seconds keep three decimals of the rate.
                count: ((per_s * 1e3) as u64).max(1),
                per_ns: 1_000 * SECOND_NS,
            }),
            connections: plan.max_vus().clamp(1, CONNECTIONS_AT_MOST),
            payload_bytes: 0,
            span_ns: BEFORE_NS,
            workers,
        }
    }

    /// Starts per second.
    fn per_s(&self) -> Option<f64> {
        let rate = self.rate?;
        Some(rate.count as f64 * SECOND_NS as f64 / rate.per_ns as f64)
    }
}

/// Measures one load.
pub(crate) fn measure(shape: &Shape) -> Result<Zero, Failure> {
    let server = Server::start()?;
    let summary = server.load(shape)?;
    Ok(zero(shape, &summary))
}

/// Looks for the highest rate at which starts are on time and nothing is held up; none when not even the first is.
/// `tell` hears each rate that was tried and whether it was honest.
pub(crate) fn highest_honest(
    shape: &Shape,
    mut tell: impl FnMut(u64, bool),
) -> Result<Option<f64>, Failure> {
    let server = Server::start()?;
    let mut honest = |per_s: u64| -> Result<bool, Failure> {
        let shape = Shape {
            rate: Some(Rate {
                count: per_s,
                per_ns: SECOND_NS,
            }),
            span_ns: TRY_NS,
            ..*shape
        };
        let found = is_honest(&shape, &zero(&shape, &server.load(&shape)?));
        tell(per_s, found);
        Ok(found)
    };
    let (mut good, mut bad) = (0, FIRST_RATE);
    for _ in 0..DOUBLINGS {
        if !honest(bad)? {
            break;
        }
        (good, bad) = (bad, bad * 2);
    }
    if good == 0 {
        return Ok(None);
    }
    for _ in 0..HALVINGS {
        let middle = good + (bad - good) / 2;
        match honest(middle)? {
            true => good = middle,
            false => bad = middle,
        }
    }
    Ok(Some(good as f64))
}

fn is_honest(shape: &Shape, zero: &Zero) -> bool {
    let [_, _, tare_ms, _] = zero.tare_ms;
    let late_ms = zero.late_ms.map_or(0.0, |[_, _, p99, _]| p99);
    let share = zero.achieved_per_s / shape.per_s().unwrap_or(1.0).max(f64::MIN_POSITIVE);
    share >= HONEST_SHARE && tare_ms <= HONEST_MS && late_ms <= HONEST_MS
}

/// The server that does nothing.
struct Server(netload_target::Running);

impl Server {
    fn start() -> Result<Self, Failure> {
        let started = Target::start(TargetConfig::default());
        let started = started.map_err(|e| Failure::new(Exit::Failure, e.to_string()))?;
        Ok(Self(started))
    }

    /// Puts a load on it, coordinated by a thread of its own: that takes second place on the processor and may not be
    /// able to leave it again, and the workers of the test to come would inherit that.
    fn load(&self, shape: &Shape) -> Result<Summary, Failure> {
        let path = match shape.payload_bytes {
            0 => "fast".to_owned(),
            bytes => format!("bytes/{bytes}"),
        };
        let url = format!("http://{}/{path}", self.0.addr());
        let loaded = std::thread::scope(|scope| scope.spawn(|| Self::load_here(url, shape)).join());
        loaded.unwrap_or_else(|_| {
            let reason = "the measurement of this machine broke off";
            Err(Failure::new(Exit::Failure, reason.to_owned()))
        })
    }

    /// Puts a load on a server, coordinated by this thread.
    fn load_here(url: String, shape: &Shape) -> Result<Summary, Failure> {
        let failed = |reason: String| Failure::new(Exit::Failure, reason);
        let request = Request {
            method: "GET".to_owned(),
            url,
            headers: Vec::new(),
            body: None,
            user_agent: String::new(),
            timeout_ns: TIMEOUT_NS,
            keep_alive: true,
            redirects: 0,
            streams: 1,
        };
        let program = Hit::new(request).map_err(|e| failed(e.to_string()))?;
        let load = Load {
            connections: shape.connections,
            streams: 1,
            limit: Limit {
                requests: None,
                duration_ns: Some(shape.span_ns),
            },
            rate: shape.rate,
            arrival: Arrival::Constant,
            timeout_ns: TIMEOUT_NS,
        };
        let mut plan = Plan::resolve(&Layered::new())
            .map_err(|problems| Failure::configuration(None, problems))?;
        plan.scenarios = vec![load.scenario()];
        let config = RunConfig {
            plan: Arc::new(plan),
            registry: Arc::new(Registry::new()),
            workers: shape.workers,
            network: network::network(&NetConfig {
                dns: DnsConfig::default(),
                ..NetConfig::default()
            })?,
            sinks: Vec::new(),
            log: Arc::new(Silence),
            scopes: false,
            thresholds: false,
            on_start: Box::new(|_| {}),
            observer: Box::new(|_| {}),
            summary_data: None,
        };
        let result = netload_engine::run(Arc::new(program), config);
        result.map(|r| r.summary).map_err(|e| failed(e.to_string()))
    }
}

fn zero(shape: &Shape, summary: &Summary) -> Zero {
    let trend = |name: &str| match summary.metric(name).map(|m| &m.data) {
        Some(Aggregate::Trend(values)) if values.count() > 0 => Some(four(values)),
        _ => None,
    };
    let exchanges = match summary.metric("http_reqs").map(|m| &m.data) {
        Some(Aggregate::Counter(count)) => count.sum as u64,
        _ => 0,
    };
    let report = summary.generator.as_deref();
    Zero {
        rate_per_s: shape.per_s(),
        connections: shape.connections,
        payload_bytes: shape.payload_bytes,
        span_ns: summary.elapsed_ns,
        exchanges,
        achieved_per_s: exchanges as f64 * 1e9 / shape.span_ns as f64,
        tare_ms: trend("http_req_tare").unwrap_or_default(),
        gross_ms: trend("http_req_gross").unwrap_or_default(),
        late_ms: trend("iteration_lateness"),
        highest_honest_per_s: None,
        verdict: report.map_or(Verdict::Clean, |r| r.verdict),
        detail: report.map_or_else(String::new, |r| r.detail.clone()),
    }
}

fn four(values: &Histogram) -> [f64; 4] {
    [50.0, 90.0, 99.0, 100.0].map(|p| values.percentile(p))
}

/// Nobody needs to hear what happens in here.
struct Silence;

impl Log for Silence {
    fn log(&self, _record: Record) {}
}
