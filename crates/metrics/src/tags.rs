//! Tag sets, interned once per worker and then known by a number.
//!
//! The number of distinct sets is capped. Beyond the cap the tags with the most distinct values (usually `url` and
//! `name`) are replaced by [`OVERFLOW`], so that memory stays bounded and every other tag stays exact.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// The value that stands for all values of a tag once there are too many.
pub const OVERFLOW: &str = "(other)";

/// A sorted list of distinct keys with their values.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct TagSet(Arc<[(Arc<str>, Arc<str>)]>);

impl TagSet {
    /// The set with these tags; of a repeated key the last value wins.
    pub fn new<'a>(tags: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut list: Vec<(Arc<str>, Arc<str>)> = Vec::new();
        for (key, value) in tags {
            match list.binary_search_by(|(k, _)| (**k).cmp(key)) {
                Ok(at) => list[at].1 = value.into(),
                Err(at) => list.insert(at, (key.into(), value.into())),
            }
        }
        Self(list.into())
    }

    /// The value of a tag.
    pub fn value(&self, key: &str) -> Option<&str> {
        let at = self.0.binary_search_by(|(k, _)| (**k).cmp(key)).ok()?;
        Some(&self.0[at].1)
    }

    /// All tags, sorted by key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(k, v)| (&**k, &**v))
    }

    /// Whether all these tags are in the set with the same values.
    pub fn contains_all(&self, wanted: &Self) -> bool {
        wanted.iter().all(|(k, v)| self.value(k) == Some(v))
    }

    /// How many tags there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The number of a tag set in one worker's [`Interner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TagsId(pub u32);

impl TagsId {
    /// The empty set, in every interner.
    pub const EMPTY: Self = Self(0);
}

/// One worker's tag sets.
#[derive(Debug)]
pub struct Interner {
    sets: Vec<TagSet>,
    by_hash: HashMap<u64, Vec<TagsId>>,
    hasher: RandomState,
    limit: usize,
    /// Tags that are replaced, found when the limit was reached.
    blamed: Option<Vec<Arc<str>>>,
    /// How many sets were already handed out by [`Self::fresh`].
    shipped: usize,
}

impl Interner {
    /// Distinct tag sets that are kept apart unless another limit is given.
    pub const DEFAULT_LIMIT: usize = 10_000;

    /// An interner that holds the empty set and keeps at most `limit` sets apart.
    pub fn new(limit: usize) -> Self {
        let mut interner = Self {
            sets: Vec::new(),
            by_hash: HashMap::new(),
            hasher: RandomState::new(),
            limit: limit.max(1),
            blamed: None,
            shipped: 0,
        };
        interner.insert(&[]);
        interner
    }

    /// The set behind a number.
    ///
    /// # Panics
    /// If the number comes from another interner.
    pub fn set(&self, id: TagsId) -> &TagSet {
        &self.sets[id.0 as usize]
    }

    /// The set `base` with `extra` tags added; an extra tag replaces one of the same key.
    pub fn extend(&mut self, base: TagsId, extra: &[(&str, &str)]) -> TagsId {
        if extra.is_empty() {
            return base;
        }
        let set = self.sets[base.0 as usize].clone();
        let mut list: Vec<(&str, &str)> = Vec::with_capacity(set.len() + extra.len());
        list.extend(set.iter());
        for &(key, value) in extra {
            match list.binary_search_by(|(k, _)| (*k).cmp(key)) {
                Ok(at) => list[at].1 = value,
                Err(at) => list.insert(at, (key, value)),
            }
        }
        self.intern_sorted(list)
    }

    /// The set `base` without one tag.
    pub fn without(&mut self, base: TagsId, key: &str) -> TagsId {
        let set = self.sets[base.0 as usize].clone();
        self.intern_sorted(set.iter().filter(|(k, _)| *k != key).collect())
    }

    /// Tags that had to be replaced because they have too many values, the worst first.
    pub fn blamed(&self) -> &[Arc<str>] {
        self.blamed.as_deref().unwrap_or_default()
    }

    /// How many sets are kept.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Never: the empty set is always there.
    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The sets that are new since the last call, in the order of their numbers.
    pub fn fresh(&mut self) -> Vec<TagSet> {
        let fresh = self.sets[self.shipped..].to_vec();
        self.shipped = self.sets.len();
        fresh
    }

    fn intern_sorted(&mut self, mut list: Vec<(&str, &str)>) -> TagsId {
        if let Some(id) = self.find(&list) {
            return id;
        }
        if self.sets.len() < self.limit {
            return self.insert(&list);
        }
        let blamed = match &self.blamed {
            Some(blamed) => blamed.clone(),
            None => {
                let blamed = self.find_culprits();
                self.blamed = Some(blamed.clone());
                blamed
            }
        };
        for (key, value) in &mut list {
            if blamed.iter().any(|b| **b == **key) {
                *value = OVERFLOW;
            }
        }
        if let Some(id) = self.find(&list) {
            return id;
        }
        if self.sets.len() < 2 * self.limit {
            return self.insert(&list);
        }
        // Even the other tags explode: one series takes the rest.
        let rest = [("overflow", "true")];
        self.find(&rest).unwrap_or_else(|| self.insert(&rest))
    }

    fn find(&self, list: &[(&str, &str)]) -> Option<TagsId> {
        let ids = self.by_hash.get(&self.hasher.hash_one(list))?;
        let same = |id: &&TagsId| self.set(**id).iter().eq(list.iter().copied());
        ids.iter().find(same).copied()
    }

    fn insert(&mut self, list: &[(&str, &str)]) -> TagsId {
        // At most twice the limit plus one, far below 2^32.
        let id = TagsId(self.sets.len() as u32);
        let hash = self.hasher.hash_one(list);
        self.sets.push(TagSet::new(list.iter().copied()));
        self.by_hash.entry(hash).or_default().push(id);
        id
    }

    /// The tags whose distinct values make up a quarter of all sets or more, the worst first; at least one.
    fn find_culprits(&self) -> Vec<Arc<str>> {
        let mut values: HashMap<&Arc<str>, HashSet<&str>> = HashMap::new();
        for set in &self.sets {
            for (key, value) in set.0.iter() {
                values.entry(key).or_default().insert(value);
            }
        }
        let mut counts: Vec<_> = values
            .iter()
            .map(|(k, v)| (v.len(), (*k).clone()))
            .collect();
        counts.sort_by(|a, b| b.cmp(a));
        let bar = (self.sets.len() / 4).min(counts.first().map_or(0, |c| c.0));
        counts
            .into_iter()
            .filter(|c| c.0 >= bar)
            .map(|c| c.1)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_tags_have_one_number() {
        let mut tags = Interner::new(100);
        let a = tags.extend(TagsId::EMPTY, &[("b", "2"), ("a", "1")]);
        let b = tags.extend(TagsId::EMPTY, &[("a", "1")]);
        assert_eq!(tags.extend(b, &[("b", "2")]), a);
        assert_eq!(tags.extend(a, &[("b", "3")]), tags.extend(b, &[("b", "3")]));
        assert_eq!(tags.without(a, "b"), b);
        assert_eq!(tags.without(b, "a"), TagsId::EMPTY);
        assert_eq!(
            tags.set(a).iter().collect::<Vec<_>>(),
            [("a", "1"), ("b", "2")]
        );
    }

    #[test]
    fn too_many_values_are_folded_and_the_tag_is_named() {
        let mut tags = Interner::new(50);
        let mut last = TagsId::EMPTY;
        for i in 0..10_000 {
            let url = format!("http://x/{i}");
            let status = if i % 2 == 0 { "200" } else { "500" };
            last = tags.extend(TagsId::EMPTY, &[("url", &url), ("status", status)]);
        }
        assert_eq!(tags.blamed(), [Arc::from("url")]);
        assert_eq!(tags.set(last).value("url"), Some(OVERFLOW));
        assert_eq!(
            tags.set(last).value("status"),
            Some("500"),
            "other tags stay exact"
        );
        assert!(tags.len() <= 52, "{}", tags.len());
    }

    #[test]
    fn even_a_second_exploding_tag_is_bounded() {
        let mut tags = Interner::new(50);
        for i in 0..1_000 {
            tags.extend(TagsId::EMPTY, &[("url", &i.to_string())]);
        }
        for i in 0..1_000 {
            tags.extend(TagsId::EMPTY, &[("user", &i.to_string())]);
        }
        assert!(tags.len() <= 101, "{}", tags.len());
    }

    #[test]
    fn every_set_is_shipped_once() {
        let mut tags = Interner::new(100);
        tags.extend(TagsId::EMPTY, &[("a", "1")]);
        assert_eq!(tags.fresh().len(), 2);
        tags.extend(TagsId::EMPTY, &[("a", "1")]);
        tags.extend(TagsId::EMPTY, &[("a", "2")]);
        assert_eq!(tags.fresh(), [TagSet::new([("a", "2")])]);
    }
}
