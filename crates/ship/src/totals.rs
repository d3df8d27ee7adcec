//! What an output has to say about each series: since it last spoke, or since the run began.
//!
//! Owns the accumulation and the tags that an output does not want, by which series fall together. Invariant: the sum of
//! the news that are taken equals the samples that were added.

use std::collections::HashMap;

use netload_metrics::{Aggregate, Metric, MetricId, TagSet};

use crate::batch::Batch;

/// Since when values count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Since {
    /// The last report: every report stands for itself.
    Report,
    /// The start of the run: reports that are lost cost resolution only.
    Start,
}

/// Which tags an output sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tags {
    All,
    Except(Vec<String>),
    None,
}

impl Tags {
    fn have(&self, key: &str) -> bool {
        match self {
            Self::All => true,
            Self::Except(unwanted) => !unwanted.iter().any(|tag| tag == key),
            Self::None => false,
        }
    }
}

/// One series of an output.
#[derive(Debug)]
pub(crate) struct Total {
    pub(crate) metric: Metric,
    pub(crate) tags: TagSet,
    pub(crate) data: Aggregate,
    /// Samples that no report has had yet.
    pub(crate) news: u64,
}

/// All series of an output. Bounded by the number of series, which the recorders limit.
#[derive(Debug)]
pub(crate) struct Totals {
    since: Since,
    wanted: Tags,
    /// By the number of the series.
    places: Vec<Option<usize>>,
    by_tags: HashMap<(MetricId, TagSet), usize>,
    all: Vec<Total>,
}

impl Totals {
    pub(crate) fn new(since: Since, wanted: Tags) -> Self {
        Self {
            since,
            wanted,
            places: Vec::new(),
            by_tags: HashMap::new(),
            all: Vec::new(),
        }
    }

    pub(crate) fn since(&self) -> Since {
        self.since
    }

    pub(crate) fn absorb(&mut self, batch: &Batch) {
        for entry in &batch.entries {
            let number = entry.series.number;
            if number >= self.places.len() {
                self.places.resize(number + 1, None);
            }
            let at = match self.places[number] {
                Some(at) => at,
                None => {
                    let at = self.place(&entry.series.metric, &entry.series.tags);
                    self.places[number] = Some(at);
                    at
                }
            };
            let total = &mut self.all[at];
            total.data.merge(&entry.data);
            total.news += entry.data.samples();
        }
    }

    fn place(&mut self, metric: &Metric, tags: &TagSet) -> usize {
        let tags = TagSet::new(tags.iter().filter(|(key, _)| self.wanted.have(key)));
        let next = self.all.len();
        let at = *self
            .by_tags
            .entry((metric.id, tags.clone()))
            .or_insert(next);
        if at == next {
            self.all.push(Total {
                metric: metric.clone(),
                tags,
                data: Aggregate::empty(metric.kind),
                news: 0,
            });
        }
        at
    }

    /// The series that a report is about: since a report those with news, since the start all.
    pub(crate) fn report(&self) -> impl Iterator<Item = &Total> {
        let all = self.since == Since::Start;
        self.all.iter().filter(move |total| all || total.news > 0)
    }

    /// A report was made.
    pub(crate) fn reported(&mut self) {
        for total in &mut self.all {
            total.news = 0;
            if self.since == Since::Report {
                total.data.clear();
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;

    use netload_metrics::{Contains, Kind, Registry};

    use super::*;
    use crate::batch::{Entry, Series};

    /// One metric of each kind, as a second would bring them.
    pub(crate) fn sample_batch(unix_ns: u64) -> Batch {
        let registry = Registry::new();
        let data = registry
            .declare("my_bytes", Kind::Trend, Contains::Data)
            .unwrap();
        let m = registry.builtin;
        let ok = [
            ("method", "GET"),
            ("status", "200"),
            ("url", "http://h/a b"),
        ];
        type Made<'a> = (MetricId, &'a [(&'a str, &'a str)], &'a [f64]);
        let series: [Made<'_>; 6] = [
            (m.http_reqs, &ok, &[1.0, 1.0, 1.0, 1.0]),
            (m.vus, &[], &[5.0]),
            (
                m.checks,
                &[("check", "is \"ok\", really")],
                &[1.0, 1.0, 0.0, 1.0],
            ),
            (m.http_req_duration, &ok, &[1.0, 2.0, 3.0, 14.0]),
            (data, &[], &[0.0, 1024.0]),
            (m.data_sent, &[("empty", "")], &[0.5]),
        ];
        let entries = series
            .into_iter()
            .enumerate()
            .map(|(number, (id, tags, values))| {
                let metric = registry.metric(id);
                let mut data = Aggregate::empty(metric.kind);
                values.iter().for_each(|value| data.add(*value, unix_ns));
                let tags = TagSet::new(tags.iter().copied());
                let series = Arc::new(Series {
                    number,
                    metric,
                    tags,
                });
                Entry { series, data }
            });
        Batch {
            unix_ns,
            entries: entries.collect(),
        }
    }

    #[test]
    fn news_add_up_to_what_was_added() {
        for since in [Since::Report, Since::Start] {
            let mut totals = Totals::new(since, Tags::All);
            let mut news = 0;
            for second in 0..3 {
                let batch = sample_batch(second);
                totals.absorb(&batch);
                news += totals.report().map(|total| total.news).sum::<u64>();
                totals.reported();
            }
            assert_eq!(news, 3 * sample_batch(0).samples());
        }
    }

    #[test]
    fn totals_count_since_the_start_and_deltas_since_the_report() {
        for (since, expected) in [(Since::Report, 4.0), (Since::Start, 12.0)] {
            let mut totals = Totals::new(since, Tags::All);
            for second in 0..3 {
                totals.reported();
                totals.absorb(&sample_batch(second));
            }
            let requests = totals
                .report()
                .find(|t| &*t.metric.name == "http_reqs")
                .unwrap();
            assert!(matches!(requests.data, Aggregate::Counter(c) if c.sum == expected));
        }
    }

    #[test]
    fn series_fall_together_without_the_tags_that_told_them_apart() {
        let registry = Registry::new();
        let metric = registry.metric(registry.builtin.http_reqs);
        let entry = |number: usize, url: &str| {
            let mut data = Aggregate::empty(Kind::Counter);
            data.add(1.0, 0);
            let tags = TagSet::new([("status", "200"), ("url", url)]);
            let metric = metric.clone();
            let series = Arc::new(Series {
                number,
                metric,
                tags,
            });
            Entry { series, data }
        };
        let entries = vec![entry(0, "/a"), entry(1, "/b")];
        let mut totals = Totals::new(Since::Report, Tags::Except(vec!["url".to_owned()]));
        totals.absorb(&Batch {
            unix_ns: 1,
            entries,
        });
        let all: Vec<&Total> = totals.report().collect();
        assert_eq!((all.len(), all[0].news), (1, 2));
        assert_eq!(all[0].tags, TagSet::new([("status", "200")]));
    }
}
