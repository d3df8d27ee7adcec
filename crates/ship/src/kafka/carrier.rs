//! The way to a topic: who leads which partition, connections to the leaders, and what they answer.
//!
//! Parcels go round the partitions. Invariant: after any failure the connection is closed and the leaders are asked for
//! anew, as a broker that has stepped down says no more than an error.

use std::future::poll_fn;
use std::rc::Rc;
use std::time::Duration;

use aws_lc_rs::rand;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use netload_net::{Clock, Connection, Dialer, Origin, VuLocal};

use super::scram::{self, Scram};
use super::wire::{self, Malformed};
use super::{KafkaRoute, Login, Mechanism};
use crate::carrier::{ATTEMPT_LIMIT, Refusal};

/// Bytes of an answer: about one topic, or one write.
const ANSWER_LIMIT_BYTES: usize = 1024 * 1024;
/// How often a topic that is being made is asked for, and the pause between.
const ASKED_LIMIT: u32 = 20;
const ASK_AGAIN: Duration = Duration::from_millis(100);

/// Errors of the protocol that pass when a cluster has sorted itself out, or that a newer view of it avoids.
const PASSING: [i16; 14] = [-1, 3, 5, 6, 7, 8, 9, 13, 14, 15, 16, 19, 20, 56];
/// A topic that nobody has made yet, or that is being made.
const NOT_YET: [i16; 2] = [3, 5];

/// What errors mean, in words; others are told by their number.
const WORDS: [(i16, &str); 13] = [
    (3, "there is no such topic, and the broker makes none"),
    (5, "the partition has no leader"),
    (6, "the broker does not lead the partition any more"),
    (7, "its replicas did not answer in time"),
    (10, "the batch is larger than the broker takes"),
    (17, "the name of the topic is not allowed"),
    (18, "the batch is larger than the broker takes"),
    (19, "too few replicas are in sync"),
    (20, "too few replicas are in sync"),
    (29, "this user may not write into the topic"),
    (31, "this user may not do that"),
    (33, "it does not know this auth_mechanism"),
    (58, "user or password is wrong"),
];

/// Writes into a topic.
pub(crate) struct KafkaCarrier {
    route: KafkaRoute,
    dialer: Rc<Dialer>,
    local: VuLocal,
    clock: Clock,
    /// Partitions with their leaders; empty when they must be asked for.
    leaders: Vec<(i32, Origin)>,
    links: Vec<(Origin, Link)>,
    turn: usize,
}

/// A connection on which we may speak.
struct Link {
    connection: Connection,
    correlation: i32,
}

impl KafkaCarrier {
    pub(crate) fn new(route: KafkaRoute) -> Self {
        let clock = Clock::new();
        let dialer = Dialer::new(route.network.clone(), clock.clone());
        Self {
            local: dialer.vu_local(1),
            dialer,
            clock,
            route,
            leaders: Vec::new(),
            links: Vec::new(),
            turn: 0,
        }
    }

    /// Writes lines and waits until the partition's replicas have them.
    pub(crate) async fn deliver(&mut self, lines: &[u8]) -> Result<(), Refusal> {
        let attempt = tokio::time::timeout(ATTEMPT_LIMIT, self.attempt(lines)).await;
        let result = attempt.unwrap_or_else(|_| Err(again("the broker does not answer")));
        if result.is_err() {
            self.leaders.clear();
            self.links.clear();
        }
        result
    }

    async fn attempt(&mut self, lines: &[u8]) -> Result<(), Refusal> {
        if self.leaders.is_empty() {
            self.find_leaders().await?;
        }
        self.turn = (self.turn + 1) % self.leaders.len();
        let (partition, leader) = self.leaders[self.turn].clone();
        let unix_ms = self.clock.unix_ns(self.clock.now_ns()) / 1_000_000;
        let topic = self.route.topic.clone();
        let link = self.link(&leader).await?;
        let ask = |correlation| {
            wire::produce_request(correlation, &topic, partition, lines, unix_ms as i64)
        };
        let answer = link.ask(ask).await?;
        refused(wire::produced(&answer)?)
    }

    /// Asks the brokers, one after the other, who leads the partitions of the topic.
    async fn find_leaders(&mut self) -> Result<(), Refusal> {
        let mut refusal = again("there is no broker");
        for broker in self.route.brokers.clone() {
            match self.ask_for_leaders(&broker).await {
                Ok(leaders) => {
                    self.leaders = leaders;
                    return Ok(());
                }
                Err(error) => refusal = error,
            }
        }
        Err(refusal)
    }

    async fn ask_for_leaders(&mut self, broker: &Origin) -> Result<Vec<(i32, Origin)>, Refusal> {
        let topic = self.route.topic.clone();
        let link = self.link(broker).await?;
        let mut asked = 1;
        let metadata = loop {
            let answer = link.ask(|n| wire::metadata_request(n, &topic)).await?;
            let metadata = wire::metadata(&answer, &topic)?;
            let is_being_made = NOT_YET.contains(&metadata.error) || metadata.leaders.is_empty();
            if !is_being_made || asked == ASKED_LIMIT {
                break metadata;
            }
            asked += 1;
            tokio::time::sleep(ASK_AGAIN).await;
        };
        refused(metadata.error)?;
        let origin = |leader: i32| {
            let known = metadata.brokers.iter().find(|(id, ..)| *id == leader);
            known.map(|(_, host, port)| Origin::new(broker.scheme, host, *port))
        };
        let leaders = metadata.leaders.iter();
        let leaders: Vec<_> = leaders
            .filter_map(|(p, leader)| Some((*p, origin(*leader)?)))
            .collect();
        if leaders.is_empty() {
            return Err(again("no partition of the topic has a leader"));
        }
        Ok(leaders)
    }

    /// The connection to a broker, made and let in if there is none. There are as many as brokers lead partitions.
    async fn link(&mut self, broker: &Origin) -> Result<&mut Link, Refusal> {
        let known = self.links.iter().position(|(origin, _)| origin == broker);
        let at = match known {
            Some(at) if !self.links[at].1.connection.is_stale() => at,
            stale => {
                if let Some(at) = stale {
                    self.links.swap_remove(at);
                }
                let connection = self.dialer.connect(broker, &self.local).await;
                let mut link = Link {
                    connection: connection
                        .map_err(|e| again(&format!("{}: {}", place(broker), e.detail())))?,
                    correlation: 0,
                };
                if let Some(login) = &self.route.login {
                    link.log_in(login).await?;
                }
                self.links.push((broker.clone(), link));
                self.links.len() - 1
            }
        };
        Ok(&mut self.links[at].1)
    }
}

impl Link {
    /// Sends a request and returns what the broker answers to it.
    async fn ask(&mut self, request: impl Fn(i32) -> Vec<u8>) -> Result<Vec<u8>, Refusal> {
        self.correlation = self.correlation.wrapping_add(1);
        let bytes = request(self.correlation);
        let mut done = 0;
        poll_fn(|cx| self.connection.poll_write_all(cx, &bytes, &mut done))
            .await
            .map_err(|e| again(&e.to_string()))?;
        let length = self.read(4).await?;
        let length = i32::from_be_bytes(length.try_into().map_err(|_| Malformed)?);
        let length = usize::try_from(length)
            .ok()
            .filter(|l| *l <= ANSWER_LIMIT_BYTES);
        let frame = self.read(length.ok_or(Malformed)?).await?;
        match wire::answered(&frame)? {
            (number, answer) if number == self.correlation => Ok(answer.to_vec()),
            _ => Err(Malformed.into()),
        }
    }

    async fn read(&mut self, length: usize) -> Result<Vec<u8>, Refusal> {
        let mut bytes = vec![0; length];
        let mut done = 0;
        while done < length {
            let rest = &mut bytes[done..];
            let read = poll_fn(|cx| self.connection.poll_read(cx, rest)).await;
            match read.map_err(|e| again(&e.to_string()))?.bytes {
                0 => return Err(again("the broker closed the connection")),
                more => done += more,
            }
        }
        Ok(bytes)
    }

    async fn log_in(&mut self, login: &Login) -> Result<(), Refusal> {
        let mechanism = login.mechanism.name();
        let answer = self.ask(|n| wire::handshake_request(n, mechanism)).await?;
        let (error, known) = wire::handshaken(&answer)?;
        if error == 33 {
            let known = known.join(", ");
            let text = format!("it does not take the auth_mechanism {mechanism}, but {known}");
            return Err(Refusal::Final(text));
        }
        refused(error)?;
        match login.mechanism {
            Mechanism::Plain => {
                let step = format!("\0{}\0{}", login.user, login.password);
                self.step(&step).await.map(|_| ())
            }
            Mechanism::Scram(hash) => {
                let mut random = [0; 18];
                rand::fill(&mut random).map_err(|_| again("the system has no randomness"))?;
                let scram = Scram::new(hash, &login.user, &STANDARD_NO_PAD.encode(random));
                let challenge = self.step(&scram.first()).await?;
                let challenge = String::from_utf8(challenge).map_err(|_| Malformed)?;
                let (last, expected) = scram
                    .last(&challenge, &login.password)
                    .map_err(Refusal::Final)?;
                let proof = self.step(&last).await?;
                match scram::is_proof(&proof, &expected) {
                    true => Ok(()),
                    false => Err(Refusal::Final(
                        "it does not know the password itself".to_owned(),
                    )),
                }
            }
        }
    }

    async fn step(&mut self, step: &str) -> Result<Vec<u8>, Refusal> {
        let answer = self
            .ask(|n| wire::authenticate_request(n, step.as_bytes()))
            .await?;
        match wire::authenticated(&answer)? {
            Ok(step) => Ok(step.to_vec()),
            Err(text) => Err(Refusal::Final(format!("it does not let us in: {text}"))),
        }
    }
}

impl From<Malformed> for Refusal {
    fn from(_: Malformed) -> Self {
        again("the answer is not one of Kafka's")
    }
}

fn again(reason: &str) -> Refusal {
    Refusal::Again(reason.to_owned())
}

fn place(broker: &Origin) -> String {
    let text = broker.to_string();
    text.split_once("://")
        .map_or(text.clone(), |(_, place)| place.to_owned())
}

/// What an error of the protocol means for a parcel.
fn refused(error: i16) -> Result<(), Refusal> {
    if error == 0 {
        return Ok(());
    }
    let words = WORDS.iter().find(|(code, _)| *code == error);
    let text = words.map_or(format!("the broker's error {error}"), |(_, words)| {
        (*words).to_owned()
    });
    match PASSING.contains(&error) {
        true => Err(Refusal::Again(text)),
        false => Err(Refusal::Final(text)),
    }
}
