//! `--out json=FILE`: every sample as a line of JSON, in k6's format.
//!
//! Before the first sample of a metric one line describes it (`"type":"Metric"`); each sample is a `"type":"Point"`.
//! Netload's own metrics are left out. A line is put together from parts that were made once: the beginning per metric,
//! the tags per tag set. Memory is bounded by the number of tag sets, which the recorder limits.

use std::sync::Arc;

use netload_metrics::recorder::Sample;
use netload_metrics::{
    Aggregator, Metric, Registry, RunInfo, Sink, SinkError, Summary, TagSet, Window,
};

use crate::encode::{Clock, json_number, json_text, push_integer};
use crate::file::{Destination, Output};
use crate::is_own_metric;
use crate::samples::{Metadata, TagCache};
use crate::sinks::SinkOptions;

/// The sink.
pub struct JsonSink {
    destination: Destination,
    metadata: Metadata,
    clock: Clock,
    run: Option<Run>,
}

struct Run {
    output: Output,
    registry: Arc<Registry>,
    thresholds: Vec<(String, Vec<String>)>,
    /// By the number of the metric.
    metrics: Vec<MetricLine>,
    /// `,"tags":{...}`
    tags: TagCache,
}

struct MetricLine {
    /// `{"metric":"x","type":"Point","data":{"time":"`; none for metrics that are left out.
    head: Option<Box<[u8]>>,
    is_described: bool,
}

impl JsonSink {
    /// A sink that writes to a file, a gzip file if the name ends with `.gz`, or with `-` or nothing to the standard
    /// output.
    pub fn new(argument: &str, options: &SinkOptions) -> Self {
        Self {
            destination: Destination::parse(argument),
            metadata: Metadata::of(options),
            clock: Clock::local(),
            run: None,
        }
    }
}

impl Sink for JsonSink {
    fn describe(&self) -> String {
        format!("json ({})", self.destination.name())
    }

    fn wants_samples(&self) -> bool {
        true
    }

    fn start(&mut self, info: &RunInfo) -> Result<(), SinkError> {
        self.run = Some(Run {
            output: self.destination.open()?,
            registry: info.registry.clone(),
            thresholds: info.thresholds.clone(),
            metrics: Vec::new(),
            tags: TagCache::default(),
        });
        Ok(())
    }

    fn window(&mut self, window: &Window, aggregator: &Aggregator) -> Result<(), SinkError> {
        let Some(run) = &mut self.run else {
            return Ok(());
        };
        for sample in &window.samples {
            run.point(
                sample,
                window.worker,
                aggregator,
                &mut self.clock,
                self.metadata,
            );
            run.output.spill()?;
        }
        Ok(run.output.flush()?)
    }

    fn finish(&mut self, _: &Summary) -> Result<(), SinkError> {
        match &mut self.run {
            Some(run) => Ok(run.output.finish()?),
            None => Ok(()),
        }
    }
}

impl Run {
    fn point(
        &mut self,
        sample: &Sample,
        worker: usize,
        aggregator: &Aggregator,
        clock: &mut Clock,
        metadata: Metadata,
    ) {
        let at = usize::from(sample.metric.0);
        if at >= self.metrics.len() {
            self.learn_metrics();
        }
        let Some(MetricLine {
            head: Some(head),
            is_described,
        }) = self.metrics.get_mut(at)
        else {
            return;
        };
        let out = &mut self.output.buffer;
        if !*is_described {
            *is_described = true;
            describe(&self.registry.metric(sample.metric), &self.thresholds, out);
        }
        out.extend_from_slice(head);
        clock.rfc3339_nano(sample.stamp.unix_ns, out);
        out.extend_from_slice(b"\",\"value\":");
        json_number(sample.value, out);
        self.tags
            .push(worker, sample.tags, aggregator, out, render_tags);
        push_metadata(metadata, sample, out);
        out.extend_from_slice(b"}}\n");
    }

    fn learn_metrics(&mut self) {
        for metric in self.registry.all().iter().skip(self.metrics.len()) {
            let head = (!is_own_metric(&metric.name)).then(|| {
                let mut head = b"{\"metric\":".to_vec();
                json_text(&metric.name, &mut head);
                head.extend_from_slice(b",\"type\":\"Point\",\"data\":{\"time\":\"");
                head.into()
            });
            self.metrics.push(MetricLine {
                head,
                is_described: false,
            });
        }
    }
}

fn render_tags(tags: &TagSet) -> Vec<u8> {
    let mut out = b",\"tags\":".to_vec();
    push_object(tags.iter(), &mut out);
    out
}

fn push_object<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>, out: &mut Vec<u8>) {
    out.push(b'{');
    for (at, (key, value)) in pairs.enumerate() {
        if at > 0 {
            out.push(b',');
        }
        json_text(key, out);
        out.push(b':');
        json_text(value, out);
    }
    out.push(b'}');
}

/// k6 gives numbers of VUs and iterations to samples of VUs as texts, and only if asked to.
fn push_metadata(metadata: Metadata, sample: &Sample, out: &mut Vec<u8>) {
    if sample.metadata.is_some() {
        let pairs = metadata.pairs(sample);
        out.extend_from_slice(b",\"metadata\":");
        push_object(pairs.iter().map(|(name, value)| (*name, &**value)), out);
        return;
    }
    if metadata == Metadata::None || sample.stamp.vu == 0 {
        return;
    }
    out.extend_from_slice(b",\"metadata\":{");
    if metadata.has_iteration() {
        out.extend_from_slice(b"\"iter\":\"");
        push_integer(sample.stamp.iteration, out);
        out.extend_from_slice(if metadata.has_vu() { b"\"," } else { b"\"" });
    }
    if metadata.has_vu() {
        out.extend_from_slice(b"\"vu\":\"");
        push_integer(sample.stamp.vu, out);
        out.push(b'"');
    }
    out.push(b'}');
}

/// Appends the line that describes a metric with its thresholds and sub-metrics.
fn describe(metric: &Metric, thresholds: &[(String, Vec<String>)], out: &mut Vec<u8>) {
    let own = thresholds.iter().find(|(name, _)| **name == *metric.name);
    let own: &[String] = own.map_or(&[], |(_, sources)| sources);
    let mut parts: Vec<&str> = thresholds
        .iter()
        .filter_map(|(name, _)| braces(name, &metric.name))
        .collect();
    // This sub-metric always exists.
    let expected = "expected_response:true";
    if &*metric.name == "http_req_duration" && !parts.contains(&expected) {
        parts.push(expected);
    }
    out.extend_from_slice(b"{\"type\":\"Metric\",\"data\":{\"name\":");
    json_text(&metric.name, out);
    out.extend_from_slice(b",\"type\":");
    json_text(metric.kind.name(), out);
    out.extend_from_slice(b",\"contains\":");
    json_text(metric.contains.name(), out);
    out.extend_from_slice(b",\"thresholds\":[");
    for (at, source) in own.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        json_text(source, out);
    }
    out.extend_from_slice(b"],\"submetrics\":");
    push_submetrics(metric, &parts, out);
    out.extend_from_slice(b"},\"metric\":");
    json_text(&metric.name, out);
    out.extend_from_slice(b"}\n");
}

fn push_submetrics(metric: &Metric, parts: &[&str], out: &mut Vec<u8>) {
    if parts.is_empty() {
        out.extend_from_slice(b"null");
        return;
    }
    for (at, part) in parts.iter().enumerate() {
        out.extend_from_slice(if at == 0 { b"[" } else { b"," });
        out.extend_from_slice(b"{\"name\":");
        json_text(&format!("{}{{{part}}}", metric.name), out);
        out.extend_from_slice(b",\"suffix\":");
        json_text(part, out);
        out.extend_from_slice(b",\"tags\":");
        let tags = TagSet::new(part.split(',').filter_map(|pair| {
            let (key, value) = pair.split_once(':')?;
            Some((trim(key), trim(value)))
        }));
        push_object(tags.iter(), out);
        out.push(b'}');
    }
    out.push(b']');
}

/// What is in the braces of a sub-metric's name.
fn braces<'a>(name: &'a str, metric: &str) -> Option<&'a str> {
    name.strip_prefix(metric)?
        .strip_prefix('{')?
        .strip_suffix('}')
}

fn trim(text: &str) -> &str {
    text.trim().trim_matches(['"', '\''])
}
