//! Secrets from a server: one request per key, asked as often as the server allows, kept for the rest of the run.
//!
//! The requests are made on one thread of their own per source, so that they neither load nor delay a worker, and they
//! are not part of the test's numbers. Invariant: a key is asked for by one request at a time, however many VUs wait.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use netload_http::{Request, Url};
use netload_net::Clock;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde_json::Value as Json;
use tokio::sync::{mpsc, oneshot};

use super::Answer;
use super::parse::text_of;
use crate::{gjson, plain_request};

/// Questions that wait to be taken; more wait in their VUs.
const QUESTIONS_QUEUED: usize = 1_024;
/// Values kept; beyond it keys are asked for again and again.
const VALUES_KEPT: usize = 100_000;
/// Longest pause before another attempt.
const BACKOFF_AT_MOST: Duration = Duration::from_secs(60);
/// The part of the address that the key takes the place of.
const PLACEHOLDER: &str = "{key}";
/// What variables that configure a source begin with.
const VARIABLE: &str = "K6_SECRET_SOURCE_URL_";
/// The keys of a configuration, as they are typed and in a file, with their variables.
const KEYS: [(&str, &str); 8] = [
    ("urlTemplate", "URL_TEMPLATE"),
    ("method", "METHOD"),
    ("responsePath", "RESPONSE_PATH"),
    ("timeout", "TIMEOUT"),
    ("maxRetries", "MAX_RETRIES"),
    ("retryBackoff", "RETRY_BACKOFF"),
    ("requestsPerMinuteLimit", "REQUESTS_PER_MINUTE_LIMIT"),
    ("requestsBurst", "REQUESTS_BURST"),
];

/// How a server is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServerConfig {
    /// The address with [`PLACEHOLDER`].
    template: String,
    method: String,
    headers: BTreeMap<String, String>,
    /// Where in a JSON answer the value is, as a GJSON path; all of the answer when empty.
    response_path: String,
    timeout: Duration,
    /// Further attempts after a failure that may pass.
    retries: u32,
    /// The pause before the first of them; each further one is twice as long.
    backoff: Duration,
    per_minute: u32,
    burst: u32,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            template: String::new(),
            method: "GET".to_owned(),
            headers: BTreeMap::new(),
            response_path: String::new(),
            timeout: Duration::from_secs(30),
            retries: 3,
            backoff: Duration::from_secs(1),
            per_minute: 300,
            burst: 10,
        }
    }
}

impl ServerConfig {
    /// What was typed wins over the file that it names with `config=`, that over the variables.
    pub(super) fn read(
        parts: &[&str],
        environment: &BTreeMap<String, String>,
    ) -> Result<Self, String> {
        let mut config = Self::default();
        for (key, variable) in KEYS {
            let name = format!("{VARIABLE}{variable}");
            if let Some(text) = environment.get(&name).filter(|text| !text.is_empty()) {
                config.set(key, text).map_err(|e| format!("{name}: {e}"))?;
            }
        }
        for (name, value) in environment {
            if let Some(header) = name.strip_prefix(&format!("{VARIABLE}HEADER_")) {
                config.headers.insert(header.to_owned(), value.clone());
            }
        }
        let mut typed = Vec::new();
        for part in parts {
            match part.split_once('=') {
                Some(("config", path)) => config.read_file(path)?,
                Some(pair) => typed.push(pair),
                None => return Err(format!("`{part}` has no `=`; write urlTemplate=ADDRESS")),
            }
        }
        for (key, value) in typed {
            config.set(key, value)?;
        }
        if config.template.is_empty() {
            return Err(
                "the address is missing; write urlTemplate=https://host/path/{key}".to_owned(),
            );
        }
        if !config.template.contains(PLACEHOLDER) {
            return Err(format!(
                "the address `{}` does not say where the key goes; write {PLACEHOLDER} there",
                config.template
            ));
        }
        Url::parse(&config.address("key")).map_err(|e| e.detail())?;
        Ok(config)
    }

    fn read_file(&mut self, path: &str) -> Result<(), String> {
        let text = text_of(path)?;
        let json: Json =
            serde_json::from_str(&text).map_err(|e| format!("{path} is not JSON: {e}"))?;
        let Json::Object(members) = json else {
            return Err(format!("{path} holds no object"));
        };
        for (key, value) in members {
            let told = |e: String| format!("{path}: {key}: {e}");
            match (key.as_str(), &value) {
                ("headers", Json::Object(headers)) => {
                    for (name, value) in headers {
                        let text = value
                            .as_str()
                            .ok_or_else(|| told(format!("{name} is no text")))?;
                        self.headers.insert(name.clone(), text.to_owned());
                    }
                }
                (_, Json::String(text)) => self.set(&key, text).map_err(told)?,
                (_, Json::Number(number)) => self.set(&key, &number.to_string()).map_err(told)?,
                _ => return Err(told("it must be a text or a number".to_owned())),
            }
        }
        Ok(())
    }

    fn set(&mut self, key: &str, text: &str) -> Result<(), String> {
        let count = || -> Result<u32, String> {
            text.parse()
                .map_err(|_| format!("{key}: `{text}` is not a whole number from 0"))
        };
        let duration = || -> Result<Duration, String> {
            let ns = netload_plan::duration::parse_go(text).map_err(|e| format!("{key}: {e}"))?;
            Ok(Duration::from_nanos(ns))
        };
        match key {
            "urlTemplate" => self.template = text.to_owned(),
            "method" => self.method = text.to_owned(),
            "responsePath" => self.response_path = text.to_owned(),
            "timeout" => self.timeout = duration()?,
            "maxRetries" => self.retries = count()?,
            "retryBackoff" => self.backoff = duration()?,
            "requestsPerMinuteLimit" => self.per_minute = count()?.max(1),
            "requestsBurst" => self.burst = count()?.max(1),
            _ => match key.strip_prefix("headers.") {
                Some(name) => {
                    self.headers.insert(name.to_owned(), text.to_owned());
                }
                None => {
                    let mut names: Vec<&str> = KEYS.iter().map(|(key, _)| *key).collect();
                    names.extend(["config", "headers.NAME"]);
                    let hint = netload_plan::names::hint(key, &names);
                    return Err(format!("`{key}` is not known here; {hint}"));
                }
            },
        }
        Ok(())
    }

    fn address(&self, key: &str) -> String {
        self.template.replace(PLACEHOLDER, key)
    }

    /// The pause before attempt `number` (from 1), without chance.
    fn pause(&self, number: u32) -> Duration {
        let factor = 1u32.checked_shl(number - 1).unwrap_or(u32::MAX);
        self.backoff.saturating_mul(factor).min(BACKOFF_AT_MOST)
    }
}

/// A question on its way to the thread.
struct Question {
    key: String,
    answer: oneshot::Sender<Result<String, String>>,
}

/// A server and the thread that asks it, which starts with the first question and ends with the source.
#[derive(Debug)]
pub(super) struct Server {
    config: Arc<ServerConfig>,
    questions: OnceLock<mpsc::Sender<Question>>,
}

impl Server {
    pub(super) fn new(config: ServerConfig) -> Self {
        Self {
            config: Arc::new(config),
            questions: OnceLock::new(),
        }
    }

    /// The value of a key, once it is known.
    pub(super) fn ask(&self, key: &str) -> Answer {
        let questions = self
            .questions
            .get_or_init(|| start(self.config.clone()))
            .clone();
        let key = key.to_owned();
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            let lost = || "the thread that asks for secrets has ended".to_owned();
            let question = Question { key, answer };
            questions.send(question).await.map_err(|_| lost())?;
            answered.await.map_err(|_| lost())?
        })
    }
}

fn start(config: Arc<ServerConfig>) -> mpsc::Sender<Question> {
    let (questions, asked) = mpsc::channel(QUESTIONS_QUEUED);
    // When there is no thread, the questions find nobody who takes them, and say so.
    let _ = std::thread::Builder::new()
        .name("secrets".into())
        .spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            if let Ok(runtime) = runtime {
                let tasks = tokio::task::LocalSet::new();
                tasks.block_on(&runtime, serve(config, asked));
            }
        });
    questions
}

/// Somebody who waits for the value of a key, or for why there is none.
type Waiting = oneshot::Sender<Result<String, String>>;

/// What the thread keeps.
struct State {
    config: Arc<ServerConfig>,
    clock: Clock,
    known: RefCell<HashMap<String, String>>,
    /// Who waits for a key that is being asked for.
    waiting: RefCell<HashMap<String, Vec<Waiting>>>,
    pace: RefCell<Pace>,
}

async fn serve(config: Arc<ServerConfig>, mut asked: mpsc::Receiver<Question>) {
    let state = Rc::new(State {
        pace: RefCell::new(Pace::new(config.per_minute, config.burst)),
        config,
        clock: Clock::new(),
        known: RefCell::default(),
        waiting: RefCell::default(),
    });
    while let Some(question) = asked.recv().await {
        let known = state.known.borrow().get(&question.key).cloned();
        if let Some(value) = known {
            // Whoever does not wait any more needs no answer.
            let _ = question.answer.send(Ok(value));
            continue;
        }
        let mut waiting = state.waiting.borrow_mut();
        if let Some(others) = waiting.get_mut(&question.key) {
            others.push(question.answer);
            continue;
        }
        waiting.insert(question.key.clone(), vec![question.answer]);
        drop(waiting);
        let state = state.clone();
        tokio::task::spawn_local(async move {
            let answer = state.attempts(&question.key).await;
            if let Ok(value) = &answer {
                let mut known = state.known.borrow_mut();
                if known.len() < VALUES_KEPT {
                    known.insert(question.key.clone(), value.clone());
                }
            }
            let waiting = state.waiting.borrow_mut().remove(&question.key);
            for one in waiting.unwrap_or_default() {
                let _ = one.send(answer.clone());
            }
        });
    }
}

/// Why an attempt gave nothing.
enum Refusal {
    /// Another attempt may succeed.
    Passing(String),
    /// It will not.
    Final(String),
}

impl State {
    async fn attempts(&self, key: &str) -> Result<String, String> {
        let mut number = 0;
        loop {
            let start_ns = self.pace.borrow_mut().start_ns(self.clock.now_ns());
            let wait_ns = start_ns.saturating_sub(self.clock.now_ns());
            tokio::time::sleep(Duration::from_nanos(wait_ns)).await;
            let reason = match self.attempt(key).await {
                Ok(value) => return Ok(value),
                Err(Refusal::Final(reason)) => return Err(reason),
                Err(Refusal::Passing(reason)) => reason,
            };
            if number >= self.config.retries {
                return Err(reason);
            }
            number += 1;
            let pause = self.config.pause(number);
            // So that many who failed together do not come back together.
            let mut random = SmallRng::seed_from_u64(self.clock.now_ns());
            let scatter = 1.0 + random.random::<f64>() / 2.0;
            tokio::time::sleep(pause.mul_f64(scatter)).await;
        }
    }

    async fn attempt(&self, key: &str) -> Result<String, Refusal> {
        let config = &self.config;
        let url = Url::parse(&config.address(key)).map_err(|e| Refusal::Final(e.detail()))?;
        let mut request = Request::new(&config.method, url);
        for (name, value) in &config.headers {
            request.headers.set(name, value.clone());
        }
        let told = |reason: String| format!("cannot get the secret '{key}': {reason}");
        let answer = plain_request::send(request, config.timeout)
            .await
            .map_err(|reason| Refusal::Passing(told(reason)))?;
        if answer.status != 200 {
            let reason = told(format!("the server answered {}", answer.status));
            return Err(match answer.status {
                429 | 500.. => Refusal::Passing(reason),
                _ => Refusal::Final(reason),
            });
        }
        let text = String::from_utf8(answer.body)
            .map_err(|_| Refusal::Final(told("the answer is not UTF-8 text".to_owned())))?;
        chosen(text, &config.response_path).map_err(|reason| Refusal::Final(told(reason)))
    }
}

/// The value in an answer.
fn chosen(text: String, path: &str) -> Result<String, String> {
    if path.is_empty() {
        return Ok(text);
    }
    if !gjson::is_valid(&text) {
        return Err("the answer is not JSON".to_owned());
    }
    let found =
        gjson::query(&text, path).ok_or_else(|| format!("the answer has nothing at {path}"))?;
    match gjson::as_text(&found) {
        Some(value) => Ok(value.into_owned()),
        None => Err(format!("what the answer has at {path} is no text")),
    }
}

/// How often requests may start: `burst` at once, then evenly.
#[derive(Debug)]
struct Pace {
    interval_ns: u64,
    ahead_ns: u64,
    /// When the next request starts if none is ahead of its time.
    next_ns: u64,
}

impl Pace {
    fn new(per_minute: u32, burst: u32) -> Self {
        let interval_ns = 60_000_000_000 / u64::from(per_minute);
        Self {
            interval_ns,
            ahead_ns: interval_ns * u64::from(burst - 1),
            next_ns: 0,
        }
    }

    /// When a request that is wanted now may start.
    fn start_ns(&mut self, now_ns: u64) -> u64 {
        let planned_ns = self.next_ns.max(now_ns);
        self.next_ns = planned_ns.saturating_add(self.interval_ns);
        planned_ns.saturating_sub(self.ahead_ns).max(now_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND_NS: u64 = 1_000_000_000;

    #[test]
    fn requests_start_in_a_burst_and_then_evenly() {
        let mut pace = Pace::new(60, 2);
        let now_ns = 100 * SECOND_NS;
        let starts: Vec<u64> = (0..4)
            .map(|_| (pace.start_ns(now_ns) - now_ns) / SECOND_NS)
            .collect();
        assert_eq!(starts, [0, 0, 1, 2]);
        let later_ns = now_ns + 60 * SECOND_NS;
        assert_eq!(pace.start_ns(later_ns), later_ns);
    }

    #[test]
    fn pauses_grow_up_to_a_limit() {
        let config = ServerConfig::default();
        let pauses: Vec<u64> = [1, 2, 3, 40].map(|n| config.pause(n).as_secs()).to_vec();
        assert_eq!(pauses, [1, 2, 4, 60]);
    }

    #[test]
    fn values_are_found_in_answers() {
        let json = r#"{"data":{"value":"s","number":5}}"#.to_owned();
        assert_eq!(chosen("s\n".to_owned(), ""), Ok("s\n".to_owned()));
        assert_eq!(chosen(json.clone(), "data.value"), Ok("s".to_owned()));
        for (text, path) in [
            (json.clone(), "data.number"),
            (json, "x"),
            ("no".to_owned(), "x"),
        ] {
            assert!(chosen(text, path).is_err(), "{path}");
        }
    }

    #[test]
    fn what_is_typed_wins_over_variables() {
        let mut environment = BTreeMap::new();
        for (name, value) in [
            ("URL_TEMPLATE", "http://h/{key}"),
            ("METHOD", "POST"),
            ("HEADER_X", "y"),
        ] {
            environment.insert(format!("{VARIABLE}{name}"), value.to_owned());
        }
        let config = ServerConfig::read(&["method=PUT", "headers.A=b c"], &environment).unwrap();
        assert_eq!(
            (config.address("k").as_str(), config.method.as_str()),
            ("http://h/k", "PUT")
        );
        assert_eq!(config.headers.len(), 2);
        for wrong in [
            "metod=PUT",
            "timeout=10",
            "maxRetries=-1",
            "urlTemplate=http://h/",
            "x",
        ] {
            assert!(
                ServerConfig::read(&[wrong], &environment).is_err(),
                "{wrong}"
            );
        }
    }
}
