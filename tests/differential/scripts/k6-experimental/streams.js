// mask: errors
import {
  CountQueuingStrategy,
  ReadableStream,
  ReadableStreamDefaultReader,
  WritableStream,
  WritableStreamDefaultWriter,
} from 'k6/experimental/streams';
import { cases, throws } from '../lib/cases.js';

const fails = async (what) => {
  try {
    return await what();
  } catch (e) {
    return `fails${e instanceof Error ? '' : ` ${e}`}`;
  }
};
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const reading = async (reader) => {
  const chunks = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks;
    chunks.push(value);
  }
};
const all = (stream) => reading(stream.getReader());
const filled = (...chunks) =>
  new ReadableStream({
    start(c) {
      for (const chunk of chunks) c.enqueue(chunk);
      c.close();
    },
  });

export default cases({
  'read all': () => all(filled('a', 1, null, { b: [2] })),
  'read nothing': () => all(filled()),
  'read after the end': async () => {
    const reader = filled('a').getReader();
    await reader.read();
    await reader.read();
    return reader.read();
  },
  'closed': async () => {
    const reader = filled().getReader();
    return String(await reader.closed);
  },
  'locked': () => {
    const stream = filled('a');
    const before = stream.locked;
    stream.getReader();
    return [before, stream.locked];
  },
  'second reader': () => {
    const stream = filled('a');
    stream.getReader();
    return throws(() => stream.getReader());
  },
  'reader by constructor': () => reading(new ReadableStreamDefaultReader(filled(1, 2))),
  'reader of no stream': () => throws(() => new ReadableStreamDefaultReader(5)),
  'release and read on': async () => {
    const stream = filled(1, 2);
    const first = stream.getReader();
    await first.read();
    first.releaseLock();
    return [stream.locked, await all(stream)];
  },
  'release while reading': async () => {
    const reader = new ReadableStream().getReader();
    const pending = reader.read();
    reader.releaseLock();
    return fails(() => pending);
  },
  'read when released': async () => {
    const reader = filled(1).getReader();
    reader.releaseLock();
    return fails(() => reader.read());
  },
  'desired size': () => {
    const sizes = [];
    new ReadableStream(
      {
        start(c) {
          sizes.push(c.desiredSize);
          c.enqueue(1);
          sizes.push(c.desiredSize);
          c.close();
          sizes.push(c.desiredSize);
        },
      },
      { highWaterMark: 3 },
    );
    return sizes;
  },
  'sizes of chunks': () => {
    let size;
    new ReadableStream(
      {
        start(c) {
          c.enqueue('abc');
          size = c.desiredSize;
        },
      },
      { highWaterMark: 10, size: (chunk) => chunk.length },
    );
    return size;
  },
  'pull to the mark': async () => {
    let count = 0;
    new ReadableStream({ pull: (c) => c.enqueue(count++) }, new CountQueuingStrategy({ highWaterMark: 4 }));
    await wait(5);
    return count;
  },
  'pull on demand': async () => {
    let count = 0;
    const stream = new ReadableStream({
      pull(c) {
        c.enqueue(++count);
        if (count === 5) c.close();
      },
    });
    return [await all(stream), count];
  },
  'pull that takes time': async () => {
    let count = 0;
    const stream = new ReadableStream({
      async pull(c) {
        await wait(2);
        c.enqueue(++count);
        if (count === 3) c.close();
      },
    });
    return all(stream);
  },
  'start that takes time': () =>
    all(
      new ReadableStream({
        async start(c) {
          await wait(2);
          c.enqueue('late');
          c.close();
        },
      }),
    ),
  'enqueue when closed': () => {
    let result;
    new ReadableStream({
      start(c) {
        c.close();
        result = [throws(() => c.enqueue(1)), throws(() => c.close())];
      },
    });
    return result;
  },
  'error': () => fails(() => new ReadableStream({ start: (c) => c.error(new Error('x')) }).getReader().read()),
  'error that is no Error': () => fails(() => new ReadableStream({ start: (c) => c.error('x') }).getReader().read()),
  'error drops chunks': () =>
    fails(() =>
      new ReadableStream({
        start(c) {
          c.enqueue(1);
          c.error('x');
        },
      })
        .getReader()
        .read(),
    ),
  'start throws': () =>
    throws(() => {
      new ReadableStream({
        start() {
          throw new Error('x');
        },
      });
    }),
  'pull throws': () =>
    fails(() =>
      new ReadableStream({
        pull() {
          throw new Error('x');
        },
      })
        .getReader()
        .read(),
    ),
  'cancel': async () => {
    let reason;
    const stream = new ReadableStream({ cancel: (r) => ((reason = r), 'ignored') });
    return [String(await stream.cancel('why')), reason];
  },
  'cancel by the reader': async () => {
    let reason;
    const reader = new ReadableStream({ cancel: (r) => (reason = r) }).getReader();
    await reader.cancel('why');
    return [reason, await reader.read()];
  },
  'cancel when locked': () => {
    const stream = new ReadableStream();
    stream.getReader();
    return fails(() => stream.cancel());
  },
  'source of null': () => throws(() => new ReadableStream(null)),
  'source of a number': () => throws(() => new ReadableStream(5)),
  'bytes': () => throws(() => new ReadableStream({ type: 'bytes' })),
  'type of nonsense': () => throws(() => new ReadableStream({ type: 'x' })),
  'mode byob': () => throws(() => new ReadableStream().getReader({ mode: 'byob' })),
  'negative mark': () => throws(() => new ReadableStream({}, { highWaterMark: -1 })),
  'mark of text': () => throws(() => new ReadableStream({}, { highWaterMark: 'x' })),
  'size of a number': () => throws(() => new ReadableStream({}, { size: 5 })),
  'strategy': () => {
    const strategy = new CountQueuingStrategy({ highWaterMark: 3 });
    return [strategy.highWaterMark, strategy.size(), strategy.size('abc')];
  },
  'strategy without a mark': () => throws(() => new CountQueuingStrategy({})),
  'strategy without anything': () => throws(() => new CountQueuingStrategy()),
  'write': async () => {
    const log = [];
    const stream = new WritableStream({
      start: () => log.push('start'),
      write: (chunk) => log.push(chunk),
      close: () => log.push('close'),
    });
    const writer = stream.getWriter();
    await writer.ready;
    await writer.write('a');
    writer.write({ b: 1 });
    await writer.close();
    await writer.closed;
    return log;
  },
  'classes': () => {
    const stream = new WritableStream();
    return [stream instanceof WritableStream, stream.getWriter() instanceof WritableStreamDefaultWriter];
  },
  'writer locks': () => {
    const stream = new WritableStream();
    const before = stream.locked;
    const writer = stream.getWriter();
    const during = stream.locked;
    const second = throws(() => stream.getWriter());
    writer.releaseLock();
    return [before, during, second, stream.locked];
  },
  'room for chunks': () => {
    const writer = new WritableStream({ write: () => wait(1) }, { highWaterMark: 2 }).getWriter();
    const sizes = [writer.desiredSize];
    for (let i = 0; i < 3; i++) {
      writer.write(i);
      sizes.push(writer.desiredSize);
    }
    return sizes;
  },
  'write when closed': async () => {
    const writer = new WritableStream().getWriter();
    await writer.close();
    return fails(() => writer.write(1));
  },
  'close twice': async () => {
    const writer = new WritableStream().getWriter();
    await writer.close();
    return fails(() => writer.close());
  },
  'write throws': async () => {
    const writer = new WritableStream({
      write() {
        throw new Error('x');
      },
    }).getWriter();
    return [await fails(() => writer.write(1)), await fails(() => writer.write(2)), await fails(() => writer.closed)];
  },
  'abort': async () => {
    let reason;
    const stream = new WritableStream({ abort: (r) => (reason = r) });
    await stream.abort('why');
    return [reason, await fails(() => stream.getWriter().write(1))];
  },
  'controller errors': async () => {
    let controller;
    const writer = new WritableStream({ start: (c) => (controller = c) }).getWriter();
    controller.error('x');
    return fails(() => writer.write(1));
  },
});
