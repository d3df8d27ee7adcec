//! Outputs over a network, seen from both ends: what real receivers have afterwards, and what a run is like when its
//! receivers fail.

mod harness;

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpStream, UdpSocket};
use std::process::Stdio;
use std::time::{Duration, Instant};

use harness::receiver::{Manner, PATIENCE, Receiver, escaped, fetched, get, rude};
use harness::server::free_port;
use harness::{Folder, Ran, unbroken};
use netload_target::{Running, Target, TargetConfig};
use serde_json::Value;

/// Two iterations with a metric of every kind, so that every number is known.
const SCRIPT: &str = "
import http from 'k6/http';
import { check } from 'k6';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const time = new Trend('my_time', true), plain = new Trend('my_plain');
const counter = new Counter('my_counter'), gauge = new Gauge('my_gauge'), rate = new Rate('my_rate');
export const options = { vus: 1, iterations: 2, tags: { testid: 'a b' } };
export default function () {
  check(http.get(__ENV.TARGET), { 'is ok': (r) => r.status === 200 });
  time.add(500 * (1 + __ITER)); plain.add(8); counter.add(2.5); gauge.add(__ITER - 7); rate.add(__ITER);
}
";

fn target() -> Running {
    Target::start(TargetConfig::default()).unwrap()
}

/// Runs the script with these outputs and variables.
fn run(outputs: &[&str], variables: &[(&str, &str)]) -> Ran {
    let target = target();
    let folder = Folder::with_script(SCRIPT);
    let url = format!("TARGET=http://{}/", target.addr());
    let mut arguments = vec!["run", "--quiet", "-e", &url];
    outputs
        .iter()
        .for_each(|output| arguments.extend(["--out", output]));
    arguments.push("script.js");
    let mut command = folder.command(&arguments);
    command.envs(variables.iter().copied());
    let ran: Ran = command.output().unwrap().into();
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    let told = unbroken(&ran.stdout);
    assert!(!told.contains("not delivered"), "{told}");
    ran
}

/// An InfluxDB that lets in `ann` alone, with two databases; it is written to as to version 1 and as to version 2.
fn influxdb() -> Option<Receiver> {
    let program = fetched("influxd")?;
    let influx = Receiver::start(program.to_str().unwrap(), 2, |folder, ports| {
        let path = folder.path().display();
        let text = format!(
            "bind-address = \"127.0.0.1:{}\"\nreporting-disabled = true\n[meta]\ndir = \"{path}/meta\"\n\
             [data]\ndir = \"{path}/data\"\nwal-dir = \"{path}/wal\"\n\
             [http]\nbind-address = \"127.0.0.1:{}\"\nauth-enabled = true\n[monitor]\nstore-enabled = false\n",
            ports[0], ports[1]
        );
        folder.write("influx.toml", &text);
        vec!["-config".to_owned(), format!("{path}/influx.toml")]
    })?;
    query(
        &influx,
        "CREATE USER ann WITH PASSWORD 'secret' WITH ALL PRIVILEGES",
    );
    query(&influx, "CREATE DATABASE two");
    Some(influx)
}

fn query(influx: &Receiver, text: &str) -> Value {
    let target = format!("/query?u=ann&p=secret&q={}", escaped(text));
    let answer: Value = serde_json::from_str(&get(influx.ports[1], &target)).unwrap();
    assert_eq!(answer["error"], Value::Null, "{text}");
    answer["results"][0]["series"][0]["values"][0][1].clone()
}

/// Everything the script records is in a database.
fn has_every_sample(influx: &Receiver, database: &str) {
    let ask = |what: &str, metric: &str, filter: &str| {
        let text = format!("SELECT {what} FROM {database}.autogen.{metric} {filter}");
        query(influx, &text)
    };
    assert_eq!(ask("sum(value)", "my_counter", "WHERE testid = 'a b'"), 5.0);
    assert_eq!(ask("last(value)", "my_gauge", ""), -6.0);
    assert_eq!(ask("sum(passes)", "my_rate", ""), 1);
    assert_eq!(ask("sum(total)", "my_rate", ""), 2);
    assert_eq!(ask("sum(count)", "my_time", ""), 2);
    assert_eq!(ask("max(max)", "my_time", ""), 1000.0);
    assert_eq!(ask("sum(value)", "http_reqs", "WHERE status = '200'"), 2.0);
    let passes = ask("sum(passes)", "checks", "WHERE \"check\" = 'is ok'");
    assert_eq!(passes, 2);
}

#[test]
fn influxdb_has_every_sample() {
    let Some(influx) = influxdb() else { return };
    let address = format!("influxdb=http://127.0.0.1:{}", influx.ports[1]);
    run(
        &[&format!("{address}/one,username=ann,password=secret")],
        &[],
    );
    has_every_sample(&influx, "one");
    let bucket = format!("{address},organization=any,bucket=two/autogen");
    run(&[&format!("{bucket},token=ann:secret")], &[]);
    has_every_sample(&influx, "two");
    for wrong in [
        format!("{address}/one,username=ann,password=guess"),
        format!("{bucket},token=ann:guess"),
    ] {
        let folder = Folder::with_script("export default () => {}");
        let ran = folder.run(&["run", "--quiet", "--out", &wrong, "script.js"]);
        let told = unbroken(&ran.stdout);
        assert!(told.contains("samples were not delivered"), "{told}");
        assert!(told.contains("authorization failed"), "{told}");
    }
}

fn prometheus() -> Option<Receiver> {
    Receiver::start("prometheus", 1, |folder, ports| {
        folder.write("prometheus.yml", "global: { scrape_interval: 1s }\n");
        vec![
            "--config.file=prometheus.yml".to_owned(),
            "--storage.tsdb.path=data".to_owned(),
            format!("--web.listen-address=127.0.0.1:{}", ports[0]),
            "--web.enable-remote-write-receiver".to_owned(),
            "--enable-feature=native-histograms".to_owned(),
        ]
    })
}

/// What an instant query finds: one value, a number or a native histogram.
fn ask(prometheus: &Receiver, query: &str) -> Value {
    let answer = prometheus.get(&format!("/api/v1/query?query={}", escaped(query)));
    let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
    let found = &answer["data"]["result"][0];
    match &found["value"][1] {
        Value::Null => found["histogram"][1].clone(),
        value => value.clone(),
    }
}

#[test]
fn prometheus_has_k6s_series_and_native_histograms() {
    let Some(prometheus) = prometheus() else {
        return;
    };
    let url = format!(
        "prometheus-rw=http://127.0.0.1:{}/api/v1/write",
        prometheus.ports[0]
    );
    run(
        &[&url],
        &[("K6_PROMETHEUS_RW_TREND_STATS", "p(99),max,count,sum")],
    );
    let asked = |query: &str| ask(&prometheus, query);
    assert_eq!(asked("k6_my_counter_total{testid='a b'}"), "5");
    assert_eq!(asked("k6_my_gauge"), "-6");
    assert_eq!(asked("k6_my_rate_rate"), "0.5");
    assert_eq!(asked("k6_my_time_p99"), "0.995");
    assert_eq!(asked("k6_my_time_max"), "1");
    assert_eq!(asked("k6_my_time_sum"), "1.5");
    assert_eq!(asked("k6_my_plain_count"), "2");
    assert_eq!(asked("k6_http_reqs_total{status='200'}"), "2");
    assert_eq!(asked("k6_checks_rate{check='is ok'}"), "1");
    let native = [
        ("K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM", "true"),
        ("K6_PROMETHEUS_RW_STALE_MARKERS", "false"),
    ];
    run(&[&url], &native);
    let time = asked("k6_my_time_seconds");
    assert_eq!((&time["count"], &time["sum"]), (&"2".into(), &"1.5".into()));
    assert_eq!(asked("histogram_count(k6_my_plain)"), "2");
    let median = asked("histogram_quantile(0.25, k6_my_time_seconds)");
    let median: f64 = median.as_str().unwrap().parse().unwrap();
    assert!((median / 0.5 - 1.0).abs() < 0.003, "{median}");
    // The end of a series is told: then no instant query finds it.
    run(&[&url], &[("K6_PROMETHEUS_RW_STALE_MARKERS", "true")]);
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(asked("k6_my_time_p99"), Value::Null);
}

#[test]
fn prometheus_can_scrape_a_running_test() {
    let port = free_port();
    let Some(prometheus) = Receiver::start("prometheus", 1, |folder, ports| {
        let text = format!(
            "global: {{ scrape_interval: 1s }}\nscrape_configs: [{{ job_name: x, static_configs: [{{ targets: \
             ['127.0.0.1:{port}'] }}] }}]\n"
        );
        folder.write("prometheus.yml", &text);
        vec![
            "--config.file=prometheus.yml".to_owned(),
            "--storage.tsdb.path=data".to_owned(),
            format!("--web.listen-address=127.0.0.1:{}", ports[0]),
        ]
    }) else {
        return;
    };
    let target = target();
    let url = format!("http://{}/", target.addr());
    let folder = Folder::new();
    let output = format!("prometheus=127.0.0.1:{port}");
    let arguments = [
        "hit",
        "--quiet",
        "-c",
        "1",
        "--rate",
        "20",
        "--duration",
        "60s",
        "--out",
        &output,
        &url,
    ];
    let mut running = folder
        .command(&arguments)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let query = escaped("k6_http_req_duration_seconds_count");
    prometheus.wait_for(&format!("/api/v1/query?query={query}"), |answer| {
        answer.contains("\"value\"")
    });
    let page = get(port, "/metrics");
    assert!(
        page.contains("# TYPE k6_http_reqs_total counter\n"),
        "{page}"
    );
    assert!(get(port, "/other").contains("/metrics"));
    running.kill().unwrap();
    running.wait().unwrap();
}

#[test]
fn graphite_has_every_value() {
    let Some(carbon) = Receiver::start("carbon-cache", 3, |folder, ports| {
        let path = folder.path().display();
        let text = format!(
            "[cache]\nSTORAGE_DIR = {path}/\nCONF_DIR = {path}/\nLOG_DIR = {path}/\nPID_DIR = {path}/\n\
             LOCAL_DATA_DIR = {path}/whisper/\nWHITELISTS_DIR = {path}/\nMAX_UPDATES_PER_SECOND = inf\n\
             MAX_CREATES_PER_MINUTE = inf\nLINE_RECEIVER_INTERFACE = 127.0.0.1\nLINE_RECEIVER_PORT = {}\n\
             PICKLE_RECEIVER_INTERFACE = 127.0.0.1\nPICKLE_RECEIVER_PORT = {}\n\
             CACHE_QUERY_INTERFACE = 127.0.0.1\nCACHE_QUERY_PORT = {}\nENABLE_TAGS = False\n",
            ports[0], ports[1], ports[2]
        );
        folder.write("carbon.conf", &text);
        folder.write(
            "storage-schemas.conf",
            "[all]\npattern = .*\nretentions = 1s:1h\n",
        );
        ["--debug", "--nodaemon", "--config", "carbon.conf", "start"]
            .map(str::to_owned)
            .to_vec()
    }) else {
        return;
    };
    let output = format!("graphite=127.0.0.1:{},enable_tags=false", carbon.ports[0]);
    run(&[&output], &[]);
    let file = carbon.folder.path().join("whisper/k6/my_time/count.wsp");
    let until = Instant::now() + PATIENCE;
    while !file.is_file() {
        assert!(Instant::now() < until, "{} never came", file.display());
        std::thread::sleep(Duration::from_millis(100));
    }
    assert!(
        carbon
            .folder
            .path()
            .join("whisper/k6/my_counter.wsp")
            .is_file()
    );
}

#[test]
fn statsd_receivers_count_every_sample() {
    let receiver = UdpSocket::bind("127.0.0.1:0").unwrap();
    receiver
        .set_read_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    let address = receiver.local_addr().unwrap().to_string();
    run(&["datadog"], &[("K6_DATADOG_ADDR", &address)]);
    let mut text = String::new();
    let mut bytes = [0; 2_000];
    while !text.contains("k6.my_rate.passes") || !text.contains("k6.iterations:") {
        let read = receiver.recv(&mut bytes).unwrap();
        text += std::str::from_utf8(&bytes[..read]).unwrap();
    }
    assert!(
        text.contains("k6.my_counter:5|c|#scenario:default,testid:a b\n"),
        "{text}"
    );
    assert!(text.contains("k6.my_time:1000|ms|#"), "{text}");
    assert!(text.contains("k6.my_gauge:-6|g|#"), "{text}");
}

#[test]
fn statsd_has_every_value() {
    let Some(program) = fetched("node_modules/statsd/stats.js") else {
        return;
    };
    let program = program.display().to_string();
    let Some(statsd) = Receiver::start("node", 2, |folder, ports| {
        let text = format!(
            "{{ address: '127.0.0.1', port: {}, mgmt_address: '127.0.0.1', mgmt_port: {}, flushInterval: 600000, \
             backends: [] }}",
            ports[0], ports[1]
        );
        folder.write("config.js", &text);
        vec![program.clone(), "config.js".to_owned()]
    }) else {
        return;
    };
    run(&[&format!("statsd=127.0.0.1:{}", statsd.ports[0])], &[]);
    let shown = |what: &str, wanted: &[&str]| {
        let until = Instant::now() + PATIENCE;
        loop {
            let text = managed(statsd.ports[1], what);
            if wanted.iter().all(|part| text.contains(part)) {
                return;
            }
            assert!(Instant::now() < until, "{what}: {text}");
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    shown(
        "counters",
        &[
            "'k6.my_counter': 5",
            "'k6.my_rate.passes': 1",
            "'k6.my_rate.fails': 1",
            "'k6.http_reqs': 2",
        ],
    );
    shown("gauges", &["'k6.my_gauge': -6"]);
    shown(
        "timers",
        &["'k6.my_time': [ 500, 1000 ]", "'k6.my_plain': [ 8, 8 ]"],
    );
}

/// What StatsD's management interface says to a command.
fn managed(port: u16, command: &str) -> String {
    let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    (&stream)
        .write_all(format!("{command}\n").as_bytes())
        .unwrap();
    let lines = BufReader::new(&stream).lines().map_while(Result::ok);
    lines
        .take_while(|line| line != "END")
        .collect::<Vec<_>>()
        .join(" ")
}

/// Requests per second of five seconds against a target, planned at 200/s, and what was said.
fn rate_with(outputs: &[String]) -> (f64, Ran) {
    let target = target();
    let url = format!("http://{}/", target.addr());
    let mut arguments = vec![
        "hit",
        "-c",
        "2",
        "--rate",
        "200",
        "--duration",
        "3s",
        "--format",
        "json",
    ];
    outputs
        .iter()
        .for_each(|output| arguments.extend(["--out", output]));
    arguments.push(&url);
    let ran = Folder::new().run(&arguments);
    let document: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|e| panic!("{e}: {}", ran.stderr));
    let requests = &document["metrics"]["http_reqs"]["values"]["count"];
    (requests.as_f64().unwrap(), ran)
}

#[test]
fn receivers_that_fail_cost_their_own_results_and_nothing_else() {
    let manners = [
        Manner::Hangs,
        Manner::Closes,
        Manner::Says(500),
        Manner::Says(400),
    ];
    let mut outputs: Vec<String> = Vec::new();
    for manner in manners {
        outputs.push(format!("influxdb=http://127.0.0.1:{}", rude(manner)));
        outputs.push(format!(
            "opentelemetry=http://127.0.0.1:{},export_interval=1s",
            rude(manner)
        ));
    }
    outputs.push(format!(
        "prometheus-rw=http://127.0.0.1:{}/w,push_interval=1s",
        free_port()
    ));
    outputs.push(format!(
        "graphite=127.0.0.1:{},push_interval=1s",
        free_port()
    ));
    outputs.push("influxdb=http://no.such.host.invalid:1".to_owned());
    let started = Instant::now();
    let (requests, ran) = rate_with(&outputs);
    // One receiver after the other would have taken minutes. A busy machine may drop starts; then they are counted.
    assert!(started.elapsed() < PATIENCE, "{:?}", started.elapsed());
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    let dropped = &document["metrics"]["dropped_iterations"]["values"]["count"];
    let planned = requests + dropped.as_f64().unwrap_or_default();
    assert!((590.0..=600.0).contains(&planned), "{planned}");
    let deliveries = document["deliveries"].as_array().unwrap();
    assert_eq!(deliveries.len(), outputs.len());
    for delivery in deliveries {
        assert_eq!(delivery["lost"], delivery["offered"], "{delivery}");
        assert!(delivery["offered"].as_u64().unwrap() > 0, "{delivery}");
        assert!(delivery["reason"].is_string(), "{delivery}");
    }
    assert!(ran.stderr.contains("cannot deliver: "), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("was refused: status 400 no thanks"),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_summary_says_what_was_lost() {
    let target = target();
    let url = format!("http://{}/", target.addr());
    let output = format!("influxdb=http://127.0.0.1:{}", rude(Manner::Says(401)));
    let ran = Folder::new().run(&["hit", "--quiet", "-n", "10", "--out", &output, &url]);
    assert_eq!(ran.code, 0);
    let text = unbroken(&ran.stdout);
    assert!(
        text.contains("samples were not delivered (status 401 no thanks)"),
        "{text}"
    );
}

#[test]
fn wrong_arguments_end_the_run_before_it_starts() {
    let refused = |output: &str| {
        let ran = Folder::with_script(SCRIPT).run(&["run", "--out", output, "script.js"]);
        assert_ne!(ran.code, 0);
        ran.stderr
    };
    let text = refused("influxdb=http://127.0.0.1:1,pushInterva=1s");
    assert!(text.contains("did you mean `push_interval`?"), "{text}");
    assert!(refused("graphite=nowhere").contains("use HOST:PORT"));
    assert!(refused("influx=x").contains("did you mean `influxdb`?"));
    assert!(
        refused("prometheus-rw=http://h,trend_stats=p99").contains("trend_stats: `p99` is none of")
    );
}
