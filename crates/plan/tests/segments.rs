//! The cut among instances and workers: nothing is lost, nothing is done twice.

use netload_plan::segment::{Segment, SegmentSequence, Segmentation};
use netload_plan::{Share, Stripe};
use proptest::prelude::*;

fn all(sequence: &str) -> Vec<Segmentation> {
    let sequence: SegmentSequence = sequence.parse().unwrap();
    let segments: Vec<Segment> = sequence.segments().collect();
    let cut = |segment| Segmentation::new(segment, Some(sequence.clone())).unwrap();
    segments.into_iter().map(cut).collect()
}

/// Up to seven points between 0 and 1 over a small denominator.
fn sequences() -> impl Strategy<Value = String> {
    (2u64..40).prop_flat_map(|below| {
        proptest::collection::btree_set(1..below, 0..7).prop_map(move |points| {
            let inner = points.iter().map(|above| format!("{above}/{below},"));
            format!("0,{}1", inner.collect::<String>())
        })
    })
}

#[test]
fn segments_read_fractions_percentages_and_decimals() {
    for (text, shown) in [
        ("10%", "0:1/10"),
        ("33.5%", "0:67/200"),
        ("1/3", "0:1/3"),
        ("0.2:2/3", "1/5:2/3"),
        ("2/8:1/2", "1/4:1/2"),
        ("0:1", "0:1"),
        ("0.5:1", "1/2:1"),
        (" 1/4 : 50% ", "1/4:1/2"),
    ] {
        assert_eq!(text.parse::<Segment>().unwrap().to_string(), shown);
    }
}

#[test]
fn bad_segments_say_why() {
    for (text, message) in [
        ("2/1", "`2/1` lies outside 0 to 1"),
        ("120%", "`120%` lies outside 0 to 1"),
        ("-1/3", "`-1/3` lies outside 0 to 1"),
        ("1/2:1/4", "the segment `1/2:1/4` must start below its end"),
        ("1/2:1/2", "the segment `1/2:1/2` must start below its end"),
        ("0", "the segment `0` must start below its end"),
        ("1/0", "`1/0` is not a share of the test"),
        ("half", "`half` is not a share of the test"),
        ("", "`` is not a share of the test"),
        ("1/2/3", "`1/2/3` is not a share of the test"),
        (
            "0.00000000000000000000001",
            "`0.00000000000000000000001` is not a share of the test",
        ),
    ] {
        assert_eq!(text.parse::<Segment>().unwrap_err().to_string(), message);
    }
    for (text, message) in [
        ("1/3", "the sequence `1/3` must rise from 0 to 1"),
        ("0,1/2", "the sequence `0,1/2` must rise from 0 to 1"),
        (
            "0,1/2,1/4,1",
            "the sequence `0,1/2,1/4,1` must rise from 0 to 1",
        ),
    ] {
        let error = text.parse::<SegmentSequence>().unwrap_err();
        assert_eq!(error.to_string(), message);
    }
    let third: Segment = "0:1/3".parse().unwrap();
    let halves: SegmentSequence = "0,1/2,1".parse().unwrap();
    assert_eq!(
        Segmentation::new(third, Some(halves))
            .unwrap_err()
            .to_string(),
        "the segment 0:1/3 is not in the sequence 0,1/2,1"
    );
    let fine: Segment = "0.123456789".parse().unwrap();
    assert!(Segmentation::new(fine, None).is_err());
}

#[test]
fn a_lone_segment_is_cut_from_the_partition_around_it() {
    let cut = Segmentation::new("1/4:1/2".parse().unwrap(), None).unwrap();
    assert_eq!(cut.sequence().to_string(), "0,1/4,1/2,1");
    let cut = Segmentation::new("1/2:1".parse().unwrap(), None).unwrap();
    assert_eq!(cut.sequence().to_string(), "0,1/2,1");
}

/// Which VUs each segment gets was observed on k6 2.2.0: mixed runs must agree on it.
#[test]
fn the_cut_is_that_of_k6() {
    for (sequence, owners) in [
        ("0,1/4,1", "BABB"),
        ("0,3/4,1", "ABAA"),
        ("0,1/3,2/3,1", "ABC"),
        ("0,1/10,3/10,6/10,1", "DCBDCDBCDA"),
        ("0,2/7,5/7,1", "BACBABC"),
        ("0,5/11,10/11,1", "ABCABABABAB"),
    ] {
        for (i, cut) in all(sequence).iter().enumerate() {
            let name = (b'A' + i as u8) as char;
            let slots = owners.chars().map(|owner| owner == name);
            let owned: Vec<bool> = (0..owners.len() as u64).map(|n| cut.owns(n)).collect();
            assert_eq!(owned, slots.collect::<Vec<_>>(), "{name} of {sequence}");
        }
    }
}

proptest! {
    #[test]
    fn every_number_has_exactly_one_owner(
        sequence in sequences(), workers in 1u64..5, n in 0u64..500, vus in 0u64..60,
    ) {
        let mut owners = vec![0; n as usize];
        let mut rescaled = vec![0; n as usize];
        for cut in all(&sequence) {
            for worker in 0..workers {
                let stripe = Stripe::new(worker, workers).unwrap();
                let share = Share::new(cut.clone(), stripe);
                (0..n).filter(|i| share.owns(*i)).for_each(|i| owners[i as usize] += 1);
                let by_vus = share.rescaled(vus);
                (0..n).filter(|i| by_vus.owns(*i)).for_each(|i| rescaled[i as usize] += 1);
            }
        }
        prop_assert!(owners.iter().all(|count| *count == 1));
        prop_assert!(vus == 0 || rescaled.iter().all(|count| *count == 1), "{rescaled:?}");
    }

    #[test]
    fn counting_and_numbering_agree_with_owning(
        sequence in sequences(), workers in 1u64..5, n in 0u64..300, vus in 1u64..60,
    ) {
        for cut in all(&sequence) {
            for worker in 0..workers {
                let share = Share::new(cut.clone(), Stripe::new(worker, workers).unwrap());
                for share in [share.rescaled(vus), share] {
                    let owned: Vec<u64> = (0..n).filter(|i| share.owns(*i)).collect();
                    prop_assert_eq!(share.count(n), owned.len() as u64);
                    let numbered: Vec<u64> = (0..share.count(n)).map_while(|k| share.nth(k)).collect();
                    prop_assert_eq!(numbered, owned);
                }
            }
        }
    }

    #[test]
    fn a_share_is_never_off_by_a_whole_one_upwards(sequence in sequences(), n in 0u64..10_000) {
        for cut in all(&sequence) {
            let exact = cut.segment().fraction() * n as f64;
            prop_assert!(cut.scale(n) as f64 <= exact + 1.0);
        }
    }

    /// Who has no VU gets none of their work: an instance, or a worker in it.
    #[test]
    fn work_lands_only_where_vus_are(
        sequence in sequences(), workers in 1u64..5, vus in 1u64..20, n in 0u64..1000,
    ) {
        for cut in all(&sequence) {
            for worker in 0..workers {
                let share = Share::new(cut.clone(), Stripe::new(worker, workers).unwrap());
                prop_assert!(share.count(vus) > 0 || share.rescaled(vus).count(n) == 0);
            }
        }
    }

    #[test]
    fn what_is_shown_is_read_back(sequence in sequences()) {
        for cut in all(&sequence) {
            prop_assert_eq!(cut.segment().to_string().parse(), Ok(cut.segment()));
            prop_assert_eq!(cut.sequence().to_string().parse(), Ok(cut.sequence().clone()));
        }
    }
}

#[test]
fn large_numbers_do_not_overflow() {
    let cut = &all("0,1/3,2/3,1")[1];
    assert_eq!(cut.scale(u64::MAX), u64::MAX / 3);
    assert_eq!(cut.global_index(u64::MAX), None);
    assert!(SegmentSequence::equal(64).is_ok());
    assert!(SegmentSequence::equal(0).is_err());
}

#[test]
fn a_worker_has_a_place_among_the_workers() {
    assert_eq!(Stripe::new(2, 2), None);
    assert_eq!(Stripe::new(0, 1), Some(Stripe::WHOLE));
}
