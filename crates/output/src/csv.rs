//! `--out csv=FILE`: every sample as a line of CSV, in k6's format.
//!
//! Columns: `metric_name,timestamp,metric_value`, the enabled system tags sorted by name, `extra_tags` (all other tags
//! as `k=v&k2=v2`), `metadata`. Netload's own metrics are left out. Tags are rendered once per tag set.
//!
//! Arguments: a file name, or `fileName=...,saveInterval=1s,timeFormat=unix` in any order; `.gz` makes a gzip file.
//! What they leave open is taken from `K6_CSV_FILENAME`, `K6_CSV_SAVE_INTERVAL` and `K6_CSV_TIME_FORMAT`.

use std::collections::BTreeMap;
use std::sync::Arc;

use netload_metrics::recorder::Sample;
use netload_metrics::{Aggregator, Registry, RunInfo, Sink, SinkError, Summary, TagSet, Window};
use netload_plan::duration;

use crate::OutputError;
use crate::encode::{Clock, push_integer, six_decimals};
use crate::file::{Destination, Output};
use crate::is_own_metric;
use crate::samples::{Metadata, TagCache};
use crate::sinks::SinkOptions;

const DEFAULT_FILE: &str = "file.csv";
const DEFAULT_INTERVAL_NS: u64 = 1_000_000_000;
const TIME_FORMATS: [(&str, TimeFormat); 6] = [
    (
        "unix",
        TimeFormat::Unix {
            unit_ns: 1_000_000_000,
        },
    ),
    ("unix_milli", TimeFormat::Unix { unit_ns: 1_000_000 }),
    ("unix_micro", TimeFormat::Unix { unit_ns: 1_000 }),
    ("unix_nano", TimeFormat::Unix { unit_ns: 1 }),
    ("rfc3339", TimeFormat::Rfc3339),
    ("rfc3339_nano", TimeFormat::Rfc3339Nano),
];

/// Variables of the environment, and the arguments they stand for.
const VARIABLES: [(&str, &str); 3] = [
    ("K6_CSV_FILENAME", "fileName"),
    ("K6_CSV_SAVE_INTERVAL", "saveInterval"),
    ("K6_CSV_TIME_FORMAT", "timeFormat"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimeFormat {
    Unix { unit_ns: u64 },
    Rfc3339,
    Rfc3339Nano,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Arguments {
    destination: Destination,
    interval_ns: u64,
    time_format: TimeFormat,
}

/// The sink.
pub struct CsvSink {
    arguments: Arguments,
    metadata: Metadata,
    /// Sorted by name.
    columns: Vec<String>,
    clock: Clock,
    run: Option<Run>,
}

struct Run {
    output: Output,
    registry: Arc<Registry>,
    /// `name,` by the number of the metric; none for metrics that are left out.
    names: Vec<Option<Box<[u8]>>>,
    /// `,tag,tag,...,extra_tags,`
    tags: TagCache,
    flushed_unix_ns: u64,
}

impl CsvSink {
    /// A sink for what stands behind `csv=`.
    ///
    /// # Errors
    /// Unknown or malformed arguments.
    pub fn new(argument: &str, options: &SinkOptions) -> Result<Self, OutputError> {
        let mut columns: Vec<String> = options
            .system_tags
            .iter()
            .filter(|tag| !matches!(tag.as_str(), "vu" | "iter"))
            .cloned()
            .collect();
        columns.sort();
        columns.dedup();
        Ok(Self {
            arguments: Arguments::parse(argument, &options.environment)?,
            metadata: Metadata::of(options),
            columns,
            clock: Clock::local(),
            run: None,
        })
    }

    fn head(&self) -> String {
        let mut head = String::from("metric_name,timestamp,metric_value,");
        for column in &self.columns {
            head.push_str(column);
            head.push(',');
        }
        head.push_str("extra_tags,metadata\n");
        head
    }
}

impl Arguments {
    fn parse(argument: &str, environment: &BTreeMap<String, String>) -> Result<Self, OutputError> {
        let mut arguments = Self {
            destination: Destination::parse(DEFAULT_FILE),
            interval_ns: DEFAULT_INTERVAL_NS,
            time_format: TIME_FORMATS[0].1,
        };
        for (variable, key) in VARIABLES {
            if let Some(value) = environment.get(variable).filter(|value| !value.is_empty()) {
                let set = arguments.set(key, value);
                set.map_err(|problem| wrong(format!("{variable}: {problem}")))?;
            }
        }
        if !argument.contains('=') {
            if !argument.is_empty() {
                arguments.destination = Destination::parse(argument);
            }
            return Ok(arguments);
        }
        for pair in argument.split(',') {
            let (key, value) = pair
                .split_once('=')
                .ok_or_else(|| wrong(format!("`{pair}` is not of the form name=value")))?;
            arguments.set(key.trim(), value.trim()).map_err(wrong)?;
        }
        Ok(arguments)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "fileName" | "file_name" => self.destination = Destination::parse(value),
            "saveInterval" | "save_interval" => {
                self.interval_ns = duration::parse_go(value).map_err(|e| e.to_string())?;
            }
            "timeFormat" | "time_format" => {
                let format = TIME_FORMATS.iter().find(|(name, _)| *name == value);
                let names = TIME_FORMATS.map(|(name, _)| name).join(", ");
                let unknown = || format!("unknown timeFormat `{value}`; use one of {names}");
                self.time_format = format.ok_or_else(unknown)?.1;
            }
            other => {
                let known = "use fileName, saveInterval, timeFormat";
                return Err(format!("unknown argument `{other}`; {known}"));
            }
        }
        Ok(())
    }
}

fn wrong(problem: String) -> OutputError {
    OutputError::Argument {
        sink: "csv",
        problem,
    }
}

impl Sink for CsvSink {
    fn describe(&self) -> String {
        format!("csv ({})", self.arguments.destination.name())
    }

    fn wants_samples(&self) -> bool {
        true
    }

    fn start(&mut self, info: &RunInfo) -> Result<(), SinkError> {
        let mut output = self.arguments.destination.open()?;
        output.buffer.extend_from_slice(self.head().as_bytes());
        output.flush()?;
        self.run = Some(Run {
            output,
            registry: info.registry.clone(),
            names: Vec::new(),
            tags: TagCache::default(),
            flushed_unix_ns: info.started_unix_ns,
        });
        Ok(())
    }

    fn window(&mut self, window: &Window, aggregator: &Aggregator) -> Result<(), SinkError> {
        let Some(run) = &mut self.run else {
            return Ok(());
        };
        for sample in &window.samples {
            let at = usize::from(sample.metric.0);
            if at >= run.names.len() {
                run.learn_metrics();
            }
            let Some(Some(name)) = run.names.get(at) else {
                continue;
            };
            let out = &mut run.output.buffer;
            out.extend_from_slice(name);
            push_time(
                self.arguments.time_format,
                sample.stamp.unix_ns,
                &mut self.clock,
                out,
            );
            out.push(b',');
            six_decimals(sample.value, out);
            let render = |tags: &TagSet| render_tags(tags, &self.columns);
            run.tags
                .push(window.worker, sample.tags, aggregator, out, render);
            push_metadata(self.metadata, sample, out);
            out.push(b'\n');
            run.output.spill()?;
        }
        let now = window.samples.last().map_or(0, |s| s.stamp.unix_ns);
        if now.saturating_sub(run.flushed_unix_ns) >= self.arguments.interval_ns {
            run.flushed_unix_ns = now;
            run.output.flush()?;
        }
        Ok(())
    }

    fn finish(&mut self, _: &Summary) -> Result<(), SinkError> {
        match &mut self.run {
            Some(run) => Ok(run.output.finish()?),
            None => Ok(()),
        }
    }
}

impl Run {
    fn learn_metrics(&mut self) {
        for metric in self.registry.all().iter().skip(self.names.len()) {
            let name = (!is_own_metric(&metric.name)).then(|| {
                let mut name = metric.name.as_bytes().to_vec();
                name.push(b',');
                name.into()
            });
            self.names.push(name);
        }
    }
}

fn push_time(format: TimeFormat, unix_ns: u64, clock: &mut Clock, out: &mut Vec<u8>) {
    match format {
        TimeFormat::Unix { unit_ns } => push_integer(unix_ns / unit_ns, out),
        TimeFormat::Rfc3339 => clock.rfc3339(unix_ns, out),
        TimeFormat::Rfc3339Nano => clock.rfc3339_nano(unix_ns, out),
    }
}

fn render_tags(tags: &TagSet, columns: &[String]) -> Vec<u8> {
    let mut out = Vec::new();
    for column in columns {
        out.push(b',');
        push_field(tags.value(column).unwrap_or_default(), &mut out);
    }
    let is_extra = |key: &str| !columns.iter().any(|column| column == key);
    let extra: Vec<String> = tags
        .iter()
        .filter(|(key, _)| is_extra(key))
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    out.push(b',');
    push_field(&extra.join("&"), &mut out);
    out.push(b',');
    out
}

/// Appends a field, in quotes if it needs them by the rules of Go's encoder.
fn push_field(text: &str, out: &mut Vec<u8>) {
    let needs_quotes = text == r"\."
        || text.contains([',', '"', '\r', '\n'])
        || text.starts_with(char::is_whitespace);
    if !needs_quotes {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    out.extend_from_slice(text.replace('"', "\"\"").as_bytes());
    out.push(b'"');
}

fn push_metadata(metadata: Metadata, sample: &Sample, out: &mut Vec<u8>) {
    if sample.metadata.is_some() {
        let pairs = metadata.pairs(sample);
        let pairs = pairs.iter().map(|(name, value)| format!("{name}={value}"));
        push_field(&pairs.collect::<Vec<_>>().join("&"), out);
        return;
    }
    if metadata == Metadata::None || sample.stamp.vu == 0 {
        return;
    }
    if metadata.has_iteration() {
        out.extend_from_slice(b"iter=");
        push_integer(sample.stamp.iteration, out);
    }
    if metadata == Metadata::Both {
        out.push(b'&');
    }
    if metadata.has_vu() {
        out.extend_from_slice(b"vu=");
        push_integer(sample.stamp.vu, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(argument: &str) -> Result<Arguments, OutputError> {
        Arguments::parse(argument, &BTreeMap::new())
    }

    #[test]
    fn variables_fill_in_what_the_argument_leaves_open() {
        let variables = |all: &[(&str, &str)]| -> BTreeMap<String, String> {
            let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            all.iter().map(owned).collect()
        };
        let all = variables(&[
            ("K6_CSV_FILENAME", "variable.csv"),
            ("K6_CSV_TIME_FORMAT", "unix_milli"),
            ("K6_CSV_SAVE_INTERVAL", ""),
        ]);
        let parsed = Arguments::parse("", &all).unwrap();
        assert_eq!(parsed.destination, Destination::parse("variable.csv"));
        assert_eq!(parsed.time_format, TimeFormat::Unix { unit_ns: 1_000_000 });
        let parsed = Arguments::parse("timeFormat=unix,fileName=typed.csv", &all).unwrap();
        assert_eq!(parsed.destination, Destination::parse("typed.csv"));
        assert_eq!(parsed.time_format, TIME_FORMATS[0].1);
        let wrong = variables(&[("K6_CSV_TIME_FORMAT", "iso")]);
        let error = Arguments::parse("x.csv", &wrong).unwrap_err().to_string();
        assert!(
            error.contains("K6_CSV_TIME_FORMAT: unknown timeFormat `iso`"),
            "{error}"
        );
    }

    #[test]
    fn arguments_come_in_any_order() {
        let parsed = parse("saveInterval=5s,timeFormat=rfc3339_nano,fileName=a.csv.gz").unwrap();
        assert_eq!(parsed.destination, Destination::parse("a.csv.gz"));
        assert_eq!(parsed.interval_ns, 5_000_000_000);
        assert_eq!(parsed.time_format, TimeFormat::Rfc3339Nano);
        assert_eq!(
            parse("").unwrap().destination,
            Destination::parse("file.csv")
        );
        assert_eq!(parse("-").unwrap().destination, Destination::StandardOutput);
        assert_eq!(
            parse("x.csv").unwrap().destination,
            Destination::parse("x.csv")
        );
    }

    #[test]
    fn wrong_arguments_say_what_is_possible() {
        let error = |argument: &str| parse(argument).unwrap_err().to_string();
        assert!(error("timeFormat=iso").contains("rfc3339_nano"));
        assert!(error("interval=1s").contains("saveInterval"));
        assert!(error("saveInterval=soon").starts_with("output `csv`: "));
        assert!(error("fileName=a,b").contains("name=value"));
    }

    #[test]
    fn fields_are_quoted_by_gos_rules() {
        let field = |text: &str| {
            let mut out = Vec::new();
            push_field(text, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(field("plain text"), "plain text");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("a\"b"), "\"a\"\"b\"");
        assert_eq!(field(" a"), "\" a\"");
        assert_eq!(field(""), "");
    }
}
