//! What holds for any bytes: cuts change nothing, and every stream ends.

use proptest::prelude::*;

use super::super::frame::{flag, kind};
use super::{Client, block, data, get, headers, ok, post, put};

proptest! {
    #[test]
    fn cuts_change_nothing(cuts in proptest::collection::vec(1usize..40, 1..60)) {
        let end = flag::END_STREAM;
        let bytes = [
            ok(1),
            headers(3, 0, &[(":status", "404"), ("content-length", "3")]),
            data(3, 0, b"ab"),
            data(1, end, b"first"),
            put(kind::PING, 0, 0, &[0; 8]),
            put(kind::HEADERS, end, 5, &block(&[(":status", "204")])),
            put(kind::CONTINUATION, flag::END_HEADERS, 5, &block(&[("a", "b")])),
            data(3, end, b"c"),
        ]
        .concat();
        let mut client = Client::greeted();
        let keys = [client.open(&get()), client.open(&get()), client.open(&get())];
        let mut rest = &bytes[..];
        for cut in cuts.iter().cycle() {
            let (piece, behind) = rest.split_at((*cut).min(rest.len()));
            client.feed(piece, 5);
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
        let outcomes = keys.map(|key| client.outcome(key));
        prop_assert_eq!(outcomes.join("|"), "200 first|404 abc|204 ");
    }

    #[test]
    fn any_bytes_end_in_order(reads: Vec<Vec<u8>>) {
        let mut client = Client::greeted();
        let key = client.open(&post(1000));
        for read in reads {
            client.feed(&read, 5);
        }
        client.0.lose(None);
        prop_assert!(client.outcome(key) != "-");
    }

    #[test]
    fn any_frames_end_in_order(
        frames in proptest::collection::vec(
            (0u8..11, any::<u8>(), 0u32..6, proptest::collection::vec(any::<u8>(), 0..20)),
            0..60,
        ),
    ) {
        let mut client = Client::greeted();
        let keys = [client.open(&get()), client.open(&post(100_000))];
        for (kind, flags, stream, payload) in frames {
            client.feed(&put(kind, flags, stream, &payload), 5);
            client.flush();
        }
        client.0.lose(None);
        for key in keys {
            prop_assert!(client.outcome(key) != "-");
        }
        prop_assert_eq!(client.0.active(), 0);
    }
}
