// A library in the style of those that k6 scripts import by URL: expectations that end the test when they fail.
import exec from 'k6/execution';

class ExpectationError extends Error {
  constructor(message) {
    super(message);
    this.name = 'ExpectationError';
  }
}

const same = (a, b) =>
  Object.is(a, b) ||
  (a !== null && b !== null && typeof a === 'object' && typeof b === 'object' &&
    Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => same(a[key], b[key])));

const MATCHERS = {
  toBe: (received, expected) => Object.is(received, expected),
  toEqual: (received, expected) => same(received, expected),
  toBeTruthy: (received) => !!received,
  toBeNull: (received) => received === null,
  toBeUndefined: (received) => received === undefined,
  toBeGreaterThan: (received, expected) => received > expected,
  toBeCloseTo: (received, expected, digits = 2) => Math.abs(received - expected) < 10 ** -digits / 2,
  toContain: (received, expected) => received.includes(expected),
  toHaveLength: (received, expected) => received.length === expected,
  toHaveProperty: (received, name) => name.split('.').every((part) => (received = received?.[part]) !== undefined),
  toBeInstanceOf: (received, expected) => received instanceof expected,
};

function make({ soft = false } = {}) {
  const matchers = (received, negated, message) => {
    const found = {};
    for (const [name, matches] of Object.entries(MATCHERS)) {
      found[name] = (...expected) => {
        if (matches(received, ...expected) !== negated) return;
        const error = new ExpectationError(message ?? `expect(${String(received)})${negated ? '.not' : ''}.${name}(${expected.join()})`);
        if (!soft) throw error;
        console.error(error.message);
        exec.test.fail(error.message);
      };
    }
    return found;
  };
  const expect = (received, message) => ({ ...matchers(received, false, message), not: matchers(received, true, message) });
  expect.configure = (options) => make(options);
  return expect;
}

export const expect = Object.assign(make(), { soft: make({ soft: true }) });
