//! The outputs that `--out NAME=ARGUMENT` can name: one line each in an explicit list.
//!
//! Names that k6 knows and netload does not have are answered with what to do instead.

use std::collections::BTreeMap;

use netload_metrics::Sink;
use netload_plan::names;

use crate::OutputError;
use crate::ci::{CiSink, Format};
use crate::csv::CsvSink;
use crate::json::JsonSink;
#[cfg(feature = "parquet")]
use crate::parquet::ParquetSink;

/// What every output should know about the run.
#[derive(Clone, Debug, Default)]
pub struct SinkOptions {
    /// The enabled system tags, by name.
    pub system_tags: Vec<String>,
    /// The environment, where build servers say what they are.
    pub environment: BTreeMap<String, String>,
    /// Names of outputs that others own, for the list of what there is.
    pub elsewhere: Vec<&'static str>,
}

type Open = fn(&str, &SinkOptions) -> Result<Box<dyn Sink>, OutputError>;

const SINKS: [(&str, Open); 7] = [
    ("azure", |argument, options| {
        Ok(Box::new(CiSink::new(Format::Azure, argument, options)?))
    }),
    ("csv", |argument, options| {
        Ok(Box::new(CsvSink::new(argument, options)?))
    }),
    ("github", |argument, options| {
        Ok(Box::new(CiSink::new(Format::GitHub, argument, options)?))
    }),
    ("gitlab", |argument, options| {
        Ok(Box::new(CiSink::new(Format::GitLab, argument, options)?))
    }),
    ("json", |argument, options| {
        Ok(Box::new(JsonSink::new(argument, options)))
    }),
    ("junit", |argument, options| {
        Ok(Box::new(CiSink::new(Format::JUnit, argument, options)?))
    }),
    ("parquet", parquet),
];

const PAGE: &str =
    "--ui shows the running test in a browser, --report writes it as a page at the end";

/// Outputs of k6 that netload does not have, with what to say.
const MISSING: [(&str, &str); 2] = [
    (
        "cloud",
        "netload sends nothing to Grafana Cloud; write --out json=FILE instead",
    ),
    ("web-dashboard", PAGE),
];

#[cfg(feature = "parquet")]
fn parquet(argument: &str, options: &SinkOptions) -> Result<Box<dyn Sink>, OutputError> {
    Ok(Box::new(ParquetSink::new(argument, options)?))
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &str, _: &SinkOptions) -> Result<Box<dyn Sink>, OutputError> {
    Err(OutputError::NotBuilt {
        sink: "parquet",
        what: "Parquet",
        feature: "parquet",
    })
}

/// The output that `--out` names; nothing is opened before it starts.
///
/// # Errors
/// Unknown names and wrong arguments.
pub fn open(spec: &str, options: &SinkOptions) -> Result<Box<dyn Sink>, OutputError> {
    let (name, argument) = spec.split_once('=').unwrap_or((spec, ""));
    if let Some((_, open)) = SINKS.iter().find(|(known, _)| *known == name) {
        return open(argument, options);
    }
    if let Some((_, instead)) = MISSING.iter().find(|(known, _)| *known == name) {
        return Err(OutputError::MissingSink {
            name: name.to_owned(),
            instead,
        });
    }
    let mut known = SINKS.map(|(name, _)| name).to_vec();
    known.extend(&options.elsewhere);
    known.sort_unstable();
    let hint = names::nearest(name, &known)
        .map(|nearest| format!("; did you mean `{nearest}`?"))
        .unwrap_or_default();
    Err(OutputError::UnknownSink {
        name: name.to_owned(),
        available: known.join(", "),
        hint,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(spec: &str) -> String {
        match open(spec, &SinkOptions::default()) {
            Ok(sink) => panic!("{} was opened", sink.describe()),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn names_choose_the_output() {
        let describe = |spec: &str| open(spec, &SinkOptions::default()).unwrap().describe();
        assert_eq!(describe("json=a=b.json"), "json (a=b.json)");
        assert_eq!(describe("json"), "json (-)");
        assert_eq!(describe("csv"), "csv (file.csv)");
    }

    #[cfg(not(feature = "parquet"))]
    #[test]
    fn outputs_that_were_not_built_in_say_how_to_get_them() {
        assert_eq!(
            refused("parquet=x"),
            "output `parquet`: this netload was built without Parquet; build it with `--features parquet`"
        );
    }

    #[test]
    fn refused_names_say_what_to_do() {
        assert_eq!(
            refused("jsn=x"),
            "there is no output `jsn`; available are azure, csv, github, gitlab, json, junit, parquet; did you mean `json`?"
        );
        assert!(!refused("zzzzzzzz").contains("did you mean"));
        for (name, _) in MISSING {
            assert!(
                refused(&format!("{name}=x"))
                    .starts_with(&format!("the output `{name}` is not available: "))
            );
        }
    }
}
