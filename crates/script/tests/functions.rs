//! Functions are read from the bytes all VUs share when they are first called, and no script can tell.

mod harness;

use harness::Test;
use serde_json::json;

/// What VUs print, each the same.
fn printed(script: &str) -> Vec<String> {
    let ran = Test::new(script)
        .options(json!({ "vus": 2, "iterations": 2 }))
        .run();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    let lines: Vec<String> = ran.console().iter().map(|l| (*l).to_owned()).collect();
    let (first, second) = lines.split_at(lines.len() / 2);
    assert_eq!(first, second);
    first.to_vec()
}

#[test]
fn what_was_never_called_looks_like_what_was() {
    let script = "
        function never(a, b = 1, ...c) { return [a, b, c]; }
        async function later(a) { return a; }
        function* some() { yield 1; }
        class Shape { #side = 2; static made = 3; constructor(a, b) {} get area() { return this.#side ** 2; } }
        const arrow = (a) => a;
        export default function () {
            const all = [never, later, some, Shape, arrow];
            console.log(all.map((f) => f.name + f.length).join(' '));
            console.log(all.map((f) => 'prototype' in f).join(' '));
            console.log(all.map((f) => f.lineNumber).join(' '));
            console.log(never.toString() === later.toString(), typeof never.toString());
        }";
    let lines = printed(script);
    assert_eq!(
        lines,
        [
            "never1 later1 some0 Shape2 arrow1",
            "true false true true false",
            "2 3 4 5 6",
            "false string"
        ]
    );
}

#[test]
fn first_calls_of_every_kind() {
    let script = "
        const counter = () => { let n = 0; return { up: () => ++n, get: () => n }; };
        function outer() { const inner = (deep) => deep ? inner(deep - 1) : new.target; return [inner(3), new.target === outer]; }
        class Base { #x = 4; who() { return 'base'; } read() { return this.#x; } static of() { return new this(); } }
        class Derived extends Base { who() { return super.who() + ' derived'; } }
        function* numbers() { yield* [1, 2]; return 3; }
        async function* slowly() { for (const n of [1, 2]) { await null; yield n; } }
        const tag = (strings) => strings;
        const same = () => tag`a${1}b`;
        const object = { get size() { return 7; }, ['com' + 'puted']() { return 8; } };
        const symbol = { *[Symbol.iterator]() { yield 9; } };
        function defaults(a, { b = a } = {}, ...[c]) { return [a, b, c]; }
        const names = /(?<year>\\d+)-(?<month>\\d+)/u;
        const big = () => 12345678901234567890n;
        function evaluated() { return eval('arguments.length + ' + arguments.length); }
        export default async function () {
            const [a, b] = [counter(), counter()];
            a.up(); a.up(); b.up();
            console.log(a.get(), b.get());
            console.log(new outer()[0] === outer, Derived.of().who(), Derived.of().read());
            console.log([...numbers()].join(), [...symbol].join(), object.size, object.computed());
            const seen = [];
            for await (const n of slowly()) seen.push(n);
            console.log(seen.join(), same() === same(), same().raw.join());
            console.log(defaults(1, undefined, 2).join(), '2026-11'.match(names).groups.month, big(), evaluated(1, 2));
        }";
    let lines = printed(script);
    assert_eq!(
        lines,
        [
            "2 1",
            "true base derived 4",
            "1,2 9 7 8",
            "1,2 true a,b",
            "1,1,2 11 12345678901234567890 4"
        ]
    );
}

#[test]
fn errors_in_functions_called_for_the_first_time_have_their_place() {
    let script = "
        function thrower() {
            const inner = () => {
                throw new Error('here');
            };
            inner();
        }
        function early() { return later; let later; }
        export default function () {
            try { thrower(); } catch (e) { console.log(e.stack.split('\\n').slice(0, 2).map((l) => l.replace(/\\(.*?(:\\d+:\\d+)\\)/, '$1').trim()).join(' ')); }
            try { early(); } catch (e) { console.log(e.message); }
            try { Reflect.construct(() => 1, []); } catch (e) { console.log(e.name); }
        }";
    let lines = printed(script);
    assert_eq!(
        lines,
        [
            "at inner :4:27 at thrower :6:13",
            "later is not initialized",
            "TypeError"
        ]
    );
}
