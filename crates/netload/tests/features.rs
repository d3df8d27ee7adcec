//! Outputs that are built in by a feature only, seen from the other end: a real broker of Kafka read by kcat, and a
//! Parquet file read by hyparquet. `cargo test -p netload --test features --features kafka,parquet` runs all of it.

#![cfg(any(feature = "kafka", feature = "parquet"))]

mod harness;

use std::process::Command;

use harness::receiver::fetched;
use harness::{Folder, Ran, unbroken};
use netload_target::{Target, TargetConfig};
use serde_json::Value;

/// Two iterations with a metric of every kind, so that every number is known.
const SCRIPT: &str = "
import http from 'k6/http';
import exec from 'k6/execution';
import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
const time = new Trend('my_time', true), counter = new Counter('my_counter');
const gauge = new Gauge('my_gauge'), rate = new Rate('my_rate');
export const options = { vus: 1, iterations: 2, tags: { testid: 'a \"b\"' } };
export default function () {
  http.get(__ENV.TARGET);
  exec.vu.metrics.metadata.trace = `t${__ITER}`;
  time.add(500 * (1 + __ITER)); counter.add(2.5, { extra: 'ü' }); gauge.add(__ITER - 7); rate.add(__ITER);
}
";

/// Runs the script with an output and variables.
fn run(folder: &Folder, output: &str, variables: &[(&str, &str)]) -> Ran {
    let target = Target::start(TargetConfig::default()).unwrap();
    let url = format!("TARGET=http://{}/", target.addr());
    folder.write("script.js", SCRIPT);
    let mut command = folder.command(&["run", "--quiet", "-e", &url, "--out", output, "script.js"]);
    command.envs(variables.iter().copied());
    let ran: Ran = command.output().unwrap().into();
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    ran
}

/// Whether the summary says that something was lost.
fn is_short(ran: &Ran) -> bool {
    unbroken(&ran.stdout).contains("samples were not delivered")
}

/// What a program of ours that reads something printed, as JSON.
fn printed(command: &mut Command) -> Vec<Value> {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line} {errors}")))
        .collect()
}

#[cfg(feature = "parquet")]
mod parquet {
    use super::*;

    /// Prints every row of the file as a line of JSON.
    const READER: &str = "
import { asyncBufferFromFile, parquetReadObjects } from 'HYPARQUET';
const file = await asyncBufferFromFile('samples.parquet');
for (const row of await parquetReadObjects({ file })) {
  console.log(JSON.stringify(row, (_, v) => typeof v === 'bigint' ? String(v) : v));
}
";

    #[test]
    fn a_file_has_every_sample_as_a_reader_of_others_sees_it() {
        let Some(module) = fetched("node_modules/hyparquet/src/node.js") else {
            return;
        };
        let folder = Folder::new();
        let tags = [("K6_SYSTEM_TAGS", "status,method,vu,iter")];
        run(&folder, "parquet=samples.parquet", &tags);
        let reader = READER.replace("HYPARQUET", module.to_str().unwrap());
        folder.write("reader.mjs", &reader);
        let mut node = Command::new("node");
        let rows = printed(node.arg("reader.mjs").current_dir(folder.path()));
        let of = |metric: &str| -> Vec<&Value> {
            rows.iter().filter(|row| row["metric"] == metric).collect()
        };
        let values = |metric: &str| -> Vec<f64> {
            of(metric)
                .iter()
                .map(|row| row["value"].as_f64().unwrap())
                .collect()
        };
        assert_eq!(values("my_time"), [500.0, 1000.0]);
        assert_eq!(values("my_counter"), [2.5, 2.5]);
        assert_eq!(values("my_gauge"), [-7.0, -6.0]);
        assert_eq!(values("my_rate"), [0.0, 1.0]);
        assert_eq!(values("http_reqs"), [1.0, 1.0]);
        let request = of("http_reqs")[0];
        assert_eq!(
            (&request["status"], &request["method"]),
            (&"200".into(), &"GET".into())
        );
        assert_eq!(
            (&request["vu"], &request["iter"]),
            (&"1".into(), &"0".into())
        );
        assert_eq!(request["extra_tags"]["testid"], "a \"b\"");
        assert_eq!(request["metadata"], serde_json::json!({}));
        let counted = of("my_counter")[1];
        assert_eq!(counted["extra_tags"]["extra"], "ü");
        assert_eq!(counted["metadata"]["trace"], "t1");
        assert_eq!(
            (&counted["status"], &counted["iter"]),
            (&Value::Null, &"1".into())
        );
        let year = request["time"].as_str().unwrap();
        assert!(year.starts_with("20"), "{year}");
    }
}

#[cfg(feature = "kafka")]
mod kafka {
    use std::path::Path;

    use super::*;
    use crate::harness::receiver::Receiver;

    const KEYS: &str = "broker.p12";
    const PASSWORD: &str = "changeit";

    /// A broker of one node, with an open listener, one that wants to know who is there, and one under TLS.
    fn properties(folder: &Path, ports: &[u16]) -> String {
        let (controller, guarded, secure, open) = (ports[0], ports[1], ports[2], ports[3]);
        let module = "org.apache.kafka.common.security";
        let guard = "listener.name.guarded";
        format!(
            "process.roles=broker,controller\nnode.id=1\ncontroller.quorum.voters=1@127.0.0.1:{controller}\n\
             listeners=OPEN://127.0.0.1:{open},CONTROLLER://127.0.0.1:{controller},GUARDED://127.0.0.1:{guarded},SECURE://127.0.0.1:{secure}\n\
             advertised.listeners=OPEN://127.0.0.1:{open},GUARDED://127.0.0.1:{guarded},SECURE://127.0.0.1:{secure}\n\
             listener.security.protocol.map=OPEN:PLAINTEXT,CONTROLLER:PLAINTEXT,GUARDED:SASL_PLAINTEXT,SECURE:SSL\n\
             ssl.keystore.location={KEYS}\nssl.keystore.password={PASSWORD}\nssl.keystore.type=PKCS12\n\
             controller.listener.names=CONTROLLER\ninter.broker.listener.name=OPEN\n\
             log.dirs={}/data\nnum.partitions=2\noffsets.topic.replication.factor=1\n\
             sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512\n\
             {guard}.plain.sasl.jaas.config={module}.plain.PlainLoginModule required user_ann=\"secret\";\n\
             {guard}.scram-sha-256.sasl.jaas.config={module}.scram.ScramLoginModule required;\n\
             {guard}.scram-sha-512.sasl.jaas.config={module}.scram.ScramLoginModule required;\n",
            folder.display()
        )
    }

    /// Makes the broker's key and certificate, and that again as a file of its own (`broker.pem`).
    fn certify(folder: &Path) {
        let key = "-genkeypair -alias broker -keyalg EC -dname CN=broker -ext san=ip:127.0.0.1";
        for what in [key, "-exportcert -alias broker -rfc -file broker.pem"] {
            let mut keytool = Command::new("keytool");
            keytool.args(what.split(' ')).args(["-storetype", "PKCS12"]);
            keytool.args(["-keystore", KEYS, "-storepass", PASSWORD]);
            let made = keytool.current_dir(folder).output().unwrap();
            assert!(made.status.success(), "{made:?}");
        }
    }

    fn broker() -> Option<Receiver> {
        let library = fetched("kafka/lib")?.join("*").display().to_string();
        Receiver::start("java", 4, |folder, ports| {
            certify(folder.path());
            folder.write("server.properties", &properties(folder.path(), ports));
            let mut format = Command::new("java");
            format.args(["-cp", &library, "kafka.tools.StorageTool", "format"]);
            format.args(["-t", "bmV0bG9hZC10ZXN0LWlkMQ", "-c", "server.properties"]);
            for mechanism in ["SCRAM-SHA-256", "SCRAM-SHA-512"] {
                format.args([
                    "--add-scram",
                    &format!("{mechanism}=[name=bob,password=secret]"),
                ]);
            }
            let formatted = format.current_dir(folder.path()).output().unwrap();
            assert!(formatted.status.success(), "{formatted:?}");
            let arguments = [
                "-Xmx256m",
                "-cp",
                &library,
                "kafka.Kafka",
                "server.properties",
            ];
            arguments.map(str::to_owned).to_vec()
        })
    }

    /// The messages of a topic, from its beginning to its present end.
    fn kcat(broker: &Receiver, topic: &str) -> Command {
        let mut kcat = Command::new("kcat");
        let address = format!("127.0.0.1:{}", broker.ports[3]);
        kcat.args([
            "-C",
            "-e",
            "-q",
            "-o",
            "beginning",
            "-b",
            &address,
            "-t",
            topic,
        ]);
        kcat
    }

    #[test]
    fn a_broker_has_every_series_in_either_format_and_lets_in_who_may() {
        let Some(broker) = broker() else { return };
        let folder = Folder::new();
        let open = broker.ports[3];
        let ran = run(
            &folder,
            &format!("kafka=brokers=127.0.0.1:{open},topic=json"),
            &[],
        );
        assert!(!is_short(&ran), "{} {}", ran.stdout, ran.stderr);
        let points = printed(&mut kcat(&broker, "json"));
        let of = |metric: &str| {
            points
                .iter()
                .filter(|p| p["metric"] == metric)
                .collect::<Vec<_>>()
        };
        let sum = |metric: &str, member: &str| -> f64 {
            let points = of(metric);
            points
                .iter()
                .map(|p| p["data"][member].as_f64().unwrap())
                .sum()
        };
        assert_eq!(sum("my_counter", "value"), 5.0);
        assert_eq!(of("my_gauge").last().unwrap()["data"]["value"], -6.0);
        assert_eq!(
            (sum("my_rate", "passes"), sum("my_rate", "total")),
            (1.0, 2.0)
        );
        assert_eq!(
            (sum("my_time", "count"), sum("my_time", "sum")),
            (2.0, 1500.0)
        );
        assert_eq!(sum("http_reqs", "value"), 2.0);
        let counted = of("my_counter")[0];
        assert_eq!(counted["type"], "Point");
        assert_eq!(counted["data"]["tags"]["testid"], "a \"b\"");
        assert_eq!(counted["data"]["tags"]["extra"], "ü");

        let output = format!(
            "xk6-kafka=brokers={{127.0.0.1:1,127.0.0.1:{open}}},topic=lines,format=influxdb"
        );
        run(&folder, &output, &[]);
        let lines = kcat(&broker, "lines").output().unwrap();
        let lines = String::from_utf8(lines.stdout).unwrap();
        assert!(
            lines.contains("my_counter,extra=ü,scenario=default,testid=a\\ \"b\" value="),
            "{lines}"
        );

        let guarded = format!("kafka=127.0.0.1:{},topic=guarded", broker.ports[1]);
        for (mechanism, user) in [
            ("plain", "ann"),
            ("scram-sha-256", "bob"),
            ("SCRAM-SHA-512", "bob"),
        ] {
            let known = [
                ("K6_KAFKA_AUTH_MECHANISM", mechanism),
                ("K6_KAFKA_SASL_USER", user),
                ("K6_KAFKA_SASL_PASSWORD", "secret"),
            ];
            let ran = run(&folder, &guarded, &known);
            assert!(
                !is_short(&ran),
                "{mechanism}: {} {}",
                ran.stdout,
                ran.stderr
            );
            let wrong = [known[0], known[1], ("K6_KAFKA_SASL_PASSWORD", "guess")];
            let ran = run(&folder, &guarded, &wrong);
            assert!(is_short(&ran), "{mechanism}: {} {}", ran.stdout, ran.stderr);
            assert!(
                ran.stderr.contains("it does not let us in: "),
                "{mechanism}: {}",
                ran.stderr
            );
        }
        assert!(!printed(&mut kcat(&broker, "guarded")).is_empty());

        let secure = format!("kafka=127.0.0.1:{},topic=secure,ssl=true", broker.ports[2]);
        let certificate = broker.folder.path().join("broker.pem");
        let trusted = [("SSL_CERT_FILE", certificate.to_str().unwrap())];
        let ran = run(&folder, &secure, &trusted);
        assert!(!is_short(&ran), "{} {}", ran.stdout, ran.stderr);
        let sent = printed(&mut kcat(&broker, "secure")).len();
        let unchecked = format!("{secure},insecure_skip_tls_verify=true");
        let ran = run(&folder, &unchecked, &[]);
        assert!(!is_short(&ran), "{} {}", ran.stdout, ran.stderr);
        assert!(sent > 0 && printed(&mut kcat(&broker, "secure")).len() > sent);
        let ran = run(&folder, &secure, &[]);
        assert!(is_short(&ran), "{} {}", ran.stdout, ran.stderr);
        assert!(ran.stderr.contains("certificate"), "{}", ran.stderr);
    }
}
