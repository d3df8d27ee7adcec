//! What paths find, and that no path and no text hurts.

use proptest::prelude::*;

use super::{as_text, is_valid, query, query_unknown};

const DOCUMENT: &str = r##"{
  "name": {"first": "Tom", "last": "Anderson"},
  "age": 37,
  "children": ["Sara", "Alex", "Jack"],
  "fav.movie": "Deer Hunter",
  "friends": [
    {"first": "Dale", "last": "Murphy", "age": 44, "nets": ["ig", "fb", "tw"]},
    {"first": "Roger", "last": "Craig", "age": 68, "nets": ["fb", "tw"]},
    {"first": "Jane", "last": "Murphy", "age": 47, "nets": ["ig", "tw"]}
  ],
  "nil": null,
  "flag": [{"a": 1, "b": true}, {"a": 2, "b": "0"}, {"a": 3, "b": null}, {"a": 4}],
  "deep": [1, [2, [3, [4]]], 5],
  "nested": {"ab": {"y": 2}, "abc": {"x": 3}},
  "columns": {"id": ["1", "2"], "val": [7]},
  "text": "[1,2]"
}"##;

/// Each line is a path, an arrow and what it finds, `-` for nothing.
fn check(lines: &str) {
    for line in lines.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let (path, wanted) = line.split_once(" -> ").expect("an arrow");
        let found = query(DOCUMENT, path.trim());
        assert_eq!(found.as_deref().unwrap_or("-"), wanted, "{path}");
    }
}

#[test]
fn keys_and_indexes() {
    check(
        r##"
        name.last -> "Anderson"
        age -> 37
        nil -> null
        nil.x -> -
        children.1 -> "Alex"
        children.3 -> -
        children.x -> -
        child*.2 -> "Jack"
        c?ildren.0 -> "Sara"
        fav\.movie -> "Deer Hunter"
        nested.a*.x -> 3
        "##,
    );
}

#[test]
fn arrays_and_queries() {
    check(
        r##"
        friends.# -> 3
        friends.#.first -> ["Dale","Roger","Jane"]
        friends.#.zzz -> []
        friends.#(last=="Murphy").first -> "Dale"
        friends.#(last=="Murphy")#.first -> ["Dale","Jane"]
        friends.#(last=="Nobody").first -> -
        friends.#(last=="Nobody")# -> []
        friends.#(age>45)#.last -> ["Craig","Murphy"]
        friends.#(first%"D*").last -> "Murphy"
        friends.#(first!%"D*")#.age -> [68,47]
        friends.#(nets.#(=="fb"))#.first -> ["Dale","Roger"]
        friends.#(last=="Murphy")#|0.age -> 44
        children.#(!="Sara")# -> ["Alex","Jack"]
        flag.#(b==~true)#.a -> [1]
        flag.#(b==~false)#.a -> [2,3,4]
        flag.#(b==~null)#.a -> [3,4]
        flag.#(b==~*)#.a -> [1,2,3]
        friends.#(last=="Murphy -> -
        "##,
    );
}

#[test]
fn pipes_modifiers_and_literals() {
    check(
        r##"
        children.@reverse -> ["Jack","Alex","Sara"]
        children|@reverse|0 -> "Jack"
        children.@reverse.0 -> "Jack"
        friends.#.first|# -> 3
        name.@keys -> ["first","last"]
        name.@values -> ["Tom","Anderson"]
        zzz.@keys -> []
        deep.@flatten -> [1,2,[3, [4]],5]
        deep.@flatten:{"deep":true} -> [1,2,3,4,5]
        friends.@join.first -> "Jane"
        columns.@group -> [{"id":"1","val":7},{"id":"2"}]
        text.@fromstr.1 -> 2
        age.@tostr -> "37"
        @dig:nets.0 -> ["ig","fb","ig"]
        @this.age -> 37
        !"literal" -> "literal"
        !5 -> 5
        !unknown -> -
        !.age -> -
        @unknown -> -
        "##,
    );
}

#[test]
fn multipaths_and_lines() {
    check(
        r##"
        {name.first,age} -> {"first":"Tom","age":37}
        {"x":name.first,y:age,zzz} -> {"x":"Tom","y":37}
        {friends.#} -> {"_":3}
        [name.first,nil,zzz] -> ["Tom",null]
        [name.first,age].1 -> 37
        friends.#.{first,"n":nets.#}|1 -> {"first":"Roger","n":2}
        name.[first,last].0 -> "Tom"
        {"s":!"hi",age} -> {"s":"hi","age":37}
        {@this.age} -> {"age":37}
        ..# -> 1
        ..#.age -> [37]
        ..0.name.first -> "Tom"
        {name -> -
        "##,
    );
}

#[test]
fn strings_are_decoded() {
    assert_eq!(as_text(r#""a\n\u00e9\ud83d\ude00""#).unwrap(), "a\né😀");
    assert_eq!(as_text(r#""\ud800x""#).unwrap(), "\u{fffd}x");
    assert_eq!(as_text("5"), None);
    assert_eq!(query(r#"{"\u0061b":1}"#, "ab").unwrap(), "1");
}

#[test]
fn deep_documents_and_paths_do_not_use_the_stack() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert!(is_valid(&deep));
    assert_eq!(query(&deep, "#").unwrap(), "1");
    let deep = &deep[99_000..101_000];
    assert_eq!(query(deep, "@flatten:{\"deep\":true}").unwrap(), "[]");
    assert_eq!(query(deep, &"0.".repeat(10_000)), None);
    assert_eq!(query(deep, &"[".repeat(10_000)), None);
}

proptest! {
    #[test]
    fn any_path_gives_valid_json_or_nothing(path in r##"([a-z*?#.|@:!\\"(){}\[\]=<>%~,0-9 é]|name|friends|age|#\(|\)#|@reverse|@keys|@this){0,12}"##) {
        if let Some(found) = query(DOCUMENT, &path) {
            // Literals are copied as they stand.
            prop_assert!(path.contains('!') || is_valid(&found), "{path} -> {found}");
        }
    }

    #[test]
    fn broken_documents_are_survived(document in "\\PC{0,40}", path in "\\PC{0,12}") {
        let _ = query(&document, &path);
    }
}

/// Text that is JSON or nearly so.
fn nearly_json() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"b\"",
        "\"long enough for eight\"",
        "\"\\u00e9\"",
        "\"\\q\"",
        "\"\n\"",
        "\"é\"",
        "0",
        "1",
        "-1",
        "01",
        "1.5",
        "1.",
        "2e3",
        "2e",
        "true",
        "false",
        "null",
        "nul",
        " ",
        "\n",
        "\"",
        "{\"a\":1}",
        "{\"a\":{\"b\":[1,2]},\"a\":{\"c\":3}}",
        "[1,{\"a\":2}]",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn valid_is_what_serde_takes(text in nearly_json()) {
        let wanted = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(is_valid(&text), wanted, "{}", text);
    }

    #[test]
    fn a_plain_path_finds_the_same_in_one_pass(
        text in nearly_json(),
        path in prop::sample::select(vec!["a", "b", "a.b", "a.c", "0", "1.a", "a.b.1", "a.", ".a", "9", "a.b.c.d"]),
    ) {
        let text = format!("[{text}]");
        for text in [text.as_str(), &text[1..text.len() - 1]] {
            let wanted = is_valid(text).then(|| query(text, path));
            prop_assert_eq!(query_unknown(text.as_bytes(), path), wanted, "{} in {}", path, text);
        }
    }
}

proptest! {
    #[test]
    fn what_is_no_text_is_found_as_if_it_were_replaced(
        pieces in prop::collection::vec(prop::sample::select(vec![
            &b"x"[..], b"\"", b"\xff", b"\xe2\x82", b"\xc3\xa9", b"\\u00e9", b"\\\"", b"\":\"", b"\",\"", b"\"a\":",
        ]), 0..8),
        path in prop::sample::select(vec!["a", "x", "a.#", "@this"]),
    ) {
        let bytes = [&b"{\"a\":\""[..], &pieces.concat(), b"\"}"].concat();
        let text = String::from_utf8_lossy(&bytes);
        prop_assert_eq!(query_unknown(&bytes, path), query_unknown(text.as_bytes(), path));
    }
}

#[test]
fn one_pass_finds_what_the_walk_finds() {
    let paths = "name.last age children.1 friends.2.nets.0 friends.9 nil deep.1.1.1.0 nested.abc.x columns.val.0 text name";
    for path in paths.split(' ') {
        assert_eq!(
            query_unknown(DOCUMENT.as_bytes(), path),
            Some(query(DOCUMENT, path)),
            "{path}"
        );
        assert_eq!(
            query_unknown(&DOCUMENT.as_bytes()[..DOCUMENT.len() - 2], path),
            None
        );
    }
}

proptest! {
    #[test]
    fn nothing_depends_on_where_blocks_of_bytes_begin(
        text in nearly_json(),
        before in 0_usize..130,
        escapes in 0_usize..130,
    ) {
        let text = format!("{}[\"{}\",{text}]", " ".repeat(before), r#"\""#.repeat(escapes));
        let wanted = serde_json::from_str::<serde::de::IgnoredAny>(&text).is_ok();
        prop_assert_eq!(is_valid(&text), wanted, "{}", text);
        let wanted = wanted.then(|| query(text.trim(), "1"));
        prop_assert_eq!(query_unknown(text.as_bytes(), "1"), wanted, "{}", text);
    }
}
