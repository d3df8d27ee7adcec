//! TypeScript in, JavaScript and places out.

use netload_typescript::{Map, compile, helper};

/// The generated code without its blanks at line starts and ends.
fn code(text: &str) -> String {
    let compiled = compile("a.ts", text).unwrap_or_else(|p| panic!("{p:?}"));
    let lines = compiled.code.lines().map(str::trim);
    // What is no module is strict by this line, as TypeScript has it.
    let lines: Vec<&str> = lines.filter(|line| *line != "\"use strict\";").collect();
    lines.join("\n")
}

#[test]
fn types_vanish_and_the_rest_stays() {
    assert_eq!(code("const a: number = 1 as any;"), "const a = 1;");
    assert_eq!(
        code("interface I { a: string }\nexport default 1 satisfies number;"),
        "export default 1;"
    );
    assert_eq!(
        code("import { A, B } from './x.ts';\nimport type { C } from './y.ts';\nconst a: B = A;"),
        "import { A } from './x.ts';\nconst a = A;".replace('\'', "\"")
    );
}

#[test]
fn what_needs_code_gets_code() {
    assert!(code("enum Color { Red, Blue = 4 } f(Color.Red);").contains("\"Blue\"] = 4"));
    assert!(code("namespace N { export const a = 1; } f(N.a);").contains("N.a = 1"));
    assert!(code("class P { constructor(private a: number) {} } f(P);").contains("this.a = a"));
    assert!(code("import x = require('y'); f(x);").contains("= require(\"y\")"));
    assert!(code("function f() {} export = f;").contains("module.exports = f"));
}

#[test]
fn decorators_use_the_helpers() {
    let made = code("function d(...a: any[]) {} class A { @d m(@d p: string) {} }");
    for name in ["decorate", "decorateParam"] {
        let full = format!("@oxc-project/runtime/helpers/{name}");
        assert!(made.contains(&full), "{made}");
        assert!(helper(&full).is_some());
    }
    assert!(helper("@oxc-project/runtime/helpers/other").is_none());
}

#[test]
fn places_lead_back() {
    let text = "interface A {\n  a: string;\n}\n\nexport function f(): void {\n  throw new Error('x');\n}\n";
    let compiled = compile("/a/b.ts", text).unwrap();
    let line = compiled
        .code
        .lines()
        .position(|l| l.contains("throw"))
        .unwrap()
        + 1;
    let column = compiled
        .code
        .lines()
        .nth(line - 1)
        .unwrap()
        .find("new")
        .unwrap()
        + 1;
    let place = compiled.map.original(line, column).unwrap();
    assert_eq!((place.line, place.column), (6, 9));
}

#[test]
fn maps_of_other_tools_are_read() {
    let json = r#"{"version":3,"sources":["../src/a.js"],"sourcesContent":["let a"],"names":[],"mappings":"AAAA;AACA"}"#;
    let map = Map::parse(json).unwrap();
    let place = map.original(2, 5).unwrap();
    assert_eq!(
        (place.file, place.line, place.column),
        ("../src/a.js", 2, 1)
    );
    assert_eq!(place.text, Some("let a"));
    assert!(map.original(9, 1).is_none());
    assert!(Map::parse("{").is_err());
}

#[test]
fn problems_have_places() {
    let problems = compile("a.ts", "const a: number = 1;\nlet x: = 3;").unwrap_err();
    assert_eq!(problems[0].place, Some((2, 8)));
    assert!(!problems[0].message.is_empty());
}

#[test]
fn deep_texts_are_compiled_or_refused() {
    let nested = |depth: usize| format!("f({}1{});", "(".repeat(depth), ")".repeat(depth));
    // A virtual user's stack is no larger.
    let on_small_stack = |text: String| {
        let thread = std::thread::Builder::new().stack_size(256 << 10);
        let compiling = thread.spawn(move || compile("a.ts", &text).map(|made| made.code));
        compiling.unwrap().join().unwrap()
    };
    assert!(on_small_stack(nested(9_000)).is_ok());
    assert!(on_small_stack(vec!["a"; 3_000].join("+")).is_ok());
    let refused = on_small_stack(nested(20_000)).unwrap_err();
    assert_eq!(refused[0].message, "brackets are nested deeper than 10000");
    assert_eq!(refused[0].place, Some((1, 10_002)));
}

#[test]
fn problems_are_told_up_to_a_limit() {
    let problems = compile("a.ts", &"const a = 1;\n".repeat(20)).unwrap_err();
    assert!((1..=5).contains(&problems.len()), "{problems:?}");
}
