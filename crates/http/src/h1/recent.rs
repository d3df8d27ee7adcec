//! Heads that came lately: a server mostly answers with the very same bytes, and comparing is cheaper than parsing.
//!
//! Owned by a worker. Invariant: a head is found only if the response begins with exactly its bytes, so what is found
//! is what parsing would give.

use super::Head;

/// Heads remembered; a response looks at one of them only.
const REMEMBERED: usize = 16;
/// The longest head that is remembered, in bytes.
const REMEMBERED_BYTES: usize = 2048;

/// The heads one worker has seen lately.
#[derive(Debug, Default)]
pub struct RecentHeads([Remembered; REMEMBERED]);

#[derive(Debug, Default)]
struct Remembered {
    raw: Vec<u8>,
    head_request: bool,
    head: Head,
}

impl RecentHeads {
    /// The head that `input` begins with, if it is remembered.
    pub(super) fn find(&self, input: &[u8], head_request: bool) -> Option<Head> {
        let known = &self.0[place(input)];
        let same = !known.raw.is_empty()
            && known.head_request == head_request
            && input.starts_with(&known.raw);
        same.then(|| known.head.clone())
    }

    /// Remembers the head that `input` begins with.
    pub(super) fn keep(&mut self, input: &[u8], head_request: bool, head: &Head) {
        let Some(raw) = input
            .get(..head.bytes)
            .filter(|r| r.len() <= REMEMBERED_BYTES)
        else {
            return;
        };
        let known = &mut self.0[place(input)];
        known.raw.clear();
        known.raw.extend_from_slice(raw);
        known.head_request = head_request;
        known.head.clone_from(head);
    }
}

/// Responses of different length, which mostly are different responses, do not displace each other.
fn place(input: &[u8]) -> usize {
    input.len() % REMEMBERED
}
