// A library in the style of those that k6 scripts import by URL: chai's expect, whose failures are checks in a group.
import { check, fail, group } from 'k6';

class AssertionError extends Error {}

class Assertion {
  constructor(value, message, negated = false) {
    Object.assign(this, { value, message, negated });
  }

  get not() {
    return new Assertion(this.value, this.message, !this.negated);
  }

  judge(ok, what) {
    const name = `${this.message ?? String(this.value)} ${this.negated ? 'not ' : ''}${what}`;
    if (!check(this.value, { [name]: () => ok !== this.negated })) throw new AssertionError(name);
    return this;
  }

  equal(expected) {
    return this.judge(this.value === expected, `equals ${expected}`);
  }

  include(part) {
    return this.judge(this.value.includes(part), `includes ${part}`);
  }

  above(limit) {
    return this.judge(this.value > limit, `is above ${limit}`);
  }

  a(type) {
    return this.judge(typeof this.value === type, `is a ${type}`);
  }

  validJsonBody() {
    let ok = true;
    try {
      this.value.json();
    } catch (_) {
      ok = false;
    }
    return new Assertion('body', this.message, this.negated).judge(ok, 'is JSON');
  }
}

// Words that only make it read well.
for (const word of ['to', 'be', 'is', 'have', 'an', 'and', 'that']) {
  Object.defineProperty(Assertion.prototype, word, { get() { return this; } });
}

export const expect = (value, message) => new Assertion(value, message);

export const describe = (name, body) =>
  group(name, () => {
    try {
      body();
      return true;
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      console.error(`${name}: ${error.message}`);
      return false;
    }
  });

export const abort = (text) => fail(text);

export default { expect, describe, abort };
