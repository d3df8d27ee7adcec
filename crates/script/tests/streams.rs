//! The module `k6/experimental/streams`: what the standard says of streams, from a script's view.

mod harness;

use harness::Test;

/// What an async function body prints.
fn printed(body: &str) -> Vec<String> {
    let script = format!(
        "import {{ ReadableStream, ReadableStreamDefaultReader, WritableStream, WritableStreamDefaultWriter,
             CountQueuingStrategy }} from 'k6/experimental/streams';
         const failure = async (what) => {{
             try {{ await what(); return 'no error'; }} catch (e) {{ return e.name ? `${{e.name}}: ${{e.message}}` : String(e); }}
         }};
         const turn = () => new Promise((done) => setTimeout(done, 0));
         const all = async (stream) => {{
             const list = [];
             for await (const chunk of stream) list.push(chunk);
             return list.join();
         }};
         export default async function () {{\n{body}\n}}"
    );
    let ran = Test::new(&script).run();
    assert_eq!(ran.exceptions(), Vec::<&str>::new());
    ran.console().into_iter().map(str::to_owned).collect()
}

#[test]
fn chunks_come_in_order_and_end() {
    let lines = printed(
        "const stream = new ReadableStream({ start(c) { c.enqueue('a'); c.enqueue({ b: 1 }); console.log(c.desiredSize); c.close(); } });
         console.log(stream.locked, stream instanceof ReadableStream);
         const reader = stream.getReader();
         console.log(stream.locked, reader instanceof ReadableStreamDefaultReader);
         for (let i = 0; i < 3; i++) console.log(JSON.stringify(await reader.read()));
         console.log(await reader.closed);",
    );
    let expected = [
        "-1",
        "false true",
        "true true",
        r#"{"value":"a","done":false}"#,
        r#"{"value":{"b":1},"done":false}"#,
        r#"{"done":true}"#,
        "undefined",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_source_is_pulled_up_to_the_mark_and_again_for_readers() {
    let lines = printed(
        "let n = 0;
         const source = { pull(c) { n++; c.enqueue(n); if (n === 6) c.close(); } };
         const stream = new ReadableStream(source, new CountQueuingStrategy({ highWaterMark: 2 }));
         await turn();
         console.log(n);
         const reader = stream.getReader();
         await reader.read();
         await turn();
         console.log(n);
         reader.releaseLock();
         console.log(await all(stream));
         let asked = 0;
         const lazy = new ReadableStream({ async pull(c) { asked++; await turn(); c.enqueue(asked); } }, { highWaterMark: 0 });
         await turn();
         console.log(asked);
         const one = lazy.getReader();
         const both = await Promise.all([one.read(), one.read()]);
         console.log(both.map((r) => r.value).join(), asked);",
    );
    assert_eq!(lines, ["2", "3", "2,3,4,5,6", "0", "1,2 2"]);
}

#[test]
fn errors_reach_whoever_reads() {
    let lines = printed(
        "const broken = new ReadableStream({ start(c) { c.enqueue(1); c.error(new Error('broken')); } }).getReader();
         console.log(await failure(() => broken.read()), await failure(() => broken.closed));
         const pulling = new ReadableStream({ pull() { throw new RangeError('no more'); } }).getReader();
         console.log(await failure(() => pulling.read()));
         const late = new ReadableStream({ async start() { await turn(); throw 'late'; } }).getReader();
         console.log(await failure(() => late.read()));
         console.log(await failure(() => new ReadableStream({ start() { throw new Error('at once'); } })));
         console.log(await failure(() => new ReadableStream({ start(c) { c.enqueue('x'); } }, { size: () => NaN })));",
    );
    let expected = [
        "Error: broken Error: broken",
        "RangeError: no more",
        "late",
        "Error: at once",
        "RangeError: the size of a chunk must be a finite number from 0",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_reader_has_the_stream_until_it_lets_go() {
    let lines = printed(
        "const stream = new ReadableStream();
         const reader = stream.getReader();
         console.log(await failure(() => stream.getReader()));
         console.log(await failure(() => stream.cancel()));
         const pending = reader.read();
         reader.releaseLock();
         console.log(await failure(() => pending), '|', await failure(() => reader.closed), stream.locked);
         console.log(await failure(() => reader.read()));
         console.log(await failure(() => new ReadableStreamDefaultReader({})));",
    );
    let expected = [
        "TypeError: the stream has a reader already",
        "TypeError: the stream has a reader",
        "TypeError: the reader was released | TypeError: the reader was released false",
        "TypeError: the reader was released",
        "TypeError: a reader wants a ReadableStream",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_cancelled_stream_tells_its_source() {
    let lines = printed(
        "let reason;
         const stream = new ReadableStream({ start(c) { c.enqueue(1); }, cancel(r) { reason = r; return 'ignored'; } });
         console.log(await stream.cancel('enough'), reason, await all(stream));
         console.log(await failure(() => new ReadableStream({ cancel() { throw new Error('never'); } }).cancel()));
         const endless = new ReadableStream({ pull(c) { c.enqueue(0); }, cancel() { reason = 'left'; } });
         for await (const _ of endless) break;
         console.log(reason, endless.locked);",
    );
    assert_eq!(lines, ["undefined enough ", "Error: never", "left false"]);
}

#[test]
fn two_branches_get_the_same_chunks() {
    let lines = printed(
        "let n = 0;
         const [a, b] = new ReadableStream({ pull(c) { c.enqueue(++n); if (n === 3) c.close(); } }).tee();
         console.log(await all(a), await all(b));
         let reason;
         const [c, d] = new ReadableStream({ cancel(r) { reason = r; } }).tee();
         const first = c.cancel('x');
         await Promise.all([first, d.cancel('y')]);
         console.log(reason.join());",
    );
    assert_eq!(lines, ["1,2,3 1,2,3", "x,y"]);
}

#[test]
fn what_makes_no_stream_is_refused() {
    let lines = printed(
        "for (const make of [
             () => new ReadableStream(null),
             () => new ReadableStream(5),
             () => new ReadableStream({ type: 'bytes' }),
             () => new ReadableStream({ type: 'x' }),
             () => new ReadableStream({ pull: 1 }),
             () => new ReadableStream({}, { highWaterMark: -1 }),
             () => new ReadableStream({}, { highWaterMark: 'x' }),
             () => new ReadableStream({}, { size: 5 }),
             () => new ReadableStream().getReader({ mode: 'byob' }),
             () => new CountQueuingStrategy(),
             () => new CountQueuingStrategy({}),
             () => new WritableStream(null),
             () => new WritableStream({ type: 'x' }),
             () => new WritableStreamDefaultWriter({}),
             () => ReadableStream(),
         ]) console.log((await failure(make)).split(':')[0]);",
    );
    let expected = [
        "TypeError",
        "TypeError",
        "NotSupportedError",
        "TypeError",
        "TypeError",
        "RangeError",
        "RangeError",
        "TypeError",
        "NotSupportedError",
        "TypeError",
        "TypeError",
        "TypeError",
        "RangeError",
        "TypeError",
        "TypeError",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn chunks_are_written_one_after_the_other() {
    let lines = printed(
        "const log = [];
         const sink = {
             start() { log.push('start'); },
             async write(chunk) { log.push(`begin ${chunk}`); await turn(); log.push(`end ${chunk}`); },
             close() { log.push('close'); },
         };
         const stream = new WritableStream(sink, { highWaterMark: 2 });
         const writer = stream.getWriter();
         console.log(stream.locked, writer.desiredSize, stream instanceof WritableStream);
         const writes = [writer.write('a'), writer.write('b'), writer.write('c')];
         console.log(writer.desiredSize);
         let ready = false;
         writer.ready.then(() => { ready = true; });
         await writes[0];
         console.log(ready);
         await writes[1];
         await writer.ready;
         await writer.close();
         console.log(await writer.closed, log.join());
         console.log(await failure(() => writer.write('d')));
         writer.releaseLock();
         console.log(stream.locked, await failure(() => writer.write('e')));",
    );
    let expected = [
        "true 2 true",
        "-1",
        "false",
        "undefined start,begin a,end a,begin b,end b,begin c,end c,close",
        "TypeError: the stream is closing or closed",
        "false TypeError: the writer was released",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_sink_that_fails_fails_what_follows() {
    let lines = printed(
        "const writer = new WritableStream({ write() { throw new Error('full'); } }).getWriter();
         console.log(await failure(() => writer.write(1)), await failure(() => writer.write(2)));
         console.log(await failure(() => writer.closed), await failure(() => writer.close()));
         const started = new WritableStream({ async start() { throw 'never'; } }).getWriter();
         console.log(await failure(() => started.write(1)), await failure(() => started.ready));
         let controller;
         const told = new WritableStream({ start(c) { controller = c; } }).getWriter();
         controller.error('stop');
         console.log(await failure(() => told.write(1)));
         const closing = new WritableStream({ close() { throw 'cannot close'; } }).getWriter();
         console.log(await failure(() => closing.close()), await failure(() => closing.closed));",
    );
    let expected = [
        "Error: full Error: full",
        "Error: full TypeError: the stream is over",
        "never never",
        "stop",
        "cannot close cannot close",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn an_abort_gives_up_what_waits() {
    let lines = printed(
        "const log = [];
         const stream = new WritableStream({
             async write(chunk) { log.push(chunk); await turn(); },
             abort(reason) { log.push(`abort ${reason}`); },
         });
         const writer = stream.getWriter();
         await turn();
         const first = writer.write('a');
         const second = writer.write('b');
         const aborted = writer.abort('why');
         console.log(await failure(() => first), await failure(() => second));
         await aborted;
         console.log(log.join(), await failure(() => writer.closed));
         console.log(await failure(() => new WritableStream({ abort() { throw 'no'; } }).abort()));
         console.log(await failure(() => stream.close()));",
    );
    let expected = [
        "no error why",
        "a,abort why why",
        "no",
        "TypeError: the stream has a writer",
    ];
    assert_eq!(lines, expected);
}
