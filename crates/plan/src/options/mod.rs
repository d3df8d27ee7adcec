//! Options as a user types them: one layer, with nothing filled in.
//!
//! Owns the table of all options and their forms. Leaves out defaults ([`crate::resolved`]), the
//! names of environment variables and flags (the binary's table), and files. Invariant: reading
//! reports every problem of a layer, not only the first.

mod choice;
mod fields;
mod forms;
mod layered;
mod scenario;
mod shortcuts;
mod structures;

pub use choice::{Change, Choice};
pub use fields::{Key, Scope};
pub use forms::Form;
pub use layered::{Layered, Origin};
pub use scenario::{ScenarioOptions, Scenarios};
pub use structures::{
    DnsOptions, HttpDebug, STAGES_LIMIT, Stages, ThresholdOptions, TimeUnit, TrendStat,
};

use serde_json::{Map, Value};

use crate::address::{HostPattern, IpNet, LocalIps};
use crate::duration::kind_of;
use crate::names;
use crate::problem::{Findings, Place, Problem, Warning};
use crate::segment::{Segment, SegmentSequence};
use crate::tls::CipherSuite;
use fields::fields;
use forms::{Count, Flag, Hosts, List, Outputs, Raw, Span, Text, Texts, Word};
use structures::{Certificates, Dns, Tags, Thresholds, Versions};

fields! {
    layered
    /// One layer of options. `None` is "not set here".
    ///
    /// Durations are nanoseconds.
    pub struct Options {
        /// Start paused.
        paused: Flag = "paused", Anywhere;
        /// VUs of the shortcuts.
        vus: Count = "vus", Anywhere;
        /// Shortcut: VUs loop for this time.
        duration: Span = "duration", Anywhere;
        /// Shortcut: VUs share so many iterations.
        iterations: Count = "iterations", Anywhere;
        /// Shortcut: VUs follow these stages.
        stages: Stages = "stages", Anywhere;
        /// Scenarios by name.
        scenarios: Scenarios = "scenarios", Anywhere;
        /// Part of the test that this instance runs.
        execution_segment: Word<Segment> = "executionSegment", Anywhere;
        /// The partition that all instances agree on.
        execution_segment_sequence: Word<SegmentSequence> = "executionSegmentSequence", Anywhere;
        /// Leave out setup.
        no_setup: Flag = "noSetup", Anywhere;
        /// Longest time for setup.
        setup_timeout: Span = "setupTimeout", Anywhere;
        /// Leave out teardown.
        no_teardown: Flag = "noTeardown", Anywhere;
        /// Longest time for teardown.
        teardown_timeout: Span = "teardownTimeout", Anywhere;
        /// Longest time for the summary function.
        handle_summary_timeout: Span = "handleSummaryTimeout", Anywhere;
        /// Most requests per second of the whole test; 0 is no limit.
        rps: Count = "rps", Anywhere;
        /// How names are resolved.
        dns: Dns = "dns", Anywhere;
        /// Most redirects followed.
        max_redirects: Count = "maxRedirects", Anywhere;
        /// User agent header; empty sends none.
        user_agent: Text = "userAgent", Anywhere;
        /// Most parallel requests of one batch.
        batch: Count = "batch", Anywhere;
        /// Most parallel requests of one batch to the same host.
        batch_per_host: Count = "batchPerHost", Anywhere;
        /// How much of requests and responses goes to the log.
        http_debug: Word<HttpDebug> = "httpDebug", Anywhere;
        /// Accept any certificate.
        insecure_skip_tls_verify: Flag = "insecureSkipTLSVerify", Anywhere;
        /// Cipher suites allowed.
        tls_cipher_suites: List<Word<CipherSuite>> = "tlsCipherSuites", Anywhere;
        /// TLS versions allowed.
        tls_version: Versions = "tlsVersion", Anywhere;
        /// Client certificates.
        tls_auth: Certificates = "tlsAuth", Anywhere;
        /// Failed requests throw.
        throw: Flag = "throw", Anywhere;
        /// Conditions on metrics.
        thresholds: Thresholds = "thresholds", Anywhere;
        /// Networks that no connection is made to.
        blacklist_ips: List<Word<IpNet>> = "blacklistIPs", Anywhere;
        /// Host names that no connection is made to.
        block_hostnames: List<Word<HostPattern>> = "blockHostnames", Anywhere;
        /// Addresses of host names.
        hosts: Hosts = "hosts", Anywhere;
        /// A fresh connection for every request.
        no_connection_reuse: Flag = "noConnectionReuse", Anywhere;
        /// Fresh connections for every iteration.
        no_vu_connection_reuse: Flag = "noVUConnectionReuse", Anywhere;
        /// Shortest time from start to start of a VU's iterations.
        min_iteration_duration: Span = "minIterationDuration", Anywhere;
        /// Settings of k6's cloud, kept as they are.
        cloud: Raw = "cloud", Anywhere;
        /// Settings of extensions, kept as they are.
        ext: Raw = "ext", Anywhere;
        /// Columns of trends in the summary.
        summary_trend_stats: List<Word<TrendStat>> = "summaryTrendStats", Anywhere;
        /// Unit of times in the summary.
        summary_time_unit: Word<TimeUnit> = "summaryTimeUnit", Anywhere;
        /// Tags that netload itself puts on samples.
        system_tags: Tags = "systemTags", Anywhere;
        /// Tags on all samples.
        tags: Texts = "tags", Anywhere;
        /// Size of k6's sample channel; has no effect.
        metric_samples_buffer_size: Count = "metricSamplesBufferSize", Anywhere;
        /// Keep cookies from iteration to iteration.
        no_cookies_reset: Flag = "noCookiesReset", Anywhere;
        /// Read bodies of responses but do not keep them.
        discard_response_bodies: Flag = "discardResponseBodies", Anywhere;
        /// Feature flags.
        features: List<Text> = "features", Anywhere;
        /// File that the script's console goes to.
        console_output: Text = "consoleOutput", OutsideScript;
        /// Addresses that connections come from.
        local_ips: Word<LocalIps> = "localIPs", OutsideScript;
        /// Outputs for results.
        out: Outputs = "out", OutsideScript;
        /// Settings of outputs as old config files have them, kept as they are.
        collectors: Raw = "collectors", OutsideScript;
        /// Stay up after the test until interrupted.
        linger: Flag = "linger", OutsideScript;
        /// k6's usage report; netload never sends one.
        no_usage_report: Flag = "noUsageReport", OutsideScript;
        /// Serve the dashboard.
        web_dashboard: Flag = "webDashboard", OutsideScript;
        /// k6's cloud upload; netload never makes one.
        no_archive_upload: Flag = "noArchiveUpload", OutsideScript;
    }
}

impl Options {
    /// Reads the `options` object of a script.
    ///
    /// Unknown keys are warned of; everything else that is wrong is a problem, and all of them are
    /// reported.
    pub fn from_json(value: &Value) -> Result<(Self, Vec<Warning>), Vec<Problem>> {
        Self::read(value, "options", |key| key.scope == Scope::Anywhere)
    }

    /// Reads a config file, which may set everything.
    pub fn from_config(value: &Value) -> Result<(Self, Vec<Warning>), Vec<Problem>> {
        Self::read(value, "config", |_| true)
    }

    fn read(
        value: &Value,
        root: &str,
        allowed: impl Fn(&Key) -> bool,
    ) -> Result<(Self, Vec<Warning>), Vec<Problem>> {
        let mut options = Self::default();
        let mut findings = Findings::default();
        let place = Place::root(root);
        let allowed: Vec<&str> = Self::KEYS
            .iter()
            .filter(|key| allowed(key))
            .map(|key| key.name)
            .collect();
        match value {
            Value::Null => {}
            Value::Object(members) => {
                for (typed, value) in members {
                    let place = place.key(typed);
                    match names::known(typed, &allowed) {
                        Some(_) if value.is_null() => {}
                        Some(key) => options.set_value(key, value, &place, &mut findings),
                        None => findings.warning(unknown(typed, &allowed, &place)),
                    }
                }
            }
            other => {
                let message = format!("must be an object, not {}", kind_of(other));
                findings.problem(place.problem(message));
            }
        }
        match findings.problems.is_empty() {
            true => Ok((options, findings.warnings)),
            false => Err(findings.problems),
        }
    }

    /// Sets one option from the text of an environment variable or a flag.
    ///
    /// Setting a list, stages or tags once more adds to them, as for a repeated flag. The path of a
    /// problem is the key.
    pub fn set_text(&mut self, key: &str, text: &str) -> Result<Vec<Warning>, Problem> {
        let place = Place::root(key);
        let mut findings = Findings::default();
        if !Self::KEYS.iter().any(|known| known.name == key) {
            let known: Vec<&str> = Self::KEYS.iter().map(|key| key.name).collect();
            let problem = place.problem("unknown option");
            return Err(problem.hint(names::hint(key, &known)));
        }
        self.set_known_text(key, text, &place, &mut findings);
        match findings.problems.into_iter().next() {
            None => Ok(findings.warnings),
            Some(problem) => Err(problem),
        }
    }

    /// Writes the options with k6's names and forms: null where nothing is set, and without those
    /// that a script cannot set unless they are.
    pub fn to_json(&self) -> Value {
        let mut members = Map::new();
        for key in Self::KEYS {
            let value = match (key.name, self.value(key.name)) {
                ("dns", Value::Null) => Dns::write(&DnsOptions::default()),
                (_, value) => value,
            };
            let always = key.scope == Scope::Anywhere && key.name != "cloud";
            if always || !value.is_null() {
                members.insert(key.name.to_owned(), value);
            }
        }
        Value::Object(members)
    }
}

fn unknown(typed: &str, allowed: &[&str], place: &Place) -> Warning {
    if let Some(key) = Options::KEYS.iter().find(|key| key.name == typed) {
        let warning = place.warning(format!("`{}` cannot be set in a script", key.name));
        return warning.hint("set it on the command line or in the environment");
    }
    let warning = place.warning("unknown option");
    match names::nearest(typed, allowed) {
        Some(name) => warning.hint(format!("did you mean `{name}`?")),
        None => warning,
    }
}
