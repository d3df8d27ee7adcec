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

#[test]
fn properties_of_functions_are_there_whenever_somebody_looks() {
    let script = "
        const names = (f) => Object.getOwnPropertyNames(f).join();
        const made = () => { const inner = function (a) {}; return inner; };
        const unnamed = () => () => {};
        export default function () {
            function f(x, y) {}
            const show = (...all) => console.log(all.map(String).join(' '));
            show(names(f), f.name, f.length, JSON.stringify(Object.getOwnPropertyDescriptor(f, 'name')));
            show(names(made()), made().name + made().name, unnamed().name === '', names(unnamed()));
            const object = { a: function () {}, b: () => 1, c() {}, ['d' + 1]: () => 2, get e() { return 3; } };
            show(Object.values(Object.getOwnPropertyDescriptors(object)).map((d) => (d.value || d.get).name));
            function added() {} added.more = 1; show(names(added), Object.keys(added));
            function removed() {} show(delete removed.name, names(removed), removed.name === '');
            function frozen() {} Object.freeze(frozen); show(names(frozen), Object.isFrozen(frozen));
            function closed() {} Object.preventExtensions(closed); show(names(closed), Object.isExtensible(closed));
            function orphan() {} Object.setPrototypeOf(orphan, null); show(names(orphan), typeof orphan.call);
            function named() {} Object.defineProperty(named, 'name', { value: 'other' }); show(named.name, names(named));
            function Shape() {} Shape.prototype.side = 2;
            show(new Shape().side, Shape.prototype.constructor === Shape, new Shape() instanceof Shape);
            function replaced() {} replaced.prototype = { side: 3 }; show(new replaced().side);
            show('name' in f, 'prototype' in unnamed, Reflect.has(unnamed, 'length'), f.hasOwnProperty('prototype'));
            for (const key in f) show('never', key);
            show(JSON.stringify({ ...f }), f.bind(null, 1).name, f.bind(null, 1).length);
            const all = []; for (let i = 0; i < 3; i++) { const each = () => i; all.push(each.name + each()); } show(all);
            let given; ({ given = function () {} } = {}); show(given.name, [function () {}][0].name === '');
            class Base { static make = () => 1; } class Derived extends Base {}
            show(names(Base), Base.make.name, names(Derived), Derived.name);
        }";
    assert_eq!(
        printed(script)[..16],
        [
            r#"length,name,prototype f 2 {"value":"f","writable":false,"enumerable":false,"configurable":true}"#,
            "length,name,prototype innerinner true length,name",
            "a,b,c,d1,get e",
            "length,name,prototype,more more",
            "true length,prototype true",
            "length,name,prototype true",
            "length,name,prototype false",
            "length,name,prototype undefined",
            "other length,name,prototype",
            "2 true true",
            "3",
            "true false true true",
            "{} bound f 1",
            "each0,each1,each2",
            "given true",
            "length,name,prototype,make make length,name,prototype Derived",
        ]
    );
}

#[test]
fn jobs_left_by_an_exception_belong_to_the_iteration_that_threw() {
    let script = "
        export default function () {
            const now = __ITER;
            Promise.resolve().then(() => console.log('job of', now, 'in', __ITER)).then(() => { throw new Error('later'); });
            setTimeout(() => console.log('timer of', now), 1);
            if (now === 0) throw new Error('now');
        }";
    let options = json!({ "vus": 1, "iterations": 2 });
    let ran = Test::new(script).options(options).run();
    assert_eq!(ran.console(), ["job of 0 in 0", "job of 1 in 1"]);
    let told = ran.exceptions();
    assert!(
        matches!(told[..], [now, later] if now.contains("now") && later.contains("later")),
        "{told:?}"
    );
}

#[test]
fn a_method_taken_off_its_object_knows_whose_it_was() {
    let script = "
        import { Counter, Trend } from 'k6/metrics';
        import { parseHTML } from 'k6/html';
        import crypto from 'k6/crypto';
        import http from 'k6/http';
        const [one, two] = [new Counter('one'), new Trend('two')];
        const page = parseHTML('<p id=a>x</p><p>y</p>');
        class Own extends Counter { add(n) { return ['own', super.add(n)]; } }
        const own = new Own('own');
        export default function () {
            const { add } = one;
            const name = 'add';
            const { [name]: other, ...rest } = two;
            console.log(add(1), other(2), [one, two].map((m) => m.add).map((f) => f(3)).join(), rest.name);
            const [{ find }, { set, cookiesForURL }] = [page, http.cookieJar()];
            set('http://x.test/', 'k', 'v');
            console.log(find('p').text(), JSON.stringify(cookiesForURL('http://x.test/')));
            const { id, textContent } = find('p').get(0);
            const { update, digest } = crypto.createHash('md5');
            update('a');
            console.log(id(), textContent(), digest('hex'), one.add.call(two, 1), one?.add(1));
            console.log(own.add(1).join(), typeof own.add, Own.prototype.add.call(own, 2).join());
            let alone = 'nothing';
            try { const { add } = Counter.prototype; add(1); } catch (error) { alone = error.name; }
            console.log(alone, Counter.prototype.add === Counter.prototype.add, Counter.prototype.add.call(one, 1));
        }";
    let lines = printed(script);
    assert_eq!(
        lines,
        [
            "true true true,true two",
            "xy {\"k\":[\"v\"]}",
            "a x 0cc175b9c0f1b6a831c399e269772661 true true",
            "own,true function own,true",
            "TypeError true true",
        ]
    );
}
