//! The four exchanges of Kafka's protocol that writing into a topic takes, as bytes.
//!
//! Metadata 4, Produce 3, SaslHandshake 1 and SaslAuthenticate 0: the oldest that today's brokers take, known to all
//! since Kafka 1.0. Format: <https://kafka.apache.org/protocol>. Neither a clock nor a network is in it. Invariant:
//! whatever bytes a broker answers, reading them ends in a value or in [`Malformed`].

const METADATA: (i16, i16) = (3, 4);
const PRODUCE: (i16, i16) = (0, 3);
const SASL_HANDSHAKE: (i16, i16) = (17, 1);
const SASL_AUTHENTICATE: (i16, i16) = (36, 0);
/// How we call ourselves.
const CLIENT: &str = "netload";
/// All replicas that are in sync have what the broker has confirmed.
const ALL_REPLICAS: i16 = -1;
/// How long a broker may wait for its replicas.
const REPLICAS_TIMEOUT_MS: i32 = 5_000;
/// Format of a batch of records: the one since Kafka 0.11.
const MAGIC: u8 = 2;

/// An answer that is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// What a broker says about a topic.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Metadata {
    /// Number, host and port of brokers.
    pub(super) brokers: Vec<(i32, String, u16)>,
    /// The topic's error, 0 for none.
    pub(super) error: i16,
    /// Numbers of partitions with the number of the broker that leads them; those without a leader are left out.
    pub(super) leaders: Vec<(i32, i32)>,
}

/// Asks for the brokers and the partitions of a topic, which may be made by that.
pub(super) fn metadata_request(correlation: i32, topic: &str) -> Vec<u8> {
    request(METADATA, correlation, |out| {
        out.extend(1i32.to_be_bytes());
        string(topic, out);
        out.push(1);
    })
}

pub(super) fn metadata(answer: &[u8], topic: &str) -> Result<Metadata, Malformed> {
    let mut input = Input(answer);
    let mut metadata = Metadata::default();
    input.number::<4>()?;
    for _ in 0..input.count()? {
        let id = input.i32()?;
        let host = input.string()?.unwrap_or_default().to_owned();
        let port = u16::try_from(input.i32()?).map_err(|_| Malformed)?;
        input.string()?;
        metadata.brokers.push((id, host, port));
    }
    input.string()?;
    input.i32()?;
    for _ in 0..input.count()? {
        let error = input.i16()?;
        let is_ours = input.string()? == Some(topic);
        input.number::<1>()?;
        for _ in 0..input.count()? {
            input.i16()?;
            let (partition, leader) = (input.i32()?, input.i32()?);
            for _replicas_and_those_in_sync in 0..2 {
                for _ in 0..input.count()? {
                    input.i32()?;
                }
            }
            if is_ours && leader >= 0 {
                metadata.leaders.push((partition, leader));
            }
        }
        if is_ours {
            metadata.error = error;
        }
    }
    Ok(metadata)
}

/// Writes lines, each as a record without a key, into a partition.
pub(super) fn produce_request(
    correlation: i32,
    topic: &str,
    partition: i32,
    lines: &[u8],
    unix_ms: i64,
) -> Vec<u8> {
    let batch = batch(lines, unix_ms);
    request(PRODUCE, correlation, |out| {
        out.extend((-1i16).to_be_bytes());
        out.extend(ALL_REPLICAS.to_be_bytes());
        out.extend(REPLICAS_TIMEOUT_MS.to_be_bytes());
        out.extend(1i32.to_be_bytes());
        string(topic, out);
        out.extend(1i32.to_be_bytes());
        out.extend(partition.to_be_bytes());
        bytes(&batch, out);
    })
}

/// The error of the one partition that was written to, 0 for none.
pub(super) fn produced(answer: &[u8]) -> Result<i16, Malformed> {
    let mut input = Input(answer);
    let mut error = None;
    for _ in 0..input.count()? {
        input.string()?;
        for _ in 0..input.count()? {
            input.i32()?;
            error = Some(input.i16()?);
            input.number::<16>()?;
        }
    }
    error.ok_or(Malformed)
}

/// Says by which mechanism we will show who we are.
pub(super) fn handshake_request(correlation: i32, mechanism: &str) -> Vec<u8> {
    request(SASL_HANDSHAKE, correlation, |out| string(mechanism, out))
}

/// The error, 0 for none, and the mechanisms that the broker knows.
pub(super) fn handshaken(answer: &[u8]) -> Result<(i16, Vec<String>), Malformed> {
    let mut input = Input(answer);
    let error = input.i16()?;
    let mut known = Vec::new();
    for _ in 0..input.count()? {
        known.push(input.string()?.unwrap_or_default().to_owned());
    }
    Ok((error, known))
}

/// A step of showing who we are.
pub(super) fn authenticate_request(correlation: i32, step: &[u8]) -> Vec<u8> {
    request(SASL_AUTHENTICATE, correlation, |out| bytes(step, out))
}

/// The broker's answer to a step, or what it has against us.
pub(super) fn authenticated(answer: &[u8]) -> Result<Result<&[u8], String>, Malformed> {
    let mut input = Input(answer);
    let error = input.i16()?;
    let text = input.string()?.unwrap_or("it gave no reason").to_owned();
    let length = usize::try_from(input.i32()?).map_err(|_| Malformed)?;
    let step = input.take(length)?;
    Ok(if error == 0 { Ok(step) } else { Err(text) })
}

/// The number of the request that an answer belongs to, and what follows.
pub(super) fn answered(frame: &[u8]) -> Result<(i32, &[u8]), Malformed> {
    let mut input = Input(frame);
    Ok((input.i32()?, input.0))
}

/// A request with its length in front.
fn request(
    (key, version): (i16, i16),
    correlation: i32,
    body: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let mut out = vec![0; 4];
    out.extend(key.to_be_bytes());
    out.extend(version.to_be_bytes());
    out.extend(correlation.to_be_bytes());
    string(CLIENT, &mut out);
    body(&mut out);
    let length = (out.len() - 4) as i32;
    out[..4].copy_from_slice(&length.to_be_bytes());
    out
}

fn string(text: &str, out: &mut Vec<u8>) {
    // Texts of ours are names that a user typed; what is longer than Kafka allows is cut and then refused by it.
    let text = &text.as_bytes()[..text.len().min(i16::MAX as usize)];
    out.extend((text.len() as i16).to_be_bytes());
    out.extend(text);
}

fn bytes(value: &[u8], out: &mut Vec<u8>) {
    out.extend((value.len() as i32).to_be_bytes());
    out.extend(value);
}

/// Lines as a batch of records.
fn batch(lines: &[u8], unix_ms: i64) -> Vec<u8> {
    let mut records = Vec::with_capacity(lines.len() + lines.len() / 16);
    let mut count: i32 = 0;
    for line in lines.split(|b| *b == b'\n').filter(|line| !line.is_empty()) {
        record(i64::from(count), line, &mut records);
        count += 1;
    }
    let mut checked = Vec::with_capacity(records.len() + 40);
    checked.extend(0i16.to_be_bytes());
    checked.extend((count - 1).to_be_bytes());
    checked.extend(unix_ms.to_be_bytes());
    checked.extend(unix_ms.to_be_bytes());
    // Nobody's transaction: no producer, no epoch, no sequence.
    checked.extend((-1i64).to_be_bytes());
    checked.extend((-1i16).to_be_bytes());
    checked.extend((-1i32).to_be_bytes());
    checked.extend(count.to_be_bytes());
    checked.extend(records);
    let mut batch = Vec::with_capacity(checked.len() + 21);
    batch.extend(0i64.to_be_bytes());
    // What follows the length: epoch, magic, sum, and all that is checked.
    batch.extend((checked.len() as i32 + 9).to_be_bytes());
    batch.extend((-1i32).to_be_bytes());
    batch.push(MAGIC);
    batch.extend(crc32c(&checked).to_be_bytes());
    batch.extend(checked);
    batch
}

fn record(offset: i64, value: &[u8], out: &mut Vec<u8>) {
    let mut body = vec![0];
    varint(0, &mut body);
    varint(offset, &mut body);
    varint(-1, &mut body);
    varint(value.len() as i64, &mut body);
    body.extend(value);
    varint(0, &mut body);
    varint(body.len() as i64, out);
    out.extend(body);
}

/// Small numbers of either sign in few bytes.
fn varint(value: i64, out: &mut Vec<u8>) {
    let mut folded = ((value << 1) ^ (value >> 63)) as u64;
    while folded >= 0x80 {
        out.push(folded as u8 | 0x80);
        folded >>= 7;
    }
    out.push(folded as u8);
}

/// The checksum of Castagnoli, as in RFC 3720.
fn crc32c(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0u32; 256];
        let mut at = 0;
        while at < 256 {
            let mut sum = at as u32;
            let mut bit = 0;
            while bit < 8 {
                sum = (sum >> 1) ^ (0x82F6_3B78 & (sum & 1).wrapping_neg());
                bit += 1;
            }
            table[at] = sum;
            at += 1;
        }
        table
    };
    let step = |sum: u32, byte: &u8| (sum >> 8) ^ TABLE[usize::from(sum as u8 ^ byte)];
    !bytes.iter().fold(!0, step)
}

/// Bytes that are still to be read.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number<const BYTES: usize>(&mut self) -> Result<[u8; BYTES], Malformed> {
        self.take(BYTES)?.try_into().map_err(|_| Malformed)
    }

    fn i16(&mut self) -> Result<i16, Malformed> {
        self.number().map(i16::from_be_bytes)
    }

    fn i32(&mut self) -> Result<i32, Malformed> {
        self.number().map(i32::from_be_bytes)
    }

    /// How many entries a list has; none and less are none. A list that is too long ends with the bytes.
    fn count(&mut self) -> Result<i32, Malformed> {
        self.i32()
    }

    fn string(&mut self) -> Result<Option<&'a str>, Malformed> {
        let Ok(length) = usize::try_from(self.i16()?) else {
            return Ok(None);
        };
        let text = std::str::from_utf8(self.take(length)?).map_err(|_| Malformed)?;
        Ok(Some(text))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_checksum_is_castagnolis() {
        assert_eq!(crc32c(b"123456789"), 0xE306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8A91_36AA);
    }

    /// A broker of Kafka 3.9 took these bytes, and kcat read the lines, when this file was made.
    #[test]
    fn requests_stay_as_a_broker_took_them() {
        let requests = [
            metadata_request(1, "t"),
            produce_request(2, "t", 3, b"first\nsecond\n", 1_700_000_000_000),
            handshake_request(3, "PLAIN"),
            authenticate_request(4, b"\0user\0secret"),
        ];
        let dumps = requests.iter().map(|r| crate::golden::dump(r));
        crate::golden::check("kafka-requests", &dumps.collect::<Vec<_>>().join("\n"));
    }

    fn sample_metadata() -> Vec<u8> {
        let mut answer = vec![0; 4];
        answer.extend(1i32.to_be_bytes());
        answer.extend(7i32.to_be_bytes());
        string("broker", &mut answer);
        answer.extend(9092i32.to_be_bytes());
        answer.extend((-1i16).to_be_bytes());
        string("cluster", &mut answer);
        answer.extend(7i32.to_be_bytes());
        answer.extend(1i32.to_be_bytes());
        answer.extend(5i16.to_be_bytes());
        string("t", &mut answer);
        answer.push(0);
        answer.extend(2i32.to_be_bytes());
        for (partition, leader) in [(0i32, 7i32), (1, -1)] {
            answer.extend(0i16.to_be_bytes());
            answer.extend(partition.to_be_bytes());
            answer.extend(leader.to_be_bytes());
            answer.extend(1i32.to_be_bytes());
            answer.extend(7i32.to_be_bytes());
            answer.extend(0i32.to_be_bytes());
        }
        answer
    }

    #[test]
    fn answers_are_read() {
        let expected = Metadata {
            brokers: vec![(7, "broker".to_owned(), 9092)],
            error: 5,
            leaders: vec![(0, 7)],
        };
        assert_eq!(metadata(&sample_metadata(), "t"), Ok(expected));
        let other = metadata(&sample_metadata(), "other").unwrap();
        assert_eq!((other.error, other.leaders.len()), (0, 0));
        assert_eq!(produced(&[0, 0, 0, 0]), Err(Malformed));
    }

    proptest! {
        #[test]
        fn no_answer_breaks_the_reader(answer in prop::collection::vec(any::<u8>(), 0..200), cut in 0usize..100, flip in 0usize..100) {
            let mut near = sample_metadata();
            near.truncate(near.len().saturating_sub(cut));
            if let Some(byte) = near.get_mut(flip) {
                *byte ^= 0x81;
            }
            for bytes in [&answer, &near] {
                let _ = metadata(bytes, "t");
                let _ = produced(bytes);
                let _ = handshaken(bytes);
                let _ = authenticated(bytes);
                let _ = answered(bytes);
            }
        }
    }
}
