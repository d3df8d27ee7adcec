// WritableStream with its writer and controller. https://streams.spec.whatwg.org/#ws
// A stream's state is in its slots, which scripts cannot reach: `writable`, then `closed`; or `erroring` while a write
// or close is under way, then `errored`.
((shared) => {
  'use strict';
  const { Queue, deferred, fulfilled, method, promised, quiet, rejected, strategyOf, underlying } = shared;

  let streamSlots;
  let writerSlots;

  // What stands in the queue for the end.
  const CLOSE = {};

  const isClosing = (stream) => stream.closeRequest !== undefined || stream.inFlightClose !== undefined;

  const desired = (stream) => {
    if (stream.state === 'errored' || stream.state === 'erroring') return null;
    return stream.state === 'closed' ? 0 : stream.mark - stream.queue.total;
  };

  const forget = (stream) => {
    stream.write = undefined;
    stream.close = undefined;
    stream.abort = undefined;
    stream.size = undefined;
  };

  const rejectReady = (writer, error) => {
    if (writer.ready.settled) writer.ready = rejected(error);
    else quiet(writer.ready).reject(error);
  };

  const rejectClosed = (writer, error) => {
    if (writer.closed.settled) writer.closed = rejected(error);
    else quiet(writer.closed).reject(error);
  };

  const updateBackpressure = (stream, backpressure) => {
    const { writer } = stream;
    if (writer !== undefined && backpressure !== stream.backpressure) {
      if (backpressure) writer.ready = quiet(deferred());
      else writer.ready.resolve(undefined);
    }
    stream.backpressure = backpressure;
  };

  const rejectCloseAndClosed = (stream) => {
    if (stream.closeRequest !== undefined) {
      stream.closeRequest.reject(stream.error);
      stream.closeRequest = undefined;
    }
    if (stream.writer !== undefined) rejectClosed(stream.writer, stream.error);
  };

  const finishErroring = (stream) => {
    stream.state = 'errored';
    stream.queue.clear();
    for (const request of stream.requests.splice(0)) request.reject(stream.error);
    const pending = stream.pendingAbort;
    if (pending === undefined) return rejectCloseAndClosed(stream);
    stream.pendingAbort = undefined;
    if (pending.wasErroring) {
      pending.made.reject(stream.error);
      return rejectCloseAndClosed(stream);
    }
    const { abort } = stream;
    forget(stream);
    return promised(() => abort && abort(pending.reason)).then(
      () => {
        pending.made.resolve(undefined);
        rejectCloseAndClosed(stream);
      },
      (error) => {
        pending.made.reject(error);
        rejectCloseAndClosed(stream);
      },
    );
  };

  const startErroring = (stream, reason) => {
    stream.state = 'erroring';
    stream.error = reason;
    if (stream.writer !== undefined) rejectReady(stream.writer, reason);
    if (stream.inFlightWrite === undefined && stream.inFlightClose === undefined && stream.started) {
      finishErroring(stream);
    }
  };

  const dealWithRejection = (stream, error) => {
    if (stream.state === 'writable') startErroring(stream, error);
    else finishErroring(stream);
  };

  const errorIfNeeded = (stream, error) => {
    if (stream.state === 'writable') {
      forget(stream);
      startErroring(stream, error);
    }
  };

  const finishClose = (stream) => {
    stream.inFlightClose.resolve(undefined);
    stream.inFlightClose = undefined;
    if (stream.state === 'erroring') {
      stream.error = undefined;
      if (stream.pendingAbort !== undefined) {
        stream.pendingAbort.made.resolve(undefined);
        stream.pendingAbort = undefined;
      }
    }
    stream.state = 'closed';
    if (stream.writer !== undefined) stream.writer.closed.resolve(undefined);
  };

  const processClose = (stream) => {
    stream.inFlightClose = stream.closeRequest;
    stream.closeRequest = undefined;
    stream.queue.take();
    const { close } = stream;
    forget(stream);
    promised(() => close && close()).then(
      () => finishClose(stream),
      (error) => {
        stream.inFlightClose.reject(error);
        stream.inFlightClose = undefined;
        if (stream.pendingAbort !== undefined) {
          stream.pendingAbort.made.reject(error);
          stream.pendingAbort = undefined;
        }
        dealWithRejection(stream, error);
      },
    );
  };

  const processWrite = (stream, chunk) => {
    stream.inFlightWrite = stream.requests.shift();
    const { write, face } = stream;
    promised(() => write && write(chunk, face)).then(
      () => {
        stream.inFlightWrite.resolve(undefined);
        stream.inFlightWrite = undefined;
        stream.queue.take();
        if (!isClosing(stream) && stream.state === 'writable') updateBackpressure(stream, desired(stream) <= 0);
        advance(stream);
      },
      (error) => {
        if (stream.state === 'writable') forget(stream);
        stream.inFlightWrite.reject(error);
        stream.inFlightWrite = undefined;
        dealWithRejection(stream, error);
      },
    );
  };

  const advance = (stream) => {
    if (!stream.started || stream.inFlightWrite !== undefined) return;
    if (stream.state === 'erroring') {
      finishErroring(stream);
      return;
    }
    if (stream.state !== 'writable' || stream.queue.isEmpty || stream.inFlightClose !== undefined) return;
    const { value } = stream.queue.items[0];
    if (value === CLOSE) processClose(stream);
    else processWrite(stream, value);
  };

  const abortStream = (stream, reason) => {
    if (stream.state === 'closed' || stream.state === 'errored') return Promise.resolve(undefined);
    if (stream.pendingAbort !== undefined) return stream.pendingAbort.made.promise;
    const wasErroring = stream.state === 'erroring';
    const made = deferred();
    stream.pendingAbort = { made, reason: wasErroring ? undefined : reason, wasErroring };
    if (!wasErroring) startErroring(stream, reason);
    return made.promise;
  };

  const closeStream = (stream) => {
    if (stream.state === 'closed' || stream.state === 'errored') {
      return Promise.reject(new TypeError('the stream is over'));
    }
    const made = deferred();
    stream.closeRequest = made;
    if (stream.writer !== undefined && stream.backpressure && stream.state === 'writable') {
      stream.writer.ready.resolve(undefined);
    }
    stream.queue.put(CLOSE, 0);
    advance(stream);
    return made.promise;
  };

  const writeTo = (writer, chunk) => {
    const { stream } = writer;
    // The measure belongs to the script and may do anything, also to the stream.
    let size = 1;
    try {
      size = stream.size === undefined ? 1 : stream.size(chunk);
    } catch (error) {
      errorIfNeeded(stream, error);
    }
    if (writer.stream !== stream) return Promise.reject(new TypeError('the writer was released'));
    if (stream.state === 'errored') return Promise.reject(stream.error);
    if (isClosing(stream) || stream.state === 'closed') {
      return Promise.reject(new TypeError('the stream is closing or closed'));
    }
    if (stream.state === 'erroring') return Promise.reject(stream.error);
    const made = deferred();
    stream.requests.push(made);
    try {
      stream.queue.put(chunk, size);
    } catch (error) {
      errorIfNeeded(stream, error);
      return made.promise;
    }
    if (!isClosing(stream) && stream.state === 'writable') updateBackpressure(stream, desired(stream) <= 0);
    advance(stream);
    return made.promise;
  };

  // Only this file makes controllers.
  const KEY = {};

  class WritableStreamDefaultController {
    #slots;

    constructor(key, slots) {
      if (key !== KEY) throw new TypeError('a controller cannot be constructed');
      this.#slots = slots;
    }

    error(reason) {
      errorIfNeeded(this.#slots, reason);
    }
  }

  class WritableStream {
    #slots = {
      state: 'writable',
      error: undefined,
      writer: undefined,
      requests: [],
      inFlightWrite: undefined,
      closeRequest: undefined,
      inFlightClose: undefined,
      pendingAbort: undefined,
      started: false,
      backpressure: false,
      queue: new Queue(),
    };

    static {
      streamSlots = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
    }

    constructor(sink, strategy) {
      const to = underlying(sink, 'the underlying sink');
      if (to.type !== undefined) throw new RangeError('a sink has no type');
      const { mark, size } = strategyOf(strategy, 1);
      const [start, write, close, abort] = ['start', 'write', 'close', 'abort'].map((name) => method(to, name));
      const stream = Object.assign(this.#slots, { mark, size, write, close, abort });
      stream.face = new WritableStreamDefaultController(KEY, stream);
      updateBackpressure(stream, desired(stream) <= 0);
      const begun = start && start(stream.face);
      Promise.resolve(begun).then(
        () => {
          stream.started = true;
          advance(stream);
        },
        (error) => {
          stream.started = true;
          dealWithRejection(stream, error);
        },
      );
    }

    get locked() {
      return this.#slots.writer !== undefined;
    }

    abort(reason) {
      const slots = streamSlots(this);
      if (slots === undefined) return Promise.reject(new TypeError('this is no WritableStream'));
      if (slots.writer !== undefined) return Promise.reject(new TypeError('the stream has a writer'));
      return abortStream(slots, reason);
    }

    close() {
      const slots = streamSlots(this);
      if (slots === undefined) return Promise.reject(new TypeError('this is no WritableStream'));
      if (slots.writer !== undefined) return Promise.reject(new TypeError('the stream has a writer'));
      if (isClosing(slots)) return Promise.reject(new TypeError('the stream is closing already'));
      return closeStream(slots);
    }

    getWriter() {
      return new WritableStreamDefaultWriter(this);
    }
  }

  class WritableStreamDefaultWriter {
    #slots;

    static {
      writerSlots = (object) => (isObject(object) && #slots in object ? object.#slots : undefined);
    }

    constructor(stream) {
      const slots = streamSlots(stream);
      if (slots === undefined) throw new TypeError('a writer wants a WritableStream');
      if (slots.writer !== undefined) throw new TypeError('the stream has a writer already');
      this.#slots = { stream: slots, ready: readyOf(slots), closed: closedOf(slots) };
      slots.writer = this.#slots;
    }

    get closed() {
      return this.#slots.closed.promise;
    }

    get ready() {
      return this.#slots.ready.promise;
    }

    get desiredSize() {
      const { stream } = this.#slots;
      if (stream === undefined) throw new TypeError('the writer was released');
      return desired(stream);
    }

    abort(reason) {
      return withStream(this, (stream) => abortStream(stream, reason));
    }

    close() {
      return withStream(this, (stream) =>
        isClosing(stream) ? Promise.reject(new TypeError('the stream is closing already')) : closeStream(stream),
      );
    }

    write(chunk) {
      return withStream(this, () => writeTo(this.#slots, chunk));
    }

    releaseLock() {
      const slots = this.#slots;
      const { stream } = slots;
      if (stream === undefined) return;
      const error = new TypeError('the writer was released');
      rejectReady(slots, error);
      rejectClosed(slots, error);
      stream.writer = undefined;
      slots.stream = undefined;
    }
  }

  const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';

  const withStream = (writer, act) => {
    const slots = writerSlots(writer);
    if (slots === undefined) return Promise.reject(new TypeError('this is no WritableStreamDefaultWriter'));
    if (slots.stream === undefined) return Promise.reject(new TypeError('the writer was released'));
    return act(slots.stream);
  };

  const readyOf = (stream) => {
    if (stream.state === 'errored' || stream.state === 'erroring') return rejected(stream.error);
    const waits = stream.state === 'writable' && !isClosing(stream) && stream.backpressure;
    return waits ? quiet(deferred()) : fulfilled(undefined);
  };

  const closedOf = (stream) => {
    if (stream.state === 'errored') return rejected(stream.error);
    return stream.state === 'closed' ? fulfilled(undefined) : quiet(deferred());
  };

  return { WritableStream, WritableStreamDefaultWriter };
});
