//! What a user reads when a script cannot be loaded or throws: sentence, place, line.

mod harness;

use std::fs;
use std::path::PathBuf;

use harness::Test;

/// The text of a script's load error.
fn load_error(script: &str) -> String {
    match Test::new(script).load() {
        Ok(_) => panic!("it loaded"),
        Err(error) => error.to_string(),
    }
}

/// The text of the exception of a script's only iteration.
fn thrown(script: &str) -> String {
    let ran = Test::new(script).run();
    ran.completed();
    let exceptions = ran.exceptions();
    assert_eq!(exceptions.len(), 1, "{exceptions:?}");
    exceptions[0].to_owned()
}

#[test]
fn an_exception_shows_stack_place_and_line() {
    let text = thrown(
        "function inner() {\n  throw new TypeError('boom');\n}\nexport default function () {\n\tinner();\n}",
    );
    assert_eq!(
        text,
        "TypeError: boom\n\
         \tat inner (file:///scripts/-:2:13)\n\
         \tat default (file:///scripts/-:5:2)\n\
         \n  2 |   throw new TypeError('boom');\n\
         \x20                 ^"
    );
}

#[test]
fn a_syntax_error_shows_place_and_line() {
    let text = load_error("export default function () {\n  let x = ;\n}");
    assert!(text.starts_with("SyntaxError: "), "{text}");
    assert!(text.contains("\n\tat file:///scripts/-:2:"), "{text}");
    assert!(text.contains("\n  2 |   let x = ;"), "{text}");
}

#[test]
fn an_exception_in_init_code_shows_place_and_line() {
    let text = load_error("const a = 1;\nnull.foo;\nexport default function () {}");
    assert!(text.starts_with("TypeError: "), "{text}");
    assert!(text.contains("file:///scripts/-:2:"), "{text}");
    assert!(text.contains("\n  2 | null.foo;"), "{text}");
}

#[test]
fn thrown_values_that_are_no_errors_are_shown() {
    assert_eq!(
        thrown("export default function () { throw 'text'; }"),
        "text"
    );
    assert_eq!(
        thrown("export default function () { throw { a: 1 }; }"),
        "{ a: 1 }"
    );
}

#[test]
fn rejections_nobody_handles_are_reported() {
    let text = thrown("export default async function () { await null; throw new Error('async'); }");
    assert!(
        text.starts_with("Uncaught (in promise) Error: async\n\tat "),
        "{text}"
    );
    let text = thrown("export default function () { Promise.reject('quiet'); }");
    assert_eq!(text, "Uncaught (in promise) quiet");
    let ran = Test::new(
        "export default function () { const p = Promise.reject(1); p.catch(() => console.log('handled')); }",
    )
    .run();
    assert_eq!(
        (ran.exceptions().len(), ran.console()),
        (0, vec!["handled"])
    );
}

#[test]
fn an_exception_in_a_timer_fails_the_iteration() {
    let text =
        thrown("export default function () { setTimeout(() => { throw new Error('late'); }, 1); }");
    assert!(text.starts_with("Error: late\n\tat "), "{text}");
}

#[test]
fn imports_that_cannot_be_resolved_say_why() {
    let cases = [
        (
            "k6/htp",
            "there is no module k6/htp; did you mean `k6/http`?",
        ),
        (
            "k6/ws",
            "the module k6/ws is not part of this version of netload yet",
        ),
        (
            "k6/x/redis",
            "the extension k6/x/redis is not part of netload",
        ),
        (
            "lodash",
            "there is no package lodash in a node_modules folder of /scripts or above; install it with `npm install lodash`",
        ),
        (
            "http://host/a.js",
            "modules cannot be imported over http; only https://, file paths, packages and k6/... can",
        ),
        ("./none.js", "there is no file /scripts/none.js"),
    ];
    for (specifier, reason) in cases {
        let text = load_error(&format!(
            "\nimport x from '{specifier}';\nexport default function () {{}}"
        ));
        let first = text.lines().next().unwrap();
        assert_eq!(
            first,
            format!("Error: cannot import '{specifier}': {reason}")
        );
    }
    let text = load_error("\nimport x from 'nope';\nexport default function () {}");
    assert!(
        text.contains("file:///scripts/-:2:15") && text.contains("  2 | import x from 'nope';"),
        "{text}"
    );
}

#[test]
fn a_missing_script_is_named() {
    let path = PathBuf::from("/nowhere/script.js");
    let error = Test::file(&path).load().err().unwrap().to_string();
    assert!(
        error.contains("there is no file /nowhere/script.js"),
        "{error}"
    );
}

#[test]
fn errors_in_imported_files_show_that_file() {
    let folder = std::env::temp_dir().join(format!("netload-errors-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join("lib.js"),
        "export const x = 1;\nexport function f() {\n  return missing;\n}",
    )
    .unwrap();
    fs::write(
        folder.join("main.js"),
        "import { f } from './lib.js';\nexport default function () { f(); }",
    )
    .unwrap();
    let ran = Test::file(&folder.join("main.js")).run();
    fs::remove_dir_all(&folder).unwrap();
    let text = ran.exceptions()[0];
    assert!(
        text.starts_with("ReferenceError: missing is not defined"),
        "{text}"
    );
    assert!(text.contains("lib.js:3:"), "{text}");
    assert!(text.contains("\n  3 |   return missing;"), "{text}");
}
