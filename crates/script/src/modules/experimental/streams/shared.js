// What readable and writable streams need: promises settled from outside, queues with sizes, queuing strategies.
// Owns no stream. https://streams.spec.whatwg.org/#qs and #queue-with-sizes.
(() => {
  'use strict';

  const deferred = () => {
    const made = { settled: false };
    made.promise = new Promise((resolve, reject) => {
      made.resolve = (value) => {
        made.settled = true;
        resolve(value);
      };
      made.reject = (reason) => {
        made.settled = true;
        reject(reason);
      };
    });
    return made;
  };

  // Nobody has to look at a promise that only tells what others tell too.
  const quiet = (made) => {
    made.promise.then(undefined, () => {});
    return made;
  };

  const fulfilled = (value) => {
    const made = deferred();
    made.resolve(value);
    return made;
  };

  const rejected = (reason) => {
    const made = deferred();
    made.reject(reason);
    return quiet(made);
  };

  const named = (name, text) => {
    const error = new Error(text);
    Object.defineProperty(error, 'name', { value: name, configurable: true, writable: true });
    return error;
  };

  // Values with their sizes.
  class Queue {
    items = [];
    total = 0;

    put(value, size) {
      if (typeof size !== 'number' || !(size >= 0) || size === Infinity) {
        throw new RangeError('the size of a chunk must be a finite number from 0');
      }
      this.items.push({ value, size });
      this.total += size;
    }

    take() {
      const { value, size } = this.items.shift();
      this.total = Math.max(0, this.total - size);
      return value;
    }

    get isEmpty() {
      return this.items.length === 0;
    }

    clear() {
      this.items = [];
      this.total = 0;
    }
  }

  // The source or sink that a constructor got.
  const underlying = (given, what) => {
    if (given === undefined) return {};
    if (given === null || (typeof given !== 'object' && typeof given !== 'function')) {
      throw new TypeError(`${what} must be an object`);
    }
    return given;
  };

  // A method of a source or sink: undefined when it is not there, else called with what it belongs to.
  const method = (object, name) => {
    const found = object[name];
    if (found === undefined) return undefined;
    if (typeof found !== 'function') throw new TypeError(`${name} must be a function`);
    return (...given) => found.apply(object, given);
  };

  // What a method of a script gives, as a promise.
  const promised = (call) => {
    try {
      return Promise.resolve(call());
    } catch (error) {
      return Promise.reject(error);
    }
  };

  // The high-water mark and the measure of a strategy.
  const strategyOf = (given, fallback) => {
    const strategy = underlying(given, 'the queuing strategy');
    const { size, highWaterMark } = strategy;
    if (size !== undefined && typeof size !== 'function') throw new TypeError('size must be a function');
    const mark = highWaterMark === undefined ? fallback : Number(highWaterMark);
    if (!(mark >= 0)) throw new RangeError('highWaterMark must be a number from 0');
    return { mark, size: size === undefined ? () => 1 : (chunk) => Number(size(chunk)) };
  };

  class CountQueuingStrategy {
    #highWaterMark;

    constructor(init) {
      if (init === null || typeof init !== 'object' || init.highWaterMark === undefined) {
        throw new TypeError('CountQueuingStrategy wants an object with highWaterMark');
      }
      this.#highWaterMark = Number(init.highWaterMark);
    }

    get highWaterMark() {
      return this.#highWaterMark;
    }

    get size() {
      return one;
    }
  }

  const one = () => 1;

  return {
    CountQueuingStrategy,
    Queue,
    deferred,
    fulfilled,
    method,
    named,
    promised,
    quiet,
    rejected,
    strategyOf,
    underlying,
  };
});
