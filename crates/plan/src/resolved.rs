//! The plan: everything the engine needs, every default filled in, every rule checked.
//!
//! Owns the defaults and the step from merged options to a plan. Leaves out options that concern
//! only the command (outputs, lingering); they stay readable in [`Plan::options`].

use std::collections::BTreeMap;

use serde_json::Value;

use crate::address::{DnsPolicy, DnsSelect, DnsTtl, HostAddress, HostPattern, IpNet, LocalIps};
use crate::duration::{Nanos, format_tenths};
use crate::features::Features;
use crate::measurement::Measurement;
use crate::options::{HttpDebug, Layered, Options, ThresholdOptions, TimeUnit, TrendStat};
use crate::problem::{Findings, Place, Problem, Warning};
use crate::requirements::Requirements;
use crate::scenario::Scenario;
use crate::segment::Segmentation;
use crate::share::Share;
use crate::system_tags::SystemTags;
use crate::threshold::{Threshold, ThresholdSet, parse_expression, parse_metric};
use crate::tls::{CipherSuite, ClientCertificate, TlsVersions};

/// Longest time for setup and teardown unless said otherwise, in nanoseconds.
const HOOK_TIMEOUT_NS: Nanos = 60_000_000_000;

/// Longest time for the summary function unless said otherwise, in nanoseconds.
const SUMMARY_TIMEOUT_NS: Nanos = 120_000_000_000;

/// How long answers of the resolver are kept unless said otherwise, in nanoseconds.
const DNS_TTL_NS: Nanos = 300_000_000_000;

/// Columns of trends in the summary unless said otherwise.
const TREND_STATS: [&str; 6] = ["avg", "min", "med", "max", "p(90)", "p(95)"];

/// User agent unless said otherwise.
const USER_AGENT: &str = concat!("netload/", env!("CARGO_PKG_VERSION"));

/// A test, ready to be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The scenarios, by start time, then by name.
    pub scenarios: Vec<Scenario>,
    /// The part of the test that this instance runs.
    pub segmentation: Segmentation,
    /// Conditions on metrics, by metric.
    pub thresholds: Vec<ThresholdSet>,
    /// Start paused.
    pub paused: bool,
    /// Leave out setup.
    pub no_setup: bool,
    /// Leave out teardown.
    pub no_teardown: bool,
    /// Longest time for setup, in nanoseconds.
    pub setup_timeout_ns: Nanos,
    /// Longest time for teardown, in nanoseconds.
    pub teardown_timeout_ns: Nanos,
    /// Longest time for the summary function, in nanoseconds.
    pub handle_summary_timeout_ns: Nanos,
    /// Shortest time from start to start of a VU's iterations, in nanoseconds; 0 is none.
    pub min_iteration_duration_ns: Nanos,
    /// Tags on all samples.
    pub tags: BTreeMap<String, String>,
    /// Tags that netload itself puts on samples.
    pub system_tags: SystemTags,
    /// Columns of trends in the summary.
    pub summary_trend_stats: Vec<TrendStat>,
    /// Unit of times in the summary.
    pub summary_time_unit: TimeUnit,
    /// How requests are made.
    pub http: HttpPlan,
    /// How connections are made.
    pub connect: ConnectPlan,
    /// Which times are measured.
    pub measurement: Measurement,
    /// The options behind all this, with the shortcuts turned into scenarios: what scripts see as
    /// `exec.test.options`.
    pub options: Options,
    /// What is worth a warning.
    pub warnings: Vec<Warning>,
}

/// How requests are made.
#[derive(Clone, Debug, PartialEq)]
pub struct HttpPlan {
    /// User agent header; empty sends none.
    pub user_agent: String,
    /// Failed requests throw.
    pub throw: bool,
    /// Most redirects followed, and whether that is only the default (then its end is warned of).
    pub max_redirects: u64,
    /// Whether the user chose the number of redirects.
    pub max_redirects_chosen: bool,
    /// Most parallel requests of one batch.
    pub batch: u64,
    /// Most parallel requests of one batch to the same host.
    pub batch_per_host: u64,
    /// Most requests per second of this instance; `None` is no limit.
    pub rps: Option<u64>,
    /// Read bodies of responses but do not keep them.
    pub discard_response_bodies: bool,
    /// Keep cookies from iteration to iteration.
    pub no_cookies_reset: bool,
    /// A fresh connection for every request.
    pub no_connection_reuse: bool,
    /// Fresh connections for every iteration.
    pub no_vu_connection_reuse: bool,
    /// How much of requests and responses goes to the log.
    pub http_debug: HttpDebug,
}

/// How connections are made.
#[derive(Clone, Debug, PartialEq)]
pub struct ConnectPlan {
    /// How names are resolved.
    pub dns: DnsPlan,
    /// Addresses of host names; exact names and patterns, with or without port.
    pub hosts: BTreeMap<HostPattern, HostAddress>,
    /// Host names that no connection is made to.
    pub block_hostnames: Vec<HostPattern>,
    /// Networks that no connection is made to.
    pub blacklist_ips: Vec<IpNet>,
    /// Addresses that connections come from.
    pub local_ips: Option<LocalIps>,
    /// Accept any certificate.
    pub insecure_skip_tls_verify: bool,
    /// TLS versions allowed.
    pub tls_versions: TlsVersions,
    /// Cipher suites allowed; empty leaves it to the library.
    pub tls_cipher_suites: Vec<CipherSuite>,
    /// Client certificates.
    pub tls_auth: Vec<ClientCertificate>,
}

/// How names are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DnsPlan {
    /// How long answers are kept.
    pub ttl: DnsTtl,
    /// Which of several addresses is taken.
    pub select: DnsSelect,
    /// Which kinds of address are taken.
    pub policy: DnsPolicy,
}

impl Plan {
    /// The options as k6 writes them once they are consolidated: with its defaults for the columns
    /// of the summary and for the system tags, sorted.
    pub fn consolidated(&self) -> Value {
        let mut options = self.options.to_json();
        let stats: Vec<&str> = self.summary_trend_stats.iter().map(|s| s.name()).collect();
        let mut tags: Vec<&str> = self.system_tags.iter().map(|t| t.name()).collect();
        tags.sort_unstable();
        options["summaryTrendStats"] = stats.into();
        options["systemTags"] = tags.into();
        options
    }

    /// Fills in every default and checks every rule; reports all problems at once.
    pub fn resolve(layered: &Layered) -> Result<Self, Vec<Problem>> {
        let mut findings = Findings::default();
        findings.warnings.extend_from_slice(layered.warnings());
        let mut options = layered.options().clone();
        let typed = layered.scenarios(&mut findings);
        let mut scenarios: Vec<Scenario> = typed
            .iter()
            .filter_map(|(name, typed)| {
                let place = match options.scenarios.is_some() && options.vus.is_none() {
                    true => layered.place("scenarios").key(name),
                    false => Place::root("options"),
                };
                Scenario::resolve(name, typed, &place, &mut findings)
            })
            .collect();
        scenarios.sort_by(|a, b| {
            let by_start = a.start_time_ns.cmp(&b.start_time_ns);
            by_start.then_with(|| a.name.cmp(&b.name))
        });
        let segmentation = segmentation(layered, &mut findings);
        let thresholds = thresholds(layered, &mut findings);
        if !findings.problems.is_empty() {
            return Err(findings.problems);
        }
        let (features, unknown) = Features::of(&options);
        findings.warnings.extend(unknown);
        let mut tags = options.tags.clone().unwrap_or_default();
        tags.extend(features.tags());
        let http = http(&options, &segmentation);
        let connect = connect(&options);
        options.scenarios = Some(typed);
        (options.vus, options.duration) = (None, None);
        (options.iterations, options.stages) = (None, None);
        Ok(Self {
            scenarios,
            segmentation,
            thresholds,
            paused: options.paused.unwrap_or(false),
            no_setup: options.no_setup.unwrap_or(false),
            no_teardown: options.no_teardown.unwrap_or(false),
            setup_timeout_ns: options.setup_timeout.unwrap_or(HOOK_TIMEOUT_NS),
            teardown_timeout_ns: options.teardown_timeout.unwrap_or(HOOK_TIMEOUT_NS),
            handle_summary_timeout_ns: options.handle_summary_timeout.unwrap_or(SUMMARY_TIMEOUT_NS),
            min_iteration_duration_ns: options.min_iteration_duration.unwrap_or(0),
            tags,
            system_tags: options.system_tags.unwrap_or_default(),
            summary_trend_stats: options.summary_trend_stats.clone().unwrap_or_else(|| {
                let stats = TREND_STATS.iter().filter_map(|stat| stat.parse().ok());
                stats.collect()
            }),
            summary_time_unit: options.summary_time_unit.unwrap_or_default(),
            http,
            connect,
            measurement: Measurement::default(),
            options,
            warnings: findings.warnings,
        })
    }

    /// This instance's part of the plan, for the laws.
    pub fn share(&self) -> Share {
        Share::of_instance(self.segmentation.clone())
    }

    /// VUs and time that this instance needs.
    pub fn requirements(&self) -> Requirements {
        Requirements::of(&self.scenarios, &self.share())
    }

    /// Most VUs of this instance at one time.
    pub fn max_vus(&self) -> u64 {
        self.requirements().max_vus
    }

    /// How long this instance runs at most, graceful stops included, in nanoseconds; `None` is
    /// until stopped.
    pub fn total_duration_ns(&self) -> Option<Nanos> {
        self.requirements().total_duration_ns
    }

    /// The line above the scenarios:
    /// `(100.00%) 2 scenarios, 30 max VUs, 1m30s max duration (incl. graceful stop)`.
    pub fn headline(&self) -> String {
        let Requirements {
            max_vus,
            total_duration_ns,
            ..
        } = self.requirements();
        let share = self.segmentation.segment().fraction() * 100.0;
        let plural = if self.scenarios.len() == 1 { "" } else { "s" };
        let duration = total_duration_ns.map_or("unlimited".to_owned(), format_tenths);
        format!(
            "({share:.2}%) {} scenario{plural}, {max_vus} max VUs, \
             {duration} max duration (incl. graceful stop)",
            self.scenarios.len()
        )
    }
}

fn segmentation(layered: &Layered, findings: &mut Findings) -> Segmentation {
    let options = layered.options();
    let segment = options.execution_segment.unwrap_or_default();
    let sequence = options.execution_segment_sequence.clone();
    Segmentation::new(segment, sequence).unwrap_or_else(|error| {
        let key = match options.execution_segment_sequence {
            Some(_) => "executionSegmentSequence",
            None => "executionSegment",
        };
        let problem = layered.place(key).problem(error.to_string());
        findings.problem(problem.hint(error.hint()));
        Segmentation::whole()
    })
}

fn thresholds(layered: &Layered, findings: &mut Findings) -> Vec<ThresholdSet> {
    let place = layered.place("thresholds");
    let typed = layered.options().thresholds.iter().flatten();
    typed
        .filter_map(|(source, typed)| {
            let place = place.key(source);
            let expressions = typed
                .iter()
                .enumerate()
                .filter_map(|(i, typed)| threshold(typed, &place.item(i), findings));
            let expressions = expressions.collect();
            let (metric_name, tags) = parse_metric(source)
                .map_err(|error| {
                    let problem = place.problem(error.to_string());
                    findings.problem(problem.hint(error.hint()));
                })
                .ok()?;
            Some(ThresholdSet {
                source: source.clone(),
                metric_name,
                tags,
                expressions,
            })
        })
        .collect()
}

fn threshold(
    typed: &ThresholdOptions,
    place: &Place,
    findings: &mut Findings,
) -> Option<Threshold> {
    match parse_expression(&typed.threshold) {
        Ok((aggregation, operator, limit)) => Some(Threshold {
            source: typed.threshold.clone(),
            aggregation,
            operator,
            limit,
            abort_on_fail: typed.abort_on_fail.unwrap_or(false),
            delay_abort_eval_ns: typed.delay_abort_eval_ns.unwrap_or(0),
        }),
        Err(error) => {
            let problem = place.problem(error.to_string());
            findings.problem(problem.hint(error.hint()));
            None
        }
    }
}

fn http(options: &Options, segmentation: &Segmentation) -> HttpPlan {
    let rps = options.rps.filter(|rps| *rps > 0);
    HttpPlan {
        user_agent: options
            .user_agent
            .clone()
            .unwrap_or_else(|| USER_AGENT.to_owned()),
        throw: options.throw.unwrap_or(false),
        max_redirects: options.max_redirects.unwrap_or(10),
        max_redirects_chosen: options.max_redirects.is_some(),
        batch: options.batch.unwrap_or(20),
        batch_per_host: options.batch_per_host.unwrap_or(6),
        rps: rps.map(|rps| segmentation.scale(rps).max(1)),
        discard_response_bodies: options.discard_response_bodies.unwrap_or(false),
        no_cookies_reset: options.no_cookies_reset.unwrap_or(false),
        no_connection_reuse: options.no_connection_reuse.unwrap_or(false),
        no_vu_connection_reuse: options.no_vu_connection_reuse.unwrap_or(false),
        http_debug: options.http_debug.unwrap_or_default(),
    }
}

fn connect(options: &Options) -> ConnectPlan {
    let dns = options.dns.clone().unwrap_or_default();
    ConnectPlan {
        dns: DnsPlan {
            ttl: dns.ttl.unwrap_or(DnsTtl::For(DNS_TTL_NS)),
            select: dns.select.unwrap_or_default(),
            policy: dns.policy.unwrap_or_default(),
        },
        hosts: options.hosts.clone().unwrap_or_default(),
        block_hostnames: options.block_hostnames.clone().unwrap_or_default(),
        blacklist_ips: options.blacklist_ips.clone().unwrap_or_default(),
        local_ips: options.local_ips.clone(),
        insecure_skip_tls_verify: options.insecure_skip_tls_verify.unwrap_or(false),
        tls_versions: options.tls_version.unwrap_or_default(),
        tls_cipher_suites: options.tls_cipher_suites.clone().unwrap_or_default(),
        tls_auth: options.tls_auth.clone().unwrap_or_default(),
    }
}
