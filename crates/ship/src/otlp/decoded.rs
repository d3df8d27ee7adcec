//! What the decoder made from the official definitions reads out of our requests.

use std::collections::BTreeMap;

use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::number_data_point::Value as Number;
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, ExponentialHistogramDataPoint, Metric, NumberDataPoint, Sum,
};
use prost::Message;

use super::tests::otlp;
use super::{Since, Transport};
use crate::courier::Protocol;
use crate::totals::tests::sample_batch;

const SECOND_NS: u64 = 1_000_000_000;
const BEGIN_NS: u64 = 1_700_000_000 * SECOND_NS;

/// Two reports, two seconds apart; the second one's metrics by name.
fn metrics(since: Since) -> BTreeMap<String, Metric> {
    let mut otlp = otlp(since, Transport::Http);
    otlp.absorb(&sample_batch(BEGIN_NS));
    otlp.speak(BEGIN_NS + SECOND_NS, false);
    otlp.absorb(&sample_batch(BEGIN_NS + 2 * SECOND_NS));
    let parcels = otlp.speak(BEGIN_NS + 3 * SECOND_NS, true);
    let request = ExportMetricsServiceRequest::decode(parcels[0].bytes.as_slice()).unwrap();
    let resource = &request.resource_metrics[0];
    let about = attributes(&resource.resource.as_ref().unwrap().attributes);
    assert_eq!(about["service.name"], "k6");
    let scope = &resource.scope_metrics[0];
    assert_eq!(scope.scope.as_ref().unwrap().name, "netload");
    let metrics = scope.metrics.iter();
    metrics
        .map(|metric| (metric.name.clone(), metric.clone()))
        .collect()
}

fn attributes(pairs: &[KeyValue]) -> BTreeMap<&str, &str> {
    let pairs = pairs.iter().map(|pair| {
        let value = pair.value.as_ref().and_then(|value| value.value.as_ref());
        let Some(Value::StringValue(text)) = value else {
            panic!("{pair:?} has no text");
        };
        (pair.key.as_str(), text.as_str())
    });
    pairs.collect()
}

fn sum<'a>(metrics: &'a BTreeMap<String, Metric>, name: &str) -> &'a Sum {
    match &metrics[name].data {
        Some(Data::Sum(sum)) => sum,
        other => panic!("{name} is {other:?}"),
    }
}

fn histogram<'a>(
    metrics: &'a BTreeMap<String, Metric>,
    name: &str,
) -> (&'a ExponentialHistogramDataPoint, i32) {
    match &metrics[name].data {
        Some(Data::ExponentialHistogram(h)) => (&h.data_points[0], h.aggregation_temporality),
        other => panic!("{name} is {other:?}"),
    }
}

fn number(point: &NumberDataPoint) -> f64 {
    match point.value {
        Some(Number::AsDouble(value)) => value,
        Some(Number::AsInt(value)) => value as f64,
        None => panic!("{point:?} has no value"),
    }
}

#[test]
fn counters_rates_and_gauges_are_what_was_measured() {
    for (since, temporality, times, began_ns) in [
        (
            Since::Start,
            AggregationTemporality::Cumulative,
            2.0,
            BEGIN_NS - SECOND_NS,
        ),
        (
            Since::Report,
            AggregationTemporality::Delta,
            1.0,
            BEGIN_NS + SECOND_NS,
        ),
    ] {
        let metrics = metrics(since);
        let requests = sum(&metrics, "p_http_reqs");
        assert!(requests.is_monotonic);
        assert_eq!(requests.aggregation_temporality, temporality as i32);
        let point = &requests.data_points[0];
        assert_eq!(number(point), 4.0 * times);
        assert_eq!(point.start_time_unix_nano, began_ns);
        assert_eq!(point.time_unix_nano, BEGIN_NS + 3 * SECOND_NS);
        let tags = attributes(&point.attributes);
        assert_eq!(
            (tags["method"], tags["status"], tags["url"]),
            ("GET", "200", "http://h/a b")
        );
        let checks = sum(&metrics, "p_checks.total");
        let by_condition: BTreeMap<&str, f64> = checks
            .data_points
            .iter()
            .map(|point| (attributes(&point.attributes)["condition"], number(point)))
            .collect();
        assert_eq!(
            (by_condition["nonzero"], by_condition["zero"]),
            (3.0 * times, 1.0 * times)
        );
        match &metrics["p_vus"].data {
            Some(Data::Gauge(gauge)) => assert_eq!(number(&gauge.data_points[0]), 5.0),
            other => panic!("vus are {other:?}"),
        }
        let (point, told) = histogram(&metrics, "p_http_req_duration");
        assert_eq!(told, temporality as i32);
        assert_eq!(
            (point.count, point.sum),
            (4 * times as u64, Some(20.0 * times))
        );
        assert_eq!((point.min, point.max), (Some(1.0), Some(14.0)));
        assert_eq!(metrics["p_http_req_duration"].unit, "ms");
        assert_eq!(metrics["p_my_bytes"].unit, "By");
    }
}

/// A bucket holds what is above base^index and at most base^(index + 1), with base 2^(2^-scale).
#[test]
fn buckets_hold_the_values_that_were_measured() {
    let metrics = metrics(Since::Report);
    let (point, _) = histogram(&metrics, "p_http_req_duration");
    let base = 2f64.powf(2f64.powi(-point.scale));
    let positive = point.positive.as_ref().unwrap();
    let counts = positive.bucket_counts.iter().zip(positive.offset..);
    let filled: Vec<(u64, i32)> = counts
        .map(|(count, at)| (*count, at))
        .filter(|(n, _)| *n > 0)
        .collect();
    assert_eq!(filled.len(), 4);
    for ((count, at), value) in filled.into_iter().zip([1.0, 2.0, 3.0, 14.0]) {
        assert_eq!(count, 1);
        let (above, most) = (base.powi(at), base.powi(at + 1));
        // Powers that are whole numbers are only as exact as floating point makes them.
        assert!(
            above < value * 1.000_001 && value < most * 1.000_001,
            "{above} {value} {most}"
        );
    }
    let (point, _) = histogram(&metrics, "p_my_bytes");
    assert_eq!((point.zero_count, point.count), (1, 2));
}
