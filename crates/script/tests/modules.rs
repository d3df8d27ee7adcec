//! The native modules: every way to import them, and what their functions do.

mod harness;

use std::fs;

use harness::{Test, printed};
use netload_engine::Level;
use netload_metrics::Aggregate;
use serde_json::json;

/// What a whole script prints while it runs.
fn console(script: &str) -> Vec<String> {
    let ran = Test::new(script).run();
    ran.completed();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    ran.console().into_iter().map(str::to_owned).collect()
}

/// What an expression is, evaluated in an iteration after `imports`.
fn values(imports: &str, expressions: &[&str]) -> Vec<String> {
    let lines: String = expressions
        .iter()
        .map(|e| format!("try {{ console.log({e}); }} catch (e) {{ console.log(String(e)); }}\n"))
        .collect();
    console(&format!(
        "{imports}\nexport default function () {{\n{lines}}}"
    ))
}

#[test]
fn native_modules_can_be_imported_in_every_way() {
    let lines = console(
        "import k6, { check as c, sleep, nothing } from 'k6';
         import * as all from 'k6';
         import exec, { vu } from 'k6/execution';
         const required = require('k6');
         export default function () {
             console.log(k6.check === c, all.sleep === sleep, required.group === k6.group, typeof all.default);
             console.log(nothing, exec.vu === vu, vu.idInTest);
         }",
    );
    assert_eq!(lines, ["true true true object", "undefined true 1"]);
}

#[test]
fn files_are_imported_relative_to_the_importing_file_and_run_once() {
    let folder = std::env::temp_dir().join(format!("netload-imports-{}", std::process::id()));
    fs::create_dir_all(folder.join("lib")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("data.txt", "content");
    write("lib/near.txt", "near");
    write(
        "lib/a.js",
        "import { count } from '../count.js'; export { b } from './b.js'; export const a = count(); export const near = open('./near.txt');",
    );
    write(
        "lib/b.js",
        "import { count } from '../count.js'; export const b = count();",
    );
    write(
        "count.js",
        "let n = 0; export function count() { return ++n; }",
    );
    write(
        "main.js",
        &format!(
            "import {{ a, b, near }} from './lib/a.js';
             import {{ count }} from '{0}/count.js';
             import {{ count as same }} from 'file://{0}/count.js';
             const text = open('data.txt'); const bytes = open('./data.txt', 'b');
             export default function () {{
                 console.log(a, b, near, count(), same(), text, bytes.byteLength);
                 console.log(import.meta.url.endsWith('/main.js'), import.meta.resolve('./lib/a.js').endsWith('/lib/a.js'));
             }}",
            folder.display()
        ),
    );
    let ran = Test::file(&folder.join("main.js")).run();
    fs::remove_dir_all(&folder).unwrap();
    ran.completed();
    assert_eq!(ran.console(), ["2 1 near 3 4 content 7", "true true"]);
}

#[test]
fn open_refuses_what_it_cannot_give() {
    let lines = values("", &["open('x')"]);
    assert_eq!(
        lines,
        ["Error: the open() function is only available in the init context"]
    );
    let error = Test::new("open('none.txt'); export default function () {}")
        .load()
        .err()
        .unwrap();
    assert!(
        error
            .to_string()
            .starts_with("Error: cannot open 'none.txt': there is no file /scripts/none.txt"),
        "{error}"
    );
}

#[test]
fn a_file_that_only_some_vus_open_is_refused() {
    let ran =
        Test::new("if (__VU > 0) { open('/etc/hostname'); } export default function () {}").run();
    let finish = format!("{:?}", ran.result.finish);
    assert!(
        finish.contains("was not opened while the script was loaded"),
        "{finish}"
    );
}

#[test]
fn checks_count_by_truthiness_and_group() {
    let ran = Test::new(
        "import { check, group } from 'k6';
         export const options = { iterations: 3 };
         export default function () {
             const all = check(5, { 'is five': (v) => v === 5, literal: 1 });
             const none = group('outer', () => group('inner', () => check(5, { no: () => '', missing: undefined })));
             console.log(all, none);
         }",
    )
    .run();
    ran.completed();
    assert_eq!(ran.console(), ["true false"; 3]);
    let Aggregate::Rate(rate) = &ran.result.summary.metric("checks").unwrap().data else {
        panic!("checks is no rate");
    };
    assert_eq!((rate.passes, rate.total), (6, 12));
    assert_eq!(ran.count("group_duration"), 6);
    let root = &ran.result.summary.root;
    let inner = &root.groups[0].groups[0];
    let found: Vec<_> = root
        .checks
        .iter()
        .chain(&inner.checks)
        .map(|c| (c.path.as_str(), c.passes, c.fails))
        .collect();
    assert_eq!(
        found,
        [
            ("::is five", 3, 0),
            ("::literal", 3, 0),
            ("::outer::inner::no", 0, 3),
            ("::outer::inner::missing", 0, 3),
        ]
    );
}

#[test]
fn a_check_that_throws_counts_as_failed_and_ends_the_call() {
    let ran = Test::new(
        "import { check } from 'k6';
         export default function () {
             check(1, { first: () => true, throws: () => { throw new Error('x'); }, last: () => true });
         }",
    )
    .run();
    assert_eq!(ran.exceptions().len(), 1);
    let Aggregate::Rate(rate) = &ran.result.summary.metric("checks").unwrap().data else {
        panic!("checks is no rate");
    };
    assert_eq!((rate.passes, rate.total), (1, 2));
}

#[test]
fn misuse_of_k6_is_an_exception() {
    let lines = values(
        "import { check, group, fail, sleep } from 'k6';",
        &[
            "check(1, { 'a::b': true })",
            "check(1, { later: async () => true })",
            "check(1)",
            "group('a::b', () => 1)",
            "group('a', async () => 1)",
            "group('a')",
            "fail('on purpose')",
            "(sleep(0), sleep(-1), sleep('0.001'), 'slept')",
            "group('returns', () => 7)",
        ],
    );
    assert_eq!(
        lines,
        [
            "Error: group and check names may not contain '::'",
            "TypeError: check() does not support async functions as arguments; await the value first and check the result",
            "TypeError: no checks provided to check(); write check(value, { 'is ok': (value) => true })",
            "Error: group and check names may not contain '::'",
            "TypeError: group() does not support async functions as arguments",
            "TypeError: group() requires a callback as a second argument",
            "Error: on purpose",
            "slept",
            "7",
        ]
    );
}

#[test]
fn what_needs_a_test_is_refused_in_the_init_context() {
    for call in [
        "check(1, { a: 1 })",
        "group('a', () => 1)",
        "new Counter('c_1').add(1)",
        "exec.scenario.name",
        "exec.vu.idInTest",
    ] {
        let script = format!(
            "import {{ check, group }} from 'k6'; import {{ Counter }} from 'k6/metrics'; import exec from 'k6/execution';
             {call}; export default function () {{}}"
        );
        let error = Test::new(&script).load().err().unwrap().to_string();
        assert!(
            error.contains("init context") || error.contains("iteration"),
            "{call}: {error}"
        );
    }
}

#[test]
fn random_numbers_follow_their_seed() {
    let lines = values(
        "import { randomSeed } from 'k6';",
        &[
            "globalThis.first = (randomSeed(5), Math.random())",
            "(randomSeed(5), Math.random() === first)",
            "Math.random() !== first",
            "first >= 0 && first < 1",
        ],
    );
    assert_eq!(lines[1..], ["true", "true", "true"]);
}

#[test]
fn custom_metrics_are_recorded() {
    let ran = Test::new(
        "import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
         const counter = new Counter('my_counter'), gauge = new Gauge('my_gauge'), rate = new Rate('my_rate'), trend = new Trend('my_trend', true);
         const same = new Counter('my_counter');
         export const options = { iterations: 2, thresholds: { 'my_counter{kind:a}': ['count==4'] } };
         export default function () {
             counter.add(1); counter.add(2, { kind: 'a' }); same.add(true);
             gauge.add(__ITER); rate.add(__ITER === 0); trend.add(10);
             console.log(counter.name, counter.add(0), counter.add(NaN), counter.add(null), counter instanceof Counter);
         }",
    )
    .run();
    ran.completed();
    assert_eq!(ran.console(), ["my_counter true false false true"; 2]);
    assert_eq!((ran.count("my_counter"), ran.count("my_trend")), (8, 2));
    let warnings = ran
        .records
        .iter()
        .filter(|r| r.level == Level::Warning && r.message.contains("'my_counter'"));
    assert_eq!(warnings.count(), 4);
    let registry_error = Test::new(
        "import { Counter, Trend } from 'k6/metrics'; new Counter('abc'); new Trend('abc'); export default function () {}",
    )
    .load()
    .err()
    .unwrap();
    assert!(
        registry_error
            .to_string()
            .starts_with("Error: metric 'abc' already exists with type counter"),
        "{registry_error}"
    );
}

#[test]
fn a_value_that_is_no_number_throws_when_the_option_says_so() {
    let ran = Test::new(
        "import { Counter } from 'k6/metrics'; const c = new Counter('cc');
         export default function () { c.add('many'); }",
    )
    .options(json!({ "throw": true }))
    .run();
    assert!(
        ran.exceptions()[0].starts_with("TypeError: 'many' is an invalid value for metric 'cc'"),
        "{:?}",
        ran.exceptions()
    );
}

#[test]
fn execution_tells_where_the_script_is() {
    let lines = console(
        "import exec from 'k6/execution';
         export const options = { scenarios: { mine: { executor: 'per-vu-iterations', iterations: 2, tags: { t: 'x' } } } };
         export default function () {
             const { name, executor, startTime, progress, iterationInInstance, iterationInTest } = exec.scenario;
             console.log(name, executor, Math.abs(Date.now() - startTime) < 60000, progress >= 0 && progress <= 1, iterationInInstance, iterationInTest);
             const { idInInstance, idInTest, iterationInInstance: i, iterationInScenario } = exec.vu;
             console.log(idInInstance, idInTest, i, iterationInScenario);
             const { vusActive, vusInitialized, iterationsCompleted, currentTestRunDuration } = exec.instance;
             console.log(vusActive, vusInitialized, iterationsCompleted, currentTestRunDuration >= 0);
             console.log(Object.keys(exec.vu.tags).sort(), exec.vu.tags === exec.vu.metrics.tags, exec.vu.tags.t);
             console.log(exec.test.options.scenarios.mine.executor, Object.isFrozen(exec.test.options.scenarios));
         }",
    );
    let first = [
        "mine per-vu-iterations true true 0 0",
        "1 1 0 0",
        "1 1 0 true",
        r#"[ "group", "scenario", "t" ] true x"#,
        "per-vu-iterations true",
    ];
    assert_eq!(lines[..5], first);
    assert_eq!(
        lines[5..8],
        [
            "mine per-vu-iterations true true 1 1",
            "1 1 1 1",
            "1 1 1 true"
        ]
    );
}

#[test]
fn vu_tags_can_be_set_and_reach_the_samples() {
    let ran = Test::new(
        "import exec from 'k6/execution'; import { Counter } from 'k6/metrics';
         const c = new Counter('tagged');
         export const options = { iterations: 2, thresholds: { 'tagged{mine:5}': ['count==2'], 'tagged{gone:1}': ['count==0'] } };
         export default function () {
             const { tags, metadata } = exec.vu.metrics;
             console.log(tags.mine, 'mine' in tags, delete tags.gone);
             tags.mine = 5; tags.gone = true; delete tags.gone; metadata.trace = 'id';
             console.log(tags.mine, tags['gone'], JSON.stringify(metadata));
             for (const bad of [{}, null, undefined, [], () => 1]) {
                 try { tags.bad = bad; console.log('accepted'); } catch (e) { if (e.name !== 'TypeError') { console.log(e.name); } }
             }
             c.add(1);
         }",
    )
    .run();
    ran.completed();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    assert_eq!(
        ran.console(),
        [
            "undefined false true",
            r#"5 undefined {"trace":"id"}"#,
            "5 true true",
            r#"5 undefined {"trace":"id"}"#
        ]
    );
    assert!(
        !ran.result.summary.thresholds_failed(),
        "{:?}",
        ran.result.summary.metrics
    );
}

#[test]
fn a_script_can_mark_the_test_as_failed() {
    let ran = Test::new(
        "import exec from 'k6/execution';
         export default function () { exec.test.fail('bad'); console.log('goes on'); }",
    )
    .run();
    ran.completed();
    assert_eq!(ran.console(), ["goes on"]);
    assert!(
        ran.result
            .state
            .marked_failed
            .load(std::sync::atomic::Ordering::Relaxed)
    );
    assert_eq!(ran.exceptions(), ["test marked as failed: bad"]);
}

#[test]
fn timers_run_in_order_and_can_be_cleared() {
    let lines = console(
        "import { setTimeout as later } from 'k6/timers';
         export default function () {
             setTimeout((a, b) => console.log('5', a, b), 5, 'x', 'y');
             later(() => console.log('1'), 1);
             setTimeout(() => console.log('0'));
             clearTimeout(setTimeout(() => console.log('never'), 2));
             let n = 0; const id = setInterval(() => { console.log('tick', ++n); if (n === 2) { clearInterval(id); } }, 20);
             Promise.resolve().then(() => console.log('job'));
             console.log('main');
         }",
    );
    assert_eq!(
        lines,
        ["main", "job", "0", "1", "5 x y", "tick 1", "tick 2"]
    );
    assert_eq!(
        values("", &["setTimeout('text')"]),
        ["TypeError: setTimeout requires a function as its first argument"]
    );
}

#[test]
fn sleeping_holds_timers_back() {
    let lines = console(
        "import { sleep } from 'k6';
         export default function () { setTimeout(() => console.log('timer'), 1); sleep(0.02); console.log('slept'); }",
    );
    assert_eq!(lines, ["slept", "timer"]);
}

#[test]
fn the_console_prints_as_k6_does() {
    let lines = printed(
        "console.log('a', 1, true, null, undefined, { a: 1, b: 'x', c: [1, 'y', null, undefined], d: { e: {} }, f() {}, g: new Date(0), h: new Error('q') }, [1, , 3], [], {});
         console.log(new Error('top'), new Date(0), Symbol('s'), 12345678901234567890n, -0, NaN, function foo() {}, class A {}, new Map([[1, 2]]), new Set([1]), /x/g);
         console.log(new Uint8Array([1, 2, 3]), new ArrayBuffer(4), new Float64Array([1.5]), [new Uint8Array(2)], { ab: new ArrayBuffer(2) });
         const c = { x: 1 }; c.self = c; console.log(c, 'str\"q', ['q\"z'], { 'a b': 1, 1: 2 });
         console.log();
         console.log(Promise.resolve(1), Object.create(null), new (class Foo { constructor() { this.a = 1; } })());
         console.log({ a: 1n, s: Symbol('z'), n: null, u: undefined, inf: Infinity, nan: NaN });
         const twice = { k: 1 }; console.log([twice, twice]);",
    );
    assert_eq!(
        lines,
        [
            r#"a 1 true null undefined { a: 1, b: "x", c: [ 1, "y", null, null ], d: { e: {} }, f: [object Function], g: "1970-01-01T00:00:00.000Z", h: Error: q } [ 1, null, 3 ] [] {}"#,
            r#"Error: top "1970-01-01T00:00:00.000Z" s 12345678901234567890 0 NaN [object Function] [object Function] {} {} {}"#,
            "Uint8Array(3) [ 1, 2, 3 ] ArrayBuffer { [Uint8Contents]: <00 00 00 00>, byteLength: 4 } Float64Array(1) [ 1.5 ] [ Uint8Array(2) [ 0, 0 ] ] { ab: ArrayBuffer { [Uint8Contents]: <00 00>, byteLength: 2 } }",
            r#"{ x: 1, self: [Circular] } str"q [ "q"z" ] { 1: 2, a b: 1 }"#,
            "",
            "{} {} { a: 1 }",
            r#"{ a: 1, s: "z", n: null, u: null, inf: Infinity, nan: NaN }"#,
            "[ { k: 1 }, { k: 1 } ]",
        ]
    );
}

#[test]
fn console_levels_reach_the_log() {
    let ran = Test::new("export default function () { console.debug(1); console.info(2); console.warn(3); console.error(4); }").run();
    let levels: Vec<_> = ran
        .records
        .iter()
        .filter(|r| r.source == Some("console"))
        .map(|r| r.level)
        .collect();
    assert_eq!(
        levels,
        [Level::Debug, Level::Info, Level::Warning, Level::Error]
    );
}

#[test]
fn text_is_encoded_and_decoded() {
    let lines = values(
        "",
        &[
            "new TextEncoder().encode('é€')",
            "new TextDecoder().decode(new Uint8Array([0xef, 0xbb, 0xbf, 0x68, 0x69]))",
            "new TextDecoder().decode(new TextEncoder().encode('é€😀').buffer)",
            "new TextDecoder('utf-16le').decode(new Uint8Array([0x3d, 0xd8, 0x00, 0xde]))",
            "new TextDecoder().decode(new Uint8Array([0xff, 0x61]))",
            "new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff]))",
            "new TextDecoder('koi8-r')",
            "new TextDecoder().encoding, new TextEncoder().encoding, new TextDecoder().decode()",
        ],
    );
    assert_eq!(
        lines,
        [
            "Uint8Array(5) [ 195, 169, 226, 130, 172 ]",
            "hi",
            "é€😀",
            "😀",
            "\u{fffd}a",
            "TypeError: the data is not valid for this encoding",
            "RangeError: the encoding 'koi8-r' is not supported",
            "utf-8 utf-8 ",
        ]
    );
}

#[test]
fn globals_are_in_place() {
    let lines = values(
        "",
        &[
            "typeof global, global === globalThis, typeof require, typeof open",
            "__ENV.A = 'b'",
            "__ENV.A, Object.keys(__ENV)",
        ],
    );
    assert_eq!(
        lines,
        ["object true function function", "b", r#"b [ "A" ]"#]
    );
    let ran = Test::new("export default function () { console.log(typeof global); }")
        .runtime(|r| r.global_alias = false)
        .run();
    assert_eq!(ran.console(), ["undefined"]);
}
