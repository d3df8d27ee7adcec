//! What the form asks for, as a script and options: the request of a URL becomes a script of its own, so that every shape
//! of load fits and the user can take it away.

use netload_plan::{Layered, Options, Origin, Plan, Problem};
use netload_web::Refusal;
use serde_json::{Map, Value, json};

/// Longest script, in bytes.
const SCRIPT_AT_MOST: usize = 1 << 20;

/// A test that a page wants.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wanted {
    /// What the history calls it.
    pub(crate) title: String,
    /// The script.
    pub(crate) source: Source,
    /// Options that stand above those of the script.
    pub(crate) options: Value,
    /// Values for `__ENV`.
    pub(crate) env: Vec<(String, String)>,
    /// Labels in the history.
    pub(crate) labels: Vec<(String, String)>,
}

/// Where the script comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A file on this machine.
    File(String),
    /// This text.
    Text(String),
}

impl Wanted {
    /// Reads the document of a request.
    pub(crate) fn read(document: &Value) -> Result<Self, Refusal> {
        let target = &document["target"];
        let (title, source, is_request) = if let Some(file) = target["file"].as_str() {
            (file.to_owned(), Source::File(existing(file)?), false)
        } else if let Some(text) = target["script"].as_str() {
            (
                titled(document, "script from the page"),
                Source::Text(short(text)?),
                false,
            )
        } else if let Some(url) = target["url"].as_str() {
            let request = Request::read(url, target)?;
            (
                titled(document, &request.title()),
                Source::Text(request.script()),
                true,
            )
        } else {
            return Err(Refusal::wrong("nothing says what to test")
                .hint("`target` must have a `url`, a `file` or a `script`"));
        };
        let mut options = shape(&document["load"], is_request)?;
        if let Some(thresholds) = document["thresholds"].as_object().filter(|t| !t.is_empty()) {
            options["thresholds"] = thresholds.clone().into();
        }
        let wanted = Self {
            title,
            source,
            options,
            env: pairs(&document["env"], "env")?,
            labels: pairs(&document["labels"], "labels")?,
        };
        wanted.plan()?;
        Ok(wanted)
    }

    /// What its options come to; a script's own are not known here.
    pub(crate) fn plan(&self) -> Result<Plan, Refusal> {
        let refused = |problems: Vec<Problem>| {
            let sentences: Vec<String> = problems.iter().map(sentence).collect();
            Refusal::wrong(sentences.join("; "))
        };
        let (options, _) = Options::from_json(&self.options).map_err(refused)?;
        Plan::resolve(&Layered::new().with(Origin::CommandLine, options)).map_err(refused)
    }
}

fn sentence(problem: &Problem) -> String {
    let at = problem.path.trim_start_matches("options.");
    let hint = problem.hint.as_deref();
    let hint = hint.map(|hint| format!(" ({hint})")).unwrap_or_default();
    match at {
        "" => format!("{}{hint}", problem.message),
        at => format!("{at}: {}{hint}", problem.message),
    }
}

fn titled(document: &Value, otherwise: &str) -> String {
    let given = document["title"].as_str().filter(|t| !t.trim().is_empty());
    given.unwrap_or(otherwise).to_owned()
}

fn existing(file: &str) -> Result<String, Refusal> {
    let found = std::fs::canonicalize(file)
        .map_err(|e| Refusal::wrong(format!("cannot read the script `{file}`: {e}")))?;
    if !found.is_file() {
        return Err(Refusal::wrong(format!("`{file}` is not a file")));
    }
    let text = found.to_str().map(str::to_owned);
    text.ok_or_else(|| Refusal::wrong(format!("the path of `{file}` is not UTF-8")))
}

fn short(text: &str) -> Result<String, Refusal> {
    if text.trim().is_empty() {
        return Err(Refusal::wrong("the script is empty"));
    }
    if text.len() > SCRIPT_AT_MOST {
        return Err(Refusal::wrong("the script is longer than a mebibyte")
            .hint("give the path of its file instead"));
    }
    Ok(text.to_owned())
}

fn pairs(value: &Value, what: &str) -> Result<Vec<(String, String)>, Refusal> {
    let all = match value {
        Value::Null => return Ok(Vec::new()),
        Value::Object(all) => all,
        _ => {
            return Err(Refusal::wrong(format!(
                "`{what}` must be an object of texts"
            )));
        }
    };
    all.iter()
        .map(|(name, value)| match value.as_str() {
            Some(text) => Ok((name.clone(), text.to_owned())),
            None => Err(Refusal::wrong(format!("`{what}.{name}` must be a text"))),
        })
        .collect()
}

/// The load as options.
fn shape(load: &Value, is_request: bool) -> Result<Value, Refusal> {
    let name = load["shape"]
        .as_str()
        .unwrap_or(if is_request { "vus" } else { "script" });
    let of = |keys: &[&str]| -> Map<String, Value> {
        let given = keys.iter().filter(|key| !load[**key].is_null());
        given
            .map(|key| ((*key).to_owned(), load[*key].clone()))
            .collect()
    };
    let scenario = |executor: &str, mut fields: Map<String, Value>| {
        fields.insert("executor".to_owned(), executor.into());
        json!({ "scenarios": { "default": fields } })
    };
    let renamed = |mut fields: Map<String, Value>| {
        if let Some(vus) = fields.remove("vus") {
            fields.insert("preAllocatedVUs".to_owned(), vus);
        }
        if let Some(max) = fields.remove("max_vus") {
            fields.insert("maxVUs".to_owned(), max);
        }
        fields
    };
    Ok(match name {
        "script" if is_request => {
            return Err(Refusal::wrong(
                "a URL alone does not say how much load there should be",
            ));
        }
        "script" => json!({}),
        "vus" => Value::Object(of(&["vus", "duration"])),
        "ramp-vus" => scenario("ramping-vus", {
            let mut fields = of(&["stages"]);
            fields.insert(
                "startVUs".to_owned(),
                load["vus"].as_u64().unwrap_or(0).into(),
            );
            fields
        }),
        "iterations" => Value::Object(of(&["vus", "iterations", "duration"])),
        "rate" => scenario("constant-arrival-rate", {
            let mut fields = renamed(of(&["vus", "max_vus", "duration"]));
            let (rate, unit) = per(&load["rate"])?;
            fields.insert("rate".to_owned(), rate.into());
            fields.insert("timeUnit".to_owned(), unit.into());
            fields
        }),
        "ramp-rate" => scenario("ramping-arrival-rate", {
            let mut fields = renamed(of(&["vus", "max_vus", "stages"]));
            let (rate, unit) = per(&load["rate"])?;
            fields.insert("startRate".to_owned(), rate.into());
            fields.insert("timeUnit".to_owned(), unit.into());
            fields
        }),
        "manual" => scenario("externally-controlled", {
            let mut fields = of(&["vus", "max_vus", "duration"]);
            if let Some(max) = fields.remove("max_vus") {
                fields.insert("maxVUs".to_owned(), max);
            }
            fields
        }),
        other => {
            return Err(
                Refusal::wrong(format!("there is no load of the shape `{other}`")).hint(
                    "there are script, vus, ramp-vus, iterations, rate, ramp-rate and manual",
                ),
            );
        }
    })
}

/// A rate per second as a whole number and its unit of time.
fn per(rate: &Value) -> Result<(u64, &'static str), Refusal> {
    let given = match rate {
        Value::Null => Some(0.0),
        rate => rate.as_f64(),
    };
    let wrong = || Refusal::wrong("`rate` must be a number of iterations per second");
    let rate = given
        .filter(|r| (0.0..=1e9).contains(r))
        .ok_or_else(wrong)?;
    for (unit, seconds) in [("1s", 1.0), ("1m", 60.0), ("1h", 3_600.0)] {
        let count = rate * seconds;
        if (count - count.round()).abs() < 1e-6 {
            return Ok((count.round() as u64, unit));
        }
    }
    Err(wrong().hint("such as 100 or 0.5; at the finest, a whole number per hour"))
}

/// One request of the form.
struct Request {
    url: String,
    method: String,
    headers: Vec<(String, String)>,
    body: String,
    expect: Option<u64>,
}

impl Request {
    fn read(url: &str, target: &Value) -> Result<Self, Refusal> {
        let url = match url.trim() {
            "" => return Err(Refusal::wrong("the URL is empty")),
            url if url.contains("://") => url.to_owned(),
            url => format!("http://{url}"),
        };
        if !(url.starts_with("http://") || url.starts_with("https://")) {
            return Err(Refusal::wrong(format!(
                "`{url}` is not an http or https URL"
            )));
        }
        let method = target["method"].as_str().unwrap_or("GET").to_uppercase();
        if method.is_empty() || !method.bytes().all(|b| b.is_ascii_uppercase() || b == b'-') {
            return Err(Refusal::wrong(format!("`{method}` is not a method")));
        }
        Ok(Self {
            url,
            method,
            headers: pairs(&target["headers"], "headers")?,
            body: target["body"].as_str().unwrap_or_default().to_owned(),
            expect: target["expect"].as_u64(),
        })
    }

    fn title(&self) -> String {
        format!("{} {}", self.method, self.url)
    }

    fn script(&self) -> String {
        // JSON texts are JavaScript texts.
        let text = |s: &str| Value::from(s).to_string();
        let body = match self.body.as_str() {
            "" => "null".to_owned(),
            body => text(body),
        };
        let headers: Map<String, Value> = self
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), value.as_str().into()))
            .collect();
        let (name, test) = match self.expect {
            Some(status) => (
                format!("status is {status}"),
                format!("r.status === {status}"),
            ),
            None => (
                "status is below 400".to_owned(),
                "r.status > 0 && r.status < 400".to_owned(),
            ),
        };
        format!(
            "import http from 'k6/http';\nimport {{ check }} from 'k6';\n\n\
             const params = {{ headers: {} }};\n\n\
             export default function () {{\n  \
             const response = http.request({}, {}, {body}, params);\n  \
             check(response, {{ {}: (r) => {test} }});\n}}\n",
            Value::Object(headers),
            text(&self.method),
            text(&self.url),
            text(&name),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(document: Value) -> Result<Wanted, String> {
        Wanted::read(&document).map_err(|refusal| refusal.message)
    }

    #[test]
    fn a_url_becomes_a_script_that_checks_the_status() {
        let wanted = read(json!({
            "target": { "url": "localhost:8080/a", "headers": { "x-a": "\"b\"" }, "expect": 201 },
            "load": { "shape": "vus", "vus": 3, "duration": "5s" },
        }));
        let wanted = wanted.unwrap();
        assert_eq!(wanted.title, "GET http://localhost:8080/a");
        assert_eq!(
            wanted.source,
            Source::Text(
                "import http from 'k6/http';\nimport { check } from 'k6';\n\n\
                 const params = { headers: {\"x-a\":\"\\\"b\\\"\"} };\n\n\
                 export default function () {\n  \
                 const response = http.request(\"GET\", \"http://localhost:8080/a\", null, params);\n  \
                 check(response, { \"status is 201\": (r) => r.status === 201 });\n}\n"
                    .to_owned()
            )
        );
        assert_eq!(wanted.options, json!({ "vus": 3, "duration": "5s" }));
    }

    #[test]
    fn every_shape_makes_a_plan() {
        let stages = json!([{ "duration": "5s", "target": 10 }]);
        for load in [
            json!({ "shape": "vus", "vus": 3, "duration": "5s" }),
            json!({ "shape": "ramp-vus", "vus": 1, "stages": stages }),
            json!({ "shape": "iterations", "vus": 2, "iterations": 10 }),
            json!({ "shape": "rate", "rate": 100, "vus": 10, "max_vus": 20, "duration": "5s" }),
            json!({ "shape": "rate", "rate": 0.5, "vus": 1, "duration": "5s" }),
            json!({ "shape": "ramp-rate", "rate": 1, "vus": 10, "stages": stages }),
            json!({ "shape": "manual", "vus": 2, "max_vus": 20, "duration": "1m" }),
        ] {
            let wanted = read(json!({ "target": { "url": "http://a/" }, "load": load }));
            let plan = wanted
                .unwrap_or_else(|e| panic!("{load}: {e}"))
                .plan()
                .unwrap();
            assert_eq!(plan.scenarios.len(), 1, "{load}");
        }
    }

    #[test]
    fn wrong_forms_are_refused_with_the_field() {
        let refused = |document: Value, part: &str| {
            let message = read(document).unwrap_err();
            assert!(message.contains(part), "{message}");
        };
        let url = json!({ "url": "http://a/" });
        refused(json!({}), "nothing says what to test");
        refused(json!({ "target": { "url": "ftp://a/" } }), "not an http");
        refused(
            json!({ "target": { "file": "/nowhere/x.js" } }),
            "/nowhere/x.js",
        );
        refused(json!({ "target": url, "load": { "shape": "x" } }), "`x`");
        refused(
            json!({ "target": url, "load": { "shape": "vus", "vus": 0 } }),
            "vus",
        );
        refused(
            json!({ "target": url, "load": { "shape": "rate", "rate": 0.0001 } }),
            "rate",
        );
        refused(
            json!({ "target": url, "load": { "shape": "vus", "vus": 1, "duration": "x" } }),
            "duration",
        );
    }
}
