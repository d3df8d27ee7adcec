//! What scripts are made of: TypeScript, CommonJS, packages, JSON, archives, and where errors point to.

mod harness;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::Test;
use netload_script::{Archive, Packing, Script, Source};
use serde_json::{Value as Json, json};

/// A folder with files that is gone in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!(
            "netload-loading-{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Relaxed)
        );
        let folder = Self(std::env::temp_dir().join(name));
        for (path, text) in files {
            let path = folder.path(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A text with the folder's name taken out.
    fn masked(&self, text: &str) -> String {
        text.replace(&format!("{}", self.0.display()), "DIR")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What two VUs print, whose script is the first file; the first of them speaks for both.
fn printed(files: &[(&str, &str)]) -> Vec<String> {
    let folder = Folder::new(files);
    let ran = Test::file(&folder.path(files[0].0))
        .options(json!({ "vus": 2, "iterations": 2 }))
        .run();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    let lines: Vec<String> = ran
        .console()
        .iter()
        .map(|line| folder.masked(line))
        .collect();
    assert_eq!(lines.len() % 2, 0, "{lines:?}");
    let (first, second) = lines.split_at(lines.len() / 2);
    assert_eq!(first, second);
    first.to_vec()
}

fn refused(files: &[(&str, &str)]) -> String {
    let folder = Folder::new(files);
    let loaded = Test::file(&folder.path(files[0].0)).load();
    let error = loaded.map(drop).expect_err("it must not load");
    folder.masked(&error.to_string())
}

#[test]
fn typescript_runs() {
    let script = "
        import { Shape, area } from './lib';
        import type { Nothing } from './nowhere.ts';
        enum Color { Red, Green = 5, Blue }
        const enum Small { A = 'a' }
        namespace N { export namespace Inner { export const w = 4; } }
        class P { constructor(private a: number, public readonly b = 2) {} sum(): number { return this.a + this.b; } }
        function twice(_t: any, _k: string, d: PropertyDescriptor) {
            const was = d.value; d.value = function (this: any) { return was.call(this) * 2; };
        }
        class D { @twice one() { return 1; } }
        export default function (): void {
            const shape = { w: 2, h: 3 } satisfies Shape;
            console.log(Color.Blue, Color[5], Small.A, N.Inner.w, new P(1).sum(), area(shape), new D().one());
        }";
    let lib = "export interface Shape { w: number; h: number }
        export const area = (s: Shape): number => s.w! * s.h;";
    let lines = printed(&[("main.ts", script), ("lib.ts", lib)]);
    assert_eq!(lines, ["6 Green a 4 3 6 2"]);
}

#[test]
fn errors_point_into_the_typescript() {
    let script = "interface A {\n  a: string;\n}\nenum E { X }\nexport default function (): void {\n  const a: A = { a: 'x' };\n  throw new Error('here');\n}";
    let folder = Folder::new(&[("main.ts", script)]);
    let ran = Test::file(&folder.path("main.ts")).run();
    let text = folder.masked(ran.exceptions()[0]);
    let expected = "Error: here\n\tat default (file://DIR/main.ts:7:13)\n\n  7 |   throw new Error('here');\n                  ^";
    assert_eq!(text, expected);
}

#[test]
fn typescript_that_is_none_is_shown() {
    let text = refused(&[(
        "main.ts",
        "const a: number = 1;\nlet x: = 3;\nexport default () => {};",
    )]);
    let place = "\tat file://DIR/main.ts:2:8\n\n  2 | let x: = 3;\n             ^";
    assert!(
        text.starts_with("SyntaxError: ") && text.contains(place),
        "{text}"
    );
    let text = refused(&[
        (
            "main.js",
            "import { a } from './lib.ts';\nexport default () => {};",
        ),
        ("lib.ts", "export const a: = 1;"),
    ]);
    assert!(text.contains("file://DIR/lib.ts:1:17"), "{text}");
}

#[test]
fn a_script_may_be_common_js() {
    let script = "#!/usr/bin/env netload\nconst http = require('k6/http'); const lib = require('./lib');
        lib.count++;
        module.exports.setup = () => ({ given: 5 });
        module.exports.default = function (data) {
            console.log(data.given, typeof http.get, typeof http.default, lib.count, require === undefined, this === undefined);
        };";
    let lib = "exports.count = 1; exports.self = module.exports === exports && this === exports;";
    assert_eq!(
        printed(&[("main.js", script), ("lib.js", lib)]),
        ["5 function undefined 2 false false"]
    );
}

#[test]
fn common_js_is_imported_by_names() {
    let script = "
        import whole, { a, nothing } from './named.cjs';
        import * as all from './named.cjs';
        import seven, { x } from './made.js';
        import fn from './function.js';
        import data, { list } from './data.json';
        const made = require('./made.js');
        const esm = require('./esm.js');
        export default function () {
            console.log(whole.a, a, nothing, all.a, all.b());
            console.log(seven, x, made.default, fn(), data.list === list, list);
            console.log(Object.keys(esm), esm.default);
        }";
    let named =
        "exports.a = 1; exports.b = function () { return this === exports || 'namespace'; };";
    let made = "Object.defineProperty(exports, '__esModule', { value: true }); exports.default = 7; exports.x = 2;";
    let lines = printed(&[
        ("main.js", script),
        ("named.cjs", named),
        ("made.js", made),
        ("function.js", "module.exports = () => 'called';"),
        ("data.json", "{ \"list\": [1, 2] }"),
        ("esm.js", "export const q = 1; export default 5;"),
    ]);
    let expected = [
        "1 1 undefined 1 namespace",
        "7 2 7 called true [ 1, 2 ]",
        "[ \"default\", \"q\" ] 5",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn common_js_may_be_sloppy_and_circular() {
    let a = "var b = require('./b.js'); undeclared = 010; exports.seen = b.partial; exports.done = true;
        exports.sum = function (a, a) { with ({ c: 1 }) { return a + c + undeclared; } };";
    let b = "exports.partial = require('./a.js').done;";
    let script =
        "import { seen, sum } from './a.js'; export default () => console.log(seen, sum(1, 2));";
    let lines = printed(&[("main.js", script), ("a.js", a), ("b.js", b)]);
    assert_eq!(lines, ["undefined 11"]);
}

#[test]
fn modules_run_once_and_in_their_order() {
    let log = "(globalThis.log ??= []).push";
    let script = "import './one.js'; import './two.cjs'; import { three } from './three.cjs'; import './two.cjs';
        export default () => console.log(log.join(' '), three);";
    let lines = printed(&[
        ("main.js", script),
        ("one.js", &format!("export {{}}; {log}('one')")),
        ("two.cjs", &format!("{log}('two')")),
        (
            "three.cjs",
            &format!("require('./two.cjs'); exports.three = {log}('three')"),
        ),
    ]);
    assert_eq!(lines, ["one two three 3"]);
}

#[test]
fn top_level_await_works_everywhere() {
    let wait = "const a = await new Promise((resolve) => setTimeout(() => resolve(4), 1));";
    let lines = printed(&[
        (
            "main.ts",
            &format!(
                "{wait} import {{ b }} from './b.js'; export default () => console.log(a as number, b);"
            ),
        ),
        ("b.js", &format!("{wait} export const b = a + 1;")),
    ]);
    assert_eq!(lines, ["4 5"]);
}

#[test]
fn packages_are_found() {
    let manifest = r#"{ "exports": { "import": "./index.mjs", "require": "./index.cjs" } }"#;
    let script = "import both from 'both'; import * as old from '@scope/old'; const required = require('both');
        export default () => console.log(both, required, old.name, old.default.inner);";
    let lines = printed(&[
        ("tests/main.js", script),
        ("node_modules/both/package.json", manifest),
        ("node_modules/both/index.mjs", "export default 'module';"),
        ("node_modules/both/index.cjs", "module.exports = 'script';"),
        (
            "node_modules/@scope/old/package.json",
            r#"{ "main": "lib" }"#,
        ),
        (
            "node_modules/@scope/old/lib/index.js",
            "exports.name = 'old'; exports.inner = require('inner');",
        ),
        (
            "node_modules/@scope/node_modules/inner/index.js",
            "module.exports = require('./data');",
        ),
        ("node_modules/@scope/node_modules/inner/data.json", "[1]"),
    ]);
    assert_eq!(lines, ["module script old [ 1 ]"]);
}

#[test]
fn errors_in_packages_have_places_and_names() {
    let text = refused(&[(
        "main.js",
        "\nimport x from 'lodahs';\nexport default () => {};",
    )]);
    let expected = "Error: cannot import 'lodahs': there is no package lodahs in a node_modules folder of DIR or above; install it with `npm install lodahs`\n\tat file://DIR/main.js:2:15\n\n  2 | import x from 'lodahs';\n                    ^";
    assert_eq!(text, expected);
    let text = refused(&[
        (
            "main.js",
            "import x from './libb.js'; export default () => {};",
        ),
        ("lib.js", ""),
    ]);
    assert!(
        text.contains("there is no file DIR/libb.js; did you mean lib.js?"),
        "{text}"
    );
    let text = refused(&[
        (
            "main.js",
            "const a = require('./a.js'); exports.default = () => {};",
        ),
        ("a.js", "const x = 1; null.x;"),
    ]);
    assert!(
        text.contains("at <anonymous> (file://DIR/a.js:1:19)") || text.contains("DIR/a.js:1:1"),
        "{text}"
    );
    assert!(text.contains("  1 | const x = 1; null.x;"), "{text}");
    let text = refused(&[
        (
            "main.js",
            "import './a.js'; module.exports.default = () => {};",
        ),
        ("a.js", ""),
    ]);
    assert!(text.contains("'module' belongs to CommonJS"), "{text}");
    let text = refused(&[
        ("main.js", "import './a.json'; export default () => {};"),
        ("a.json", "{ a: 1 }"),
    ]);
    assert!(
        text.contains("it is not JSON: key must be a string at line 1 column 3"),
        "{text}"
    );
    let text = refused(&[
        (
            "main.js",
            "import { b } from './a.js';\nexport default () => b;",
        ),
        ("a.js", "export const a = 1;"),
    ]);
    assert!(
        text.contains("'b'") && text.contains("at file://DIR/main.js:1:19"),
        "{text}"
    );
    let text = refused(&[("main.js", "const = 1; exports.default = () => {};")]);
    assert!(
        text.starts_with("SyntaxError") && text.contains("DIR/main.js:1:7"),
        "{text}"
    );
    let text = refused(&[(
        "main.js",
        "import a from 'http://127.0.0.1/x.js'; export default () => {};",
    )]);
    assert!(
        text.contains("modules cannot be imported over http;"),
        "{text}"
    );
}

#[test]
fn bundles_point_to_their_sources() {
    // Line 2 of the bundle is line 3, column 3 of the source.
    let map = r#"{"version":3,"sources":["src/flow.ts"],"sourcesContent":["let a;\n\n  throw new Error('flow');"],"names":[],"mappings":";AAEE"}"#;
    let bundle =
        "export default () => {};\nthrow new Error('flow');\n//# sourceMappingURL=bundle.js.map\n";
    let text = refused(&[("bundle.js", bundle), ("bundle.js.map", map)]);
    let expected = "Error: flow\n\tat <anonymous> (file://DIR/src/flow.ts:3:3)\n\n  3 |   throw new Error('flow');\n        ^";
    assert_eq!(text, expected);
}

#[test]
fn archives_have_source_maps_in_them() {
    let map = r#"{"version":3,"sources":["a.ts"],"sourcesContent":["\n\n  fail();"],"names":[],"mappings":"AAEE"}"#;
    let bundle = "export default () => { null.x; };\n//# sourceMappingURL=b.map";
    let folder = Folder::new(&[("b.js", bundle), ("b.map", map)]);
    let (script, _) = Test::file(&folder.path("b.js")).load().unwrap();
    let packing = Packing {
        options: json!({}),
        env: Vec::new(),
        global_alias: true,
    };
    let packed = script.archive(&packing).unwrap();
    let masked = format!("{}", folder.0.display());
    drop(folder);
    let ran = Test::source(Source::Archive(Archive::read(&packed).unwrap())).run();
    let text = ran.exceptions()[0].replace(&masked, "DIR");
    assert!(
        text.contains("(file://DIR/a.ts:3:3)") && text.contains("  3 |   fail();"),
        "{text}"
    );
}

#[test]
fn an_archive_runs_without_its_files() {
    let folder = Folder::new(&[
        ("main.ts", "import { rows } from './lib'; import p from 'p'; export const options: any = { vus: 1 };
            export default () => console.log(rows, p, __ENV.NAME);"),
        ("lib.ts", "export const rows: string[] = open('./data.csv').trim().split(',');"),
        ("data.csv", "1,2\n"),
        ("node_modules/p/package.json", r#"{ "main": "m.js" }"#),
        ("node_modules/p/m.js", "module.exports = 'package';"),
    ]);
    let (script, options): (Script, Json) = Test::file(&folder.path("main.ts")).load().unwrap();
    assert_eq!(options, json!({ "vus": 1 }));
    let packing = Packing {
        options: json!({ "vus": 2, "iterations": 2 }),
        env: vec![("NAME".into(), "packed".into())],
        global_alias: true,
    };
    let packed = script.archive(&packing).unwrap();
    drop(folder);
    let archive = Archive::read(&packed).unwrap();
    assert_eq!(archive.options, packing.options);
    let env = archive.env.clone();
    let ran = Test::source(Source::Archive(archive))
        .options(packing.options)
        .runtime(move |runtime| runtime.env = env)
        .run();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    assert_eq!(ran.console(), vec!["[ \"1\", \"2\" ] package packed"; 2]);
}

#[test]
fn standard_input_may_be_typescript() {
    let text = "enum A { B = 3 } export default (): void => { console.log(A.B); };";
    let ran = Test::new(text).run();
    assert_eq!(ran.console(), ["3"]);
}
