//! Shared arrays: one copy for all VUs that nobody can change, whatever its elements are.

mod harness;

use harness::Test;

/// What an expression is, evaluated in an iteration after `imports`.
fn values(imports: &str, expressions: &[&str]) -> Vec<String> {
    let lines: String = expressions
        .iter()
        .map(|e| format!("try {{ console.log({e}); }} catch (e) {{ console.log(String(e)); }}\n"))
        .collect();
    let ran = Test::new(&format!(
        "{imports}\nexport default function () {{\n{lines}}}"
    ))
    .run();
    ran.completed();
    ran.console().into_iter().map(str::to_owned).collect()
}

#[test]
fn shared_arrays_behave_like_frozen_arrays() {
    let lines = values(
        "import { SharedArray } from 'k6/data';
         const data = new SharedArray('users', () => [{ name: 'a', tags: [1] }, { name: 'b', tags: [] }, 3]);
         const same = new SharedArray('users', () => { throw new Error('never called again'); });",
        &[
            "data.length, same.length, Array.isArray(data)",
            "data[0].name, data[1].name, data[2], data[3], data[-1], same[0].name",
            "data[0] === data[0], Object.isFrozen(data[0]), Object.isFrozen(data[0].tags)",
            "data.map((u) => u.name || u), data.filter((u) => u === 3), data.indexOf(3)",
            "[...data].length, JSON.stringify(data)",
            "Object.keys(data), 1 in data, 3 in data",
            "(() => { 'use strict'; data[0] = 1; })()",
            "data.push(1)",
            "delete data[0]",
            "data.length = 0",
            "data[0].name = 'x'",
            "data[0].tags.push(2)",
        ],
    );
    assert_eq!(
        lines,
        [
            "3 3 true",
            "a b 3 undefined undefined a",
            "false true true",
            r#"[ "a", "b", 3 ] [ 3 ] 2"#,
            r#"3 [{"name":"a","tags":[1]},{"name":"b","tags":[]},3]"#,
            r#"[ "0", "1", "2" ] true false"#,
            "TypeError: SharedArray is immutable",
            "TypeError: SharedArray is immutable",
            "TypeError: SharedArray is immutable",
            "TypeError: SharedArray is immutable",
            "TypeError: 'name' is read-only",
            "TypeError: object is not extensible",
        ]
    );
}

#[test]
fn lines_of_tables_in_shared_arrays_are_frozen_like_everything_else() {
    let lines = values(
        r#"import { SharedArray } from 'k6/data';
         const data = new SharedArray('table', () => [
           { name: 'a', age: 1.5, ok: true, none: null }, { name: '\u00fc', age: -0, ok: false, none: null },
           { 2: 'x', 1: 'y' }, { name: 'quo"te' }, { other: 1, list: [{}] }, { ['__proto__']: 5 },
         ]);"#,
        &[
            "JSON.stringify(data)",
            "data.every((line) => Object.isFrozen(line) && !Object.isExtensible(line)), data[0] === data[0]",
            "Object.keys(data[2]), Object.keys(data[0]), data[0].age + data[1].age",
            "data[0].name = 'x'",
            "data[0].more = 'x'",
            "delete data[0].name",
            "data[1].name, data[3].name, Object.getPrototypeOf(data[0]) === Object.prototype",
        ],
    );
    assert_eq!(
        lines,
        [
            r#"[{"name":"a","age":1.5,"ok":true,"none":null},{"name":"ü","age":0,"ok":false,"none":null},{"1":"y","2":"x"},{"name":"quo\"te"},{"other":1,"list":[{}]},{"__proto__":5}]"#,
            "true false",
            r#"[ "1", "2" ] [ "name", "age", "ok", "none" ] 1.5"#,
            "TypeError: 'name' is read-only",
            "TypeError: object is not extensible",
            "TypeError: could not delete property",
            r#"ü quo"te true"#,
        ]
    );
}

#[test]
fn shared_arrays_refuse_bad_arguments() {
    for (arguments, reason) in [
        (
            "'', () => []",
            "empty name provided to SharedArray's constructor",
        ),
        (
            "'a'",
            "a function is expected as the second argument of SharedArray's constructor",
        ),
        (
            "'a', () => ({})",
            "only arrays can be made into SharedArray; the function must return one, and not be async",
        ),
        (
            "'a', async () => []",
            "only arrays can be made into SharedArray; the function must return one, and not be async",
        ),
    ] {
        let script = format!(
            "import {{ SharedArray }} from 'k6/data'; new SharedArray({arguments}); export default function () {{}}"
        );
        let error = Test::new(&script).load().err().unwrap().to_string();
        assert!(
            error.starts_with(&format!("TypeError: {reason}")),
            "{error}"
        );
    }
    let lines = values(
        "import { SharedArray } from 'k6/data'; const odd = new SharedArray('odd', () => [undefined, () => 1, null]);",
        &["odd[0]", "odd[1]", "odd[2]"],
    );
    assert!(
        lines[0].starts_with("TypeError: this element of the SharedArray cannot be shared"),
        "{lines:?}"
    );
    assert_eq!((lines[0] == lines[1], lines[2].as_str()), (true, "null"));
}
