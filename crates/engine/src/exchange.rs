//! From an exchange to samples: which tags it gets and which metrics it counts for.
//!
//! Building tags costs; so the result for a (tags of the VU, request, status, ...) is kept and found again by numbers.

use std::collections::HashMap;

use netload_http::Timings;
use netload_metrics::{Basis, BundleId, Compat, Recorder, SlotId, Stamp, TagsId};
use netload_plan::{Measurement, Plan, SystemTag, SystemTags};

/// What is known of one exchange that may become a tag.
#[derive(Clone, Copy, Debug, Default)]
pub struct TagFacts<'a> {
    /// `GET`, as sent.
    pub method: &'a str,
    /// The user's name for the request, or the URL without credentials.
    pub name: &'a str,
    /// The URL without credentials, or the user's name when one was given.
    pub url: &'a str,
    /// The status, 0 when there was no response.
    pub status: u16,
    /// `HTTP/1.1`; empty when there was no response.
    pub proto: &'a str,
    /// `tls1.3`; empty without TLS.
    pub tls_version: &'a str,
    /// `good` and so on; empty without.
    pub ocsp_status: &'a str,
    /// The error's text; empty without.
    pub error: &'a str,
    /// k6's error code, 0 without.
    pub error_code: u16,
    /// The server's address; empty when unknown.
    pub ip: &'a str,
    /// Whether the status was expected; none when nobody judges it.
    pub expected: Option<bool>,
}

/// The series that an exchange adds to.
#[derive(Clone, Copy, Debug)]
pub struct ExchangeSlots {
    /// What every exchange has: the common metrics, tare and gross where they are measured, failed where it is judged.
    bundle: BundleId,
    judged: bool,
    response: SlotId,
    compat: SlotId,
}

/// The measured times of an exchange, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExchangeTimes {
    /// Sending + waiting + receiving, by the kernel's stamps.
    pub duration_ns: u64,
    /// From wanting a connection until having one.
    pub blocked_ns: u64,
    /// TCP connect.
    pub connecting_ns: u64,
    /// TLS handshake.
    pub tls_ns: u64,
    /// Writing the request.
    pub sending_ns: u64,
    /// From the request written to the first response byte.
    pub waiting_ns: u64,
    /// From the first response byte to the last.
    pub receiving_ns: u64,
    /// What the tool itself added; none where that is not measured and is a part of the others.
    pub tare_ns: Option<u64>,
    /// From the planned start, without the tool's share; none where no start was planned.
    pub response_ns: Option<u64>,
    /// What another tool would have called it; none when nobody asked.
    pub compat_ns: Option<u64>,
}

impl ExchangeTimes {
    /// The times of an exchange that are wanted.
    pub fn of(timings: &Timings, wanted: &Measurement) -> Self {
        let from_write_ns = timings.gross_ns() - timings.late_ns;
        let compat = |tool: Compat| tool.value_ns(timings.blocked_ns, from_write_ns);
        Self {
            duration_ns: timings.duration_ns,
            blocked_ns: timings.blocked_ns,
            connecting_ns: timings.connecting_ns,
            tls_ns: timings.tls_ns,
            sending_ns: timings.sending_ns,
            waiting_ns: timings.waiting_ns,
            receiving_ns: timings.receiving_ns,
            tare_ns: (wanted.basis == Basis::Net).then_some(timings.tare_ns),
            response_ns: timings.response_ns,
            compat_ns: wanted.compat.map(compat),
        }
    }
}

impl ExchangeSlots {
    /// The series of an exchange with these facts, made by a VU with the tags `base`.
    pub fn new(recorder: &mut Recorder, plan: &Plan, base: TagsId, facts: &TagFacts<'_>) -> Self {
        let tags = exchange_tags(recorder, &plan.system_tags, base, facts);
        let m = recorder.registry().builtin;
        let mut metrics = vec![
            m.http_reqs,
            m.http_req_duration,
            m.http_req_blocked,
            m.http_req_connecting,
            m.http_req_tls_handshaking,
            m.http_req_sending,
            m.http_req_waiting,
            m.http_req_receiving,
        ];
        if plan.measurement.basis == Basis::Net {
            metrics.extend([m.http_req_tare, m.http_req_gross]);
        }
        if facts.expected.is_some() {
            metrics.push(m.http_req_failed);
        }
        let slots = metrics
            .into_iter()
            .map(|metric| recorder.slot(metric, tags));
        let slots: Vec<SlotId> = slots.collect();
        Self {
            bundle: recorder.bundle(&slots),
            judged: facts.expected.is_some(),
            response: recorder.slot(m.http_req_response, tags),
            compat: recorder.slot(m.http_req_compat, tags),
        }
    }

    /// Records one exchange of the plan that the slots were made for. `failed` counts only when the slots were made for a
    /// judged exchange.
    pub fn record(&self, recorder: &mut Recorder, times: &ExchangeTimes, failed: bool, at: Stamp) {
        let ms = |ns: u64| ns as f64 / 1e6;
        let mut row = [
            1.0,
            ms(times.duration_ns),
            ms(times.blocked_ns),
            ms(times.connecting_ns),
            ms(times.tls_ns),
            ms(times.sending_ns),
            ms(times.waiting_ns),
            ms(times.receiving_ns),
            0.0,
            0.0,
            0.0,
        ];
        let mut len = COMMON;
        if let Some(tare_ns) = times.tare_ns {
            row[len] = ms(tare_ns);
            row[len + 1] = ms(times.duration_ns + tare_ns);
            len += 2;
        }
        if self.judged {
            row[len] = f64::from(u8::from(failed));
            len += 1;
        }
        recorder.add_row(self.bundle, &row[..len], at);
        if let Some(response_ns) = times.response_ns {
            recorder.add(self.response, ms(response_ns), at);
        }
        if let Some(compat_ns) = times.compat_ns {
            recorder.add(self.compat, ms(compat_ns), at);
        }
    }
}

/// The metrics that every exchange has.
const COMMON: usize = 8;

fn exchange_tags(
    recorder: &mut Recorder,
    enabled: &SystemTags,
    base: TagsId,
    facts: &TagFacts<'_>,
) -> TagsId {
    let status = facts.status.to_string();
    let error_code = facts.error_code.to_string();
    let all = [
        (SystemTag::Method, "method", facts.method),
        (SystemTag::Name, "name", facts.name),
        (SystemTag::Url, "url", facts.url),
        (SystemTag::Status, "status", &status),
        (SystemTag::Proto, "proto", facts.proto),
        (SystemTag::TlsVersion, "tls_version", facts.tls_version),
        (SystemTag::OcspStatus, "ocsp_status", facts.ocsp_status),
        (SystemTag::Error, "error", facts.error),
        (
            SystemTag::ErrorCode,
            "error_code",
            if facts.error_code == 0 {
                ""
            } else {
                &error_code
            },
        ),
        (SystemTag::Ip, "ip", facts.ip),
        (
            SystemTag::ExpectedResponse,
            "expected_response",
            match facts.expected {
                Some(true) => "true",
                Some(false) => "false",
                None => "",
            },
        ),
    ];
    let mut list = [("", ""); 11];
    let mut len = 0;
    for (tag, key, value) in all {
        let always = matches!(tag, SystemTag::Name | SystemTag::Url);
        if (always || !value.is_empty()) && enabled.contains(tag) {
            list[len] = (key, value);
            len += 1;
        }
    }
    recorder.tags.extend(base, &list[..len])
}

/// The number that a caller gave one combination of method, name and URL; unique within a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RequestKey(pub u32);

/// What decides the tags of an exchange besides its request, when there was no error text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExchangeKey {
    /// The VU's tags.
    pub base: TagsId,
    /// The request.
    pub request: RequestKey,
    /// The status.
    pub status: u16,
    /// k6's error code.
    pub error_code: u16,
    /// A caller's number for protocol and TLS version.
    pub protocol: u8,
    /// Whether the status was expected: 0 no, 1 yes, 2 not judged.
    pub expected: u8,
}

/// The series of exchanges seen before, bounded.
#[derive(Debug, Default)]
pub struct ExchangeCache {
    slots: HashMap<ExchangeKey, ExchangeSlots>,
    last_request: u32,
}

impl ExchangeCache {
    /// Entries kept at most; beyond it the cache starts anew.
    pub const LIMIT: usize = 65_536;

    /// A new number for a request.
    pub fn request_key(&mut self) -> RequestKey {
        self.last_request = self.last_request.wrapping_add(1);
        RequestKey(self.last_request)
    }

    /// The series of an exchange like this, if there was one.
    pub fn find(&self, key: &ExchangeKey) -> Option<ExchangeSlots> {
        self.slots.get(key).copied()
    }

    /// Remembers the series of an exchange.
    pub fn keep(&mut self, key: ExchangeKey, slots: ExchangeSlots) {
        if self.slots.len() >= Self::LIMIT {
            self.slots.clear();
        }
        self.slots.insert(key, slots);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use netload_metrics::Registry;
    use std::sync::Arc;

    #[test]
    fn tags_are_those_that_are_known_and_enabled() {
        let mut recorder = Recorder::new(0, Arc::new(Registry::new()), 100, true);
        let facts = TagFacts {
            method: "GET",
            name: "home",
            url: "home",
            status: 200,
            proto: "HTTP/1.1",
            ip: "127.0.0.1",
            expected: Some(true),
            ..TagFacts::default()
        };
        let plan = Plan::resolve(&netload_plan::Layered::new()).unwrap();
        let base = recorder
            .tags
            .extend(TagsId::EMPTY, &[("scenario", "default")]);
        let slots = ExchangeSlots::new(&mut recorder, &plan, base, &facts);
        slots.record(
            &mut recorder,
            &ExchangeTimes {
                tare_ns: Some(1),
                ..ExchangeTimes::default()
            },
            false,
            Stamp::default(),
        );
        let window = recorder.take_window();
        let tags = recorder.tags.set(window.samples[0].tags);
        let text: Vec<_> = tags.iter().map(|(k, v)| format!("{k}={v}")).collect();
        assert_eq!(
            text.join(" "),
            "expected_response=true method=GET name=home proto=HTTP/1.1 scenario=default status=200 url=home"
        );
        assert_eq!(window.samples.len(), 11);
    }
}
