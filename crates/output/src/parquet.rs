//! `--out parquet=FILE`: every sample as a row of an Apache Parquet file, for DuckDB, pandas, Spark and their like.
//!
//! Columns: `metric`, `time` (UTC, nanoseconds), `value`, one per enabled system tag, the map `extra_tags` of all other
//! tags, the map `metadata`, and `vu` and `iter` where they are enabled. Netload's own metrics are left out, as in the
//! other files of samples. Format: <https://parquet.apache.org/docs/file-format/>. Memory is bounded by
//! [`ROWS_LIMIT`] and the number of tag sets, which the recorders limit. A file that was not finished cannot be read:
//! its table of contents stands at the end.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use netload_metrics::recorder::Sample;
use netload_metrics::{Aggregator, Registry, RunInfo, Sink, SinkError, Summary, TagSet, Window};
use parquet::basic::{Compression, Encoding};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use crate::OutputError;
use crate::is_own_metric;
use crate::sinks::SinkOptions;

const DEFAULT_FILE: &str = "samples.parquet";
/// Rows that are kept before they are written as a group: some megabytes, and some ten milliseconds of work.
const ROWS_LIMIT: usize = 128 * 1024;
/// Tags by name that are numbers of VUs and iterations: columns of their own.
const NUMBERS: [&str; 2] = ["iter", "vu"];

/// The sink.
pub(crate) struct ParquetSink {
    path: PathBuf,
    /// Names of tags that are columns, sorted.
    columns: Vec<String>,
    /// Those of [`NUMBERS`] that are enabled.
    numbers: Vec<&'static str>,
    run: Option<Run>,
}

/// A sample that waits for its group to be full.
struct Row {
    metric: usize,
    tags: usize,
    unix_ns: i64,
    value: f64,
    vu: u64,
    iteration: u64,
    metadata: Option<TagSet>,
}

/// Tags as they stand in columns.
struct Tags {
    columns: Vec<Option<ByteArray>>,
    extra: Vec<(ByteArray, ByteArray)>,
}

struct Run {
    /// None after an error, which was told.
    writer: Option<SerializedFileWriter<File>>,
    registry: Arc<Registry>,
    /// By the number of the metric; none for metrics that are left out.
    metrics: Vec<Option<ByteArray>>,
    tags: Vec<Tags>,
    /// Places in `tags`, by worker and number.
    places: Vec<Vec<Option<usize>>>,
    rows: Vec<Row>,
}

impl ParquetSink {
    /// A sink for what stands behind `parquet=`: the name of a file.
    ///
    /// # Errors
    /// The standard output, which is no file.
    pub(crate) fn new(argument: &str, options: &SinkOptions) -> Result<Self, OutputError> {
        let path = match argument {
            "" => DEFAULT_FILE,
            "-" => {
                return Err(OutputError::Argument {
                    sink: "parquet",
                    problem: "it cannot be written to the standard output; use parquet=FILE"
                        .to_owned(),
                });
            }
            path => path,
        };
        let enabled = |name: &str| options.system_tags.iter().any(|tag| tag == name);
        let columns = options.system_tags.iter();
        let columns = columns.filter(|tag| !NUMBERS.contains(&tag.as_str()));
        let mut columns: Vec<String> = columns.cloned().collect();
        columns.sort();
        columns.dedup();
        Ok(Self {
            path: path.into(),
            columns,
            numbers: NUMBERS.into_iter().filter(|name| enabled(name)).collect(),
            run: None,
        })
    }

    fn schema(&self) -> String {
        let mut schema = String::from(
            "message sample { required binary metric (STRING); required int64 time (TIMESTAMP(NANOS,true)); \
             required double value;",
        );
        for column in &self.columns {
            schema += &format!(" optional binary {column} (STRING);");
        }
        for map in ["extra_tags", "metadata"] {
            schema += &format!(
                " required group {map} (MAP) {{ repeated group key_value {{ required binary key (STRING); \
                 required binary value (STRING); }} }}"
            );
        }
        for number in &self.numbers {
            schema += &format!(" optional int64 {number};");
        }
        schema + " }"
    }

    fn create(&self) -> Result<SerializedFileWriter<File>, OutputError> {
        let file = File::create(&self.path).map_err(|source| OutputError::File {
            path: self.path.display().to_string(),
            source,
        })?;
        let time = ColumnPath::from("time");
        let properties = WriterProperties::builder()
            .set_created_by(concat!("netload version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_compression(Compression::SNAPPY)
            .set_column_dictionary_enabled(time.clone(), false)
            .set_column_encoding(time, Encoding::DELTA_BINARY_PACKED)
            .build();
        let schema = parse_message_type(&self.schema());
        let writer =
            schema.and_then(|s| SerializedFileWriter::new(file, Arc::new(s), Arc::new(properties)));
        writer.map_err(|error| OutputError::Argument {
            sink: "parquet",
            problem: error.to_string(),
        })
    }

    fn failed(&self, error: &ParquetError) -> SinkError {
        SinkError(format!("cannot write {}: {error}", self.path.display()))
    }
}

impl Sink for ParquetSink {
    fn describe(&self) -> String {
        format!("parquet ({})", self.path.display())
    }

    fn wants_samples(&self) -> bool {
        true
    }

    fn start(&mut self, info: &RunInfo) -> Result<(), SinkError> {
        self.run = Some(Run {
            writer: Some(self.create()?),
            registry: info.registry.clone(),
            metrics: Vec::new(),
            tags: Vec::new(),
            places: Vec::new(),
            rows: Vec::new(),
        });
        Ok(())
    }

    fn window(&mut self, window: &Window, aggregator: &Aggregator) -> Result<(), SinkError> {
        let Some(run) = self.run.as_mut().filter(|run| run.writer.is_some()) else {
            return Ok(());
        };
        let mut written = Ok(());
        for sample in &window.samples {
            run.add(sample, window.worker, aggregator, &self.columns);
            if run.rows.len() >= ROWS_LIMIT {
                written = written.and_then(|()| run.write(&self.numbers));
            }
        }
        written.map_err(|error| self.failed(&error))
    }

    fn finish(&mut self, _: &Summary) -> Result<(), SinkError> {
        let Some(run) = &mut self.run else {
            return Ok(());
        };
        let written = run.write(&self.numbers);
        let closed = match run.writer.take() {
            Some(writer) => written.and_then(|()| writer.close().map(|_| ())),
            None => written,
        };
        closed.map_err(|error| self.failed(&error))
    }
}

impl Run {
    fn add(&mut self, sample: &Sample, worker: usize, aggregator: &Aggregator, columns: &[String]) {
        let metric = usize::from(sample.metric.0);
        if metric >= self.metrics.len() {
            self.learn_metrics();
        }
        if !matches!(self.metrics.get(metric), Some(Some(_))) {
            return;
        }
        if worker >= self.places.len() {
            self.places.resize_with(worker + 1, Vec::new);
        }
        let places = &mut self.places[worker];
        let number = sample.tags.0 as usize;
        if number >= places.len() {
            places.resize(number + 1, None);
        }
        let tags = *places[number].get_or_insert_with(|| {
            let tags = aggregator
                .tags(worker, sample.tags)
                .cloned()
                .unwrap_or_default();
            self.tags.push(in_columns(&tags, columns));
            self.tags.len() - 1
        });
        self.rows.push(Row {
            metric,
            tags,
            unix_ns: i64::try_from(sample.stamp.unix_ns).unwrap_or(i64::MAX),
            value: sample.value,
            vu: sample.stamp.vu,
            iteration: sample.stamp.iteration,
            metadata: sample.metadata.clone(),
        });
    }

    fn learn_metrics(&mut self) {
        for metric in self.registry.all().iter().skip(self.metrics.len()) {
            let name = (!is_own_metric(&metric.name)).then(|| text(&metric.name));
            self.metrics.push(name);
        }
    }

    /// Writes the rows as a group. After an error nothing more is written.
    fn write(&mut self, numbers: &[&'static str]) -> Result<(), ParquetError> {
        let rows = std::mem::take(&mut self.rows);
        let Some(mut writer) = self.writer.take().filter(|_| !rows.is_empty()) else {
            return Ok(());
        };
        let mut group = writer.next_row_group()?;
        self.columns(&rows, numbers, &mut group)?;
        group.close()?;
        self.writer = Some(writer);
        self.rows = rows;
        self.rows.clear();
        Ok(())
    }

    fn columns(
        &self,
        rows: &[Row],
        numbers: &[&'static str],
        group: &mut SerializedRowGroupWriter<'_, File>,
    ) -> Result<(), ParquetError> {
        let metrics = rows
            .iter()
            .filter_map(|row| self.metrics[row.metric].clone());
        column::<ByteArrayType>(group, &metrics.collect::<Vec<_>>(), None, None)?;
        let times: Vec<i64> = rows.iter().map(|row| row.unix_ns).collect();
        column::<Int64Type>(group, &times, None, None)?;
        let values: Vec<f64> = rows.iter().map(|row| row.value).collect();
        column::<DoubleType>(group, &values, None, None)?;
        let width = self.tags.first().map_or(0, |tags| tags.columns.len());
        for at in 0..width {
            let tags = rows
                .iter()
                .map(|row| self.tags[row.tags].columns[at].clone());
            optional::<ByteArrayType>(group, tags)?;
        }
        map(
            group,
            rows.iter().map(|row| self.tags[row.tags].extra.clone()),
        )?;
        let pairs = |tags: &TagSet| tags.iter().map(|(k, v)| (text(k), text(v))).collect();
        map(
            group,
            rows.iter()
                .map(|row| row.metadata.as_ref().map(pairs).unwrap_or_default()),
        )?;
        for number in numbers {
            let values = rows.iter().map(|row| {
                let number = if *number == "vu" {
                    row.vu
                } else {
                    row.iteration
                };
                (row.vu != 0).then(|| i64::try_from(number).unwrap_or(i64::MAX))
            });
            optional::<Int64Type>(group, values)?;
        }
        Ok(())
    }
}

fn in_columns(tags: &TagSet, columns: &[String]) -> Tags {
    let is_extra = |key: &str| !columns.iter().any(|column| column == key);
    let extra = tags.iter().filter(|(key, _)| is_extra(key));
    Tags {
        columns: columns
            .iter()
            .map(|column| tags.value(column).map(text))
            .collect(),
        extra: extra.map(|(key, value)| (text(key), text(value))).collect(),
    }
}

fn text(text: &str) -> ByteArray {
    ByteArray::from(text.as_bytes().to_vec())
}

/// Writes the next column.
fn column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: &[T::T],
    definitions: Option<&[i16]>,
    repetitions: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let next = group.next_column()?;
    let mut column = next.ok_or_else(|| ParquetError::General("a column too many".to_owned()))?;
    column
        .typed::<T>()
        .write_batch(values, definitions, repetitions)?;
    column.close()
}

/// Writes the next column, where values may be missing.
fn optional<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, File>,
    values: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let mut definitions = Vec::new();
    let mut there = Vec::new();
    for value in values {
        definitions.push(i16::from(value.is_some()));
        there.extend(value);
    }
    column::<T>(group, &there, Some(&definitions), None)
}

/// Writes the next two columns: keys and values of a map.
fn map(
    group: &mut SerializedRowGroupWriter<'_, File>,
    maps: impl Iterator<Item = Vec<(ByteArray, ByteArray)>>,
) -> Result<(), ParquetError> {
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    let (mut definitions, mut repetitions) = (Vec::new(), Vec::new());
    for pairs in maps {
        if pairs.is_empty() {
            definitions.push(0);
            repetitions.push(0);
        }
        for (at, (key, value)) in pairs.into_iter().enumerate() {
            definitions.push(1);
            repetitions.push(i16::from(at > 0));
            keys.push(key);
            values.push(value);
        }
    }
    column::<ByteArrayType>(group, &keys, Some(&definitions), Some(&repetitions))?;
    column::<ByteArrayType>(group, &values, Some(&definitions), Some(&repetitions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_the_enabled_tags() {
        let options = SinkOptions {
            system_tags: ["vu", "url", "method", "url"].map(str::to_owned).to_vec(),
            ..SinkOptions::default()
        };
        let sink = ParquetSink::new("x.parquet", &options).unwrap();
        let schema = parse_message_type(&sink.schema()).unwrap();
        let names: Vec<&str> = schema
            .get_fields()
            .iter()
            .map(|field| field.name())
            .collect();
        assert_eq!(
            names,
            [
                "metric",
                "time",
                "value",
                "method",
                "url",
                "extra_tags",
                "metadata",
                "vu"
            ]
        );
        assert_eq!(sink.describe(), "parquet (x.parquet)");
    }

    #[test]
    fn what_is_no_file_is_refused() {
        let refused = ParquetSink::new("-", &SinkOptions::default())
            .err()
            .unwrap();
        assert!(refused.to_string().ends_with("use parquet=FILE"));
        let nowhere = ParquetSink::new("/nonexistent/x", &SinkOptions::default()).unwrap();
        let error = nowhere.create().err().unwrap().to_string();
        assert!(
            error.starts_with("cannot write /nonexistent/x: "),
            "{error}"
        );
    }
}
