//! `cargo xtask pages`: the scripts and styles of the pages, made from `crates/pages/web`.
//!
//! Our TypeScript goes through our own compiler, its modules are joined into one script behind the chart library, and
//! the result is committed, so that building netload takes no Node. `--check` fails when what is committed is not what
//! the sources give; `--types` checks the types, with `tsc` from npm. Invariant: the output depends on the sources only.

mod join;

use std::path::PathBuf;

use crate::{Outcome, shell};

/// A script and a style sheet that pages load.
struct Bundle {
    /// The name of both files, without ending.
    name: &'static str,
    /// The module that begins it.
    entry: &'static str,
    /// Style sheets, in their order.
    styles: &'static [&'static str],
}

const BUNDLES: &[Bundle] = &[
    Bundle {
        name: "report",
        entry: "report.ts",
        styles: &["style.css"],
    },
    Bundle {
        name: "app",
        entry: "app.ts",
        styles: &["style.css", "app.css"],
    },
];

/// The chart library, which every bundle begins with.
const LIBRARY: &str = "vendor/uplot/uPlot.iife.min.js";
const LIBRARY_STYLE: &str = "vendor/uplot/uPlot.min.css";
/// The version of TypeScript that checks the types.
const TYPESCRIPT: &str = "typescript@7.0.2";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    match arguments {
        [] => write(),
        [flag] if flag == "--check" => check(),
        [flag] if flag == "--types" => types(),
        _ => Err("cargo xtask pages [--check | --types]".into()),
    }
}

fn write() -> Outcome {
    for (path, text) in built()? {
        println!("{} ({} KB)", path.display(), text.len() / 1_000);
        std::fs::write(path, text)?;
    }
    Ok(())
}

/// Fails when what is committed differs from what the sources give.
fn check() -> Outcome {
    for (path, text) in built()? {
        if std::fs::read_to_string(&path).unwrap_or_default() != text {
            let shown = path.display();
            return Err(format!("{shown} is out of date; run `cargo xtask pages`").into());
        }
    }
    println!("the pages are up to date");
    Ok(())
}

/// Checks the types with the real TypeScript.
fn types() -> Outcome {
    if !shell::has("npx") {
        return Err("there is no npx; install Node to check types".into());
    }
    shell::run(
        shell::command("npx")
            .args(["--yes", "--package", TYPESCRIPT, "tsc", "--project"])
            .arg(folder().join("web/tsconfig.json")),
    )
}

/// Every file of `assets` with its text.
fn built() -> Result<Vec<(PathBuf, String)>, Box<dyn std::error::Error>> {
    let folder = folder();
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).map_err(|error| format!("{name}: {error}"))
    };
    let (library, library_style) = (read(LIBRARY)?, read(LIBRARY_STYLE)?);
    let mut files = Vec::new();
    for bundle in BUNDLES {
        let own = join::script(bundle.entry, &|name| read(&format!("web/{name}")))?;
        let script = format!("{}\n{own}", library.trim_end());
        files.push((folder.join(format!("assets/{}.js", bundle.name)), script));
        let mut style = library_style.trim_end().to_owned() + "\n";
        for sheet in bundle.styles {
            style += &read(&format!("web/{sheet}"))?;
        }
        files.push((folder.join(format!("assets/{}.css", bundle.name)), style));
    }
    Ok(files)
}

fn folder() -> PathBuf {
    shell::root().join("crates/pages")
}
