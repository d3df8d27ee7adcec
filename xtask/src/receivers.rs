//! What tests of outputs need that Debian has no package for: a broker of Kafka from Maven, a reader of Parquet and a
//! receiver of StatsD from npm, and an InfluxDB that knows the API of version 2, from the Go module proxy. Called by
//! `cargo xtask setup`.
//!
//! Everything goes into `.cache/receivers`. Invariant: nothing is fetched that is already there.

use std::path::Path;

use crate::{Outcome, shell};

/// The broker's version, and what it wants to log with.
const KAFKA: &str = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\">
  <modelVersion>4.0.0</modelVersion>
  <groupId>netload</groupId>
  <artifactId>receivers</artifactId>
  <version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>3.9.1</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>1.7.36</version></dependency>
  </dependencies>
</project>
";

/// An InfluxDB 1 that can be written to as to version 2; Debian's 1.6 cannot.
const INFLUXDB: &str = "github.com/influxdata/influxdb/cmd/influxd@v1.8.10";

/// Packages of npm, and the file by which one sees that they are there.
const PACKAGES: [(&str, &str); 2] = [
    ("hyparquet@1.31.5", "hyparquet/package.json"),
    ("statsd@0.9.0", "statsd/stats.js"),
];

pub(crate) fn fetch() -> Outcome {
    let folder = shell::cache().join("receivers");
    std::fs::create_dir_all(&folder)?;
    kafka(&folder)?;
    influxdb(&folder)?;
    let missing = PACKAGES.iter();
    let missing = missing.filter(|(_, file)| !folder.join("node_modules").join(file).is_file());
    let missing: Vec<&str> = missing.map(|(package, _)| *package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("fetching {}", missing.join(" "));
    let options = [
        "install",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "--prefix",
    ];
    shell::run(
        shell::command("npm")
            .args(options)
            .arg(&folder)
            .args(missing),
    )
}

fn kafka(folder: &Path) -> Outcome {
    let folder = folder.join("kafka");
    if folder.join("lib").is_dir() {
        return Ok(());
    }
    println!("fetching Kafka");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("pom.xml"), KAFKA)?;
    // Renamed when all of it is there: half a broker would be taken for a whole one.
    let arguments = [
        "--quiet",
        "--batch-mode",
        "dependency:copy-dependencies",
        "-DoutputDirectory=coming",
        "-DincludeScope=runtime",
    ];
    shell::run(shell::command("mvn").current_dir(&folder).args(arguments))?;
    std::fs::rename(folder.join("coming"), folder.join("lib"))?;
    Ok(())
}

fn influxdb(folder: &Path) -> Outcome {
    if folder.join("influxd").is_file() {
        return Ok(());
    }
    println!("building InfluxDB, once");
    shell::run(
        shell::command("go")
            .args(["install", "-trimpath", INFLUXDB])
            .env("GOBIN", folder)
            .current_dir(folder),
    )
}
