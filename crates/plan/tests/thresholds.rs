//! The grammar of thresholds.

use netload_metrics::Kind;
use netload_metrics::threshold::{Aggregation, Operator};
use netload_plan::threshold::{Threshold, ThresholdSet, parse_expression, parse_metric};
use proptest::prelude::*;

#[test]
fn expressions_compare_a_number_of_the_metric() {
    use Aggregation as A;
    use Operator as O;
    for (text, expected) in [
        ("p(95)<500", (A::Percentile(95.0), O::Less, 500.0)),
        (
            " p(99.99) <= 1e3 ",
            (A::Percentile(99.99), O::LessEqual, 1000.0),
        ),
        ("rate==1", (A::Rate, O::Equal, 1.0)),
        ("rate===1", (A::Rate, O::Equal, 1.0)),
        ("count>=10", (A::Count, O::GreaterEqual, 10.0)),
        ("avg<.5", (A::Avg, O::Less, 0.5)),
        ("med!=-1", (A::Med, O::NotEqual, -1.0)),
        ("value>+1.", (A::Value, O::Greater, 1.0)),
        ("min<1", (A::Min, O::Less, 1.0)),
        ("max<1", (A::Max, O::Less, 1.0)),
    ] {
        assert_eq!(parse_expression(text), Ok(expected), "{text}");
    }
}

#[test]
fn bad_expressions_say_where() {
    for (text, message) in [
        ("", "`` compares nothing"),
        ("count<", "`count<` compares nothing"),
        ("rate=1", "`rate=1` compares nothing"),
        ("avg", "`avg` compares nothing"),
        (
            "p95<1",
            "`p95` is no aggregation (at character 0 of `p95<1`)",
        ),
        (
            "AVG<1",
            "`AVG` is no aggregation (at character 0 of `AVG<1`)",
        ),
        (
            "p(101)<1",
            "`101` is no percentile from 0 to 100 (at character 2 of `p(101)<1`)",
        ),
        (
            "p(-1)<1",
            "`-1` is no percentile from 0 to 100 (at character 2 of `p(-1)<1`)",
        ),
        (
            "p()<1",
            "`` is no percentile from 0 to 100 (at character 2 of `p()<1`)",
        ),
        (
            "count > 10ms",
            "`10ms` is no number (at character 8 of `count > 10ms`)",
        ),
        (
            "avg<1 && max<3",
            "`1 && max<3` is no number (at character 4 of `avg<1 && max<3`)",
        ),
        (
            "avg<inf",
            "`inf` is no number (at character 4 of `avg<inf`)",
        ),
        (
            "\u{e9}<1",
            "`\u{e9}` is no aggregation (at character 0 of `\u{e9}<1`)",
        ),
    ] {
        assert_eq!(parse_expression(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn metrics_may_be_narrowed_by_tags() {
    for (text, metric, tags) in [
        ("http_reqs", "http_reqs", &[][..]),
        ("http_reqs{a:b}", "http_reqs", &[("a", "b")]),
        (
            "http_reqs{ a : b , \"c\":'d' }",
            "http_reqs",
            &[("a", "b"), ("c", "d")],
        ),
        (
            "http_reqs{group:::checkout}",
            "http_reqs",
            &[("group", "::checkout")],
        ),
        (
            "http_reqs{url:http://x/{id}}",
            "http_reqs",
            &[("url", "http://x/{id}")],
        ),
        ("http_reqs{group:\"\"}", "http_reqs", &[("group", "")]),
        ("http_reqs{group: }", "http_reqs", &[("group", "")]),
    ] {
        let (name, found) = parse_metric(text).unwrap();
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .collect();
        assert_eq!((name.as_str(), &found[..]), (metric, tags), "{text}");
    }
    for (text, message) in [
        ("a{", "the braces of `a{` do not match"),
        ("a}", "the braces of `a}` do not match"),
        ("a{b:c}d", "the braces of `a{b:c}d` do not match"),
        ("a{}", "`` is no tag (at character 2 of `a{}`)"),
        ("a{b}", "`b` is no tag (at character 2 of `a{b}`)"),
        ("a{b:}", "`b:` is no tag (at character 2 of `a{b:}`)"),
        ("a{b:c,}", "`` is no tag (at character 6 of `a{b:c,}`)"),
    ] {
        assert_eq!(parse_metric(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn an_aggregation_must_fit_the_kind_of_its_metric() {
    let set = |expression: &str| {
        let (aggregation, operator, limit) = parse_expression(expression).unwrap();
        ThresholdSet {
            source: "m".to_owned(),
            metric_name: "m".to_owned(),
            tags: Vec::new(),
            expressions: vec![Threshold {
                source: expression.to_owned(),
                aggregation,
                operator,
                limit,
                abort_on_fail: false,
                delay_abort_eval_ns: 0,
            }],
        }
    };
    assert_eq!(set("count>1").check_kind(Kind::Counter), Ok(()));
    assert_eq!(set("p(90)>1").check_kind(Kind::Trend), Ok(()));
    let error = set("avg<3").check_kind(Kind::Counter).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`avg<3` does not fit `m`, which is a counter"
    );
    assert_eq!(error.hint(), "it supports count and rate");
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,20}") {
        let _ = parse_expression(&text);
        let _ = parse_metric(&text);
    }

    #[test]
    fn nothing_that_looks_like_an_expression_panics(text in "[a-z(){}:,<>=!0-9. \u{e9}]{0,16}") {
        let _ = parse_expression(&text);
        let _ = parse_metric(&text);
    }
}
