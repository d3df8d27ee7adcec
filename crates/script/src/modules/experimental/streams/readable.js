// ReadableStream with its reader and controller. https://streams.spec.whatwg.org/#rs
// Leaves out streams of bytes and pipes. A stream's state is in its slots, which scripts cannot reach.
((shared) => {
  'use strict';
  const { Queue, deferred, fulfilled, method, named, promised, quiet, rejected, strategyOf, underlying } = shared;

  let streamSlots;
  let readerSlots;

  const closeStream = (stream) => {
    stream.state = 'closed';
    const { reader } = stream;
    if (reader === undefined) return;
    reader.closed.resolve(undefined);
    for (const request of reader.requests.splice(0)) request.close();
  };

  const errorStream = (stream, error) => {
    stream.state = 'errored';
    stream.error = error;
    const { reader } = stream;
    if (reader === undefined) return;
    quiet(reader.closed).reject(error);
    for (const request of reader.requests.splice(0)) request.error(error);
  };

  const cancelStream = (stream, reason) => {
    stream.disturbed = true;
    if (stream.state === 'closed') return Promise.resolve(undefined);
    if (stream.state === 'errored') return Promise.reject(stream.error);
    closeStream(stream);
    const { controller } = stream;
    controller.queue.clear();
    const cancel = controller.cancel;
    forget(controller);
    return promised(() => cancel && cancel(reason)).then(() => undefined);
  };

  // Without its source, so that the source can be freed.
  const forget = (controller) => {
    controller.pull = undefined;
    controller.cancel = undefined;
  };

  const mayEnqueue = (controller) => !controller.closeRequested && controller.stream.state === 'readable';

  const desired = (controller) => {
    const { state } = controller.stream;
    if (state === 'errored') return null;
    return state === 'closed' ? 0 : controller.mark - controller.queue.total;
  };

  const fail = (controller, error) => {
    if (controller.stream.state !== 'readable') return;
    controller.queue.clear();
    forget(controller);
    errorStream(controller.stream, error);
  };

  const shouldPull = (controller) => {
    if (!controller.started || !mayEnqueue(controller)) return false;
    const { reader } = controller.stream;
    return (reader !== undefined && reader.requests.length > 0) || desired(controller) > 0;
  };

  const pullIfNeeded = (controller) => {
    if (!shouldPull(controller)) return;
    if (controller.pulling) {
      controller.pullAgain = true;
      return;
    }
    controller.pulling = true;
    const { pull, face } = controller;
    promised(() => pull && pull(face)).then(
      () => {
        controller.pulling = false;
        if (controller.pullAgain) {
          controller.pullAgain = false;
          pullIfNeeded(controller);
        }
      },
      (error) => fail(controller, error),
    );
  };

  const close = (controller) => {
    controller.closeRequested = true;
    if (!controller.queue.isEmpty) return;
    forget(controller);
    closeStream(controller.stream);
  };

  const enqueue = (controller, chunk) => {
    const { reader } = controller.stream;
    if (reader !== undefined && reader.requests.length > 0) {
      reader.requests.shift().chunk(chunk);
    } else {
      try {
        controller.queue.put(chunk, controller.size(chunk));
      } catch (error) {
        fail(controller, error);
        throw error;
      }
    }
    pullIfNeeded(controller);
  };

  // One read: `request` is told of the chunk, the end or the error.
  const readOne = (stream, request) => {
    stream.disturbed = true;
    if (stream.state === 'closed') return request.close();
    if (stream.state === 'errored') return request.error(stream.error);
    const { controller } = stream;
    if (controller.queue.isEmpty) {
      stream.reader.requests.push(request);
      pullIfNeeded(controller);
      return undefined;
    }
    const chunk = controller.queue.take();
    if (controller.closeRequested && controller.queue.isEmpty) {
      forget(controller);
      closeStream(stream);
    } else {
      pullIfNeeded(controller);
    }
    return request.chunk(chunk);
  };

  // Only this file makes controllers.
  const KEY = {};

  class ReadableStreamDefaultController {
    #slots;

    constructor(key, slots) {
      if (key !== KEY) throw new TypeError('a controller cannot be constructed');
      this.#slots = slots;
    }

    get desiredSize() {
      return desired(this.#slots);
    }

    close() {
      if (!mayEnqueue(this.#slots)) throw new TypeError('the stream is closed or cannot be closed');
      close(this.#slots);
    }

    enqueue(chunk) {
      if (!mayEnqueue(this.#slots)) throw new TypeError('the stream is closed or cannot take a chunk');
      enqueue(this.#slots, chunk);
    }

    error(reason) {
      fail(this.#slots, reason);
    }
  }

  // Gives a stream its controller and starts the source.
  const setUp = (stream, { start, pull, cancel, mark, size }) => {
    const controller = {
      stream,
      queue: new Queue(),
      started: false,
      closeRequested: false,
      pulling: false,
      pullAgain: false,
      pull,
      cancel,
      mark,
      size,
    };
    controller.face = new ReadableStreamDefaultController(KEY, controller);
    stream.controller = controller;
    const begun = start && start(controller.face);
    Promise.resolve(begun).then(
      () => {
        controller.started = true;
        pullIfNeeded(controller);
      },
      (error) => fail(controller, error),
    );
  };

  class ReadableStream {
    #slots = { state: 'readable', reader: undefined, error: undefined, disturbed: false };

    static {
      streamSlots = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
    }

    constructor(source, strategy) {
      const from = underlying(source, 'the underlying source');
      const { type } = from;
      if (type !== undefined) {
        if (String(type) === 'bytes') throw named('NotSupportedError', 'streams of bytes are not supported');
        throw new TypeError(`${String(type)} is no type of a source`);
      }
      const { mark, size } = strategyOf(strategy, 1);
      const [start, pull, cancel] = ['start', 'pull', 'cancel'].map((name) => method(from, name));
      setUp(this.#slots, { start, pull, cancel, mark, size });
    }

    get locked() {
      return this.#slots.reader !== undefined;
    }

    cancel(reason) {
      const slots = streamSlots(this);
      if (slots === undefined) return Promise.reject(new TypeError('this is no ReadableStream'));
      if (slots.reader !== undefined) return Promise.reject(new TypeError('the stream has a reader'));
      return cancelStream(slots, reason);
    }

    getReader(options) {
      const mode = options === undefined || options === null ? undefined : options.mode;
      if (mode !== undefined) {
        if (String(mode) === 'byob') throw named('NotSupportedError', 'readers of bytes are not supported');
        throw new TypeError(`${String(mode)} is no mode of a reader`);
      }
      return new ReadableStreamDefaultReader(this);
    }

    tee() {
      const slots = streamSlots(this);
      if (slots === undefined) throw new TypeError('this is no ReadableStream');
      return split(this);
    }

    async *values({ preventCancel = false } = {}) {
      const reader = this.getReader();
      let over = false;
      try {
        for (;;) {
          const { done, value } = await reader.read().catch((error) => {
            over = true;
            throw error;
          });
          if (done) {
            over = true;
            return;
          }
          yield value;
        }
      } finally {
        if (!over && !preventCancel) await reader.cancel();
        reader.releaseLock();
      }
    }
  }

  Object.defineProperty(ReadableStream.prototype, Symbol.asyncIterator, {
    value: ReadableStream.prototype.values,
    configurable: true,
    writable: true,
  });

  class ReadableStreamDefaultReader {
    #slots;

    static {
      readerSlots = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
    }

    constructor(stream) {
      const slots = streamSlots(stream);
      if (slots === undefined) throw new TypeError('a reader wants a ReadableStream');
      if (slots.reader !== undefined) throw new TypeError('the stream has a reader already');
      this.#slots = { stream: slots, requests: [], closed: closedOf(slots) };
      slots.reader = this.#slots;
    }

    get closed() {
      return this.#slots.closed.promise;
    }

    read() {
      const slots = readerSlots(this);
      if (slots === undefined) return Promise.reject(new TypeError('this is no ReadableStreamDefaultReader'));
      if (slots.stream === undefined) return Promise.reject(new TypeError('the reader was released'));
      return new Promise((resolve, reject) => {
        readOne(slots.stream, {
          chunk: (value) => resolve({ value, done: false }),
          close: () => resolve({ value: undefined, done: true }),
          error: reject,
        });
      });
    }

    cancel(reason) {
      const slots = readerSlots(this);
      if (slots === undefined) return Promise.reject(new TypeError('this is no ReadableStreamDefaultReader'));
      if (slots.stream === undefined) return Promise.reject(new TypeError('the reader was released'));
      return cancelStream(slots.stream, reason);
    }

    releaseLock() {
      const slots = this.#slots;
      const { stream } = slots;
      if (stream === undefined) return;
      const error = new TypeError('the reader was released');
      if (stream.state === 'readable') quiet(slots.closed).reject(error);
      else slots.closed = rejected(error);
      stream.reader = undefined;
      slots.stream = undefined;
      for (const request of slots.requests.splice(0)) request.error(error);
    }
  }

  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  const closedOf = (stream) => {
    if (stream.state === 'readable') return quiet(deferred());
    return stream.state === 'closed' ? fulfilled(undefined) : rejected(stream.error);
  };

  // Two streams with the chunks of one.
  const split = (stream) => {
    const reader = stream.getReader();
    const branches = [];
    const cancelled = [undefined, undefined];
    const whole = deferred();
    let reading = false;
    let again = false;
    const pull = async () => {
      if (reading) {
        again = true;
        return;
      }
      reading = true;
      const open = branches.filter((_, at) => cancelled[at] === undefined);
      try {
        const { done, value } = await reader.read();
        for (const branch of open) {
          if (branch.closeRequested || branch.stream.state !== 'readable') continue;
          if (done) close(branch);
          else enqueue(branch, value);
        }
        if (done) whole.resolve(undefined);
      } catch (error) {
        for (const branch of open) fail(branch, error);
        whole.resolve(undefined);
      }
      reading = false;
      if (again) {
        again = false;
        pull();
      }
    };
    const cancel = (at) => (reason) => {
      cancelled[at] = { reason };
      if (cancelled[0] && cancelled[1]) {
        whole.resolve(reader.cancel([cancelled[0].reason, cancelled[1].reason]));
      }
      return whole.promise;
    };
    return [0, 1].map((at) => {
      const made = new ReadableStream({ pull, cancel: cancel(at) });
      branches.push(streamSlots(made).controller);
      return made;
    });
  };

  return { ReadableStream, ReadableStreamDefaultReader };
});
