// The real chai of npm, imported by URL.
// npm: chai@4.5.0
// env: SSL_CERT_FILE={dir}/ca.pem
import { cases } from '../lib/cases.js';

const chai = require(`${__ENV.TLS_BASE}/files/chai/chai.js`);
const { assert, expect } = chai;

// The message of a failed assertion is text for the user, made from values.
const says = (body) => () => {
  try {
    body();
  } catch (e) {
    return `${e.name}: ${e.message}`;
  }
  return 'fine';
};

chai.use(({ Assertion }) => {
  Assertion.addMethod('even', function () {
    this.assert(this._obj % 2 === 0, 'expected #{this} to be even', 'expected #{this} to be odd');
  });
});
chai.should();

export default cases({
  'version': () => chai.version,
  'equal': says(() => expect(1).to.equal(1)),
  'not equal': says(() => expect(1).to.equal('1')),
  'deep': says(() => expect({ a: [1, { b: 2 }] }).to.deep.equal({ a: [1, { b: 2 }] })),
  'not deep': says(() => expect({ a: 1 }).to.deep.equal({ a: 2 })),
  'include': says(() => expect([1, 2]).to.include(3)),
  'keys': says(() => expect({ a: 1, b: 2 }).to.have.all.keys('a', 'b')),
  'property': says(() => expect({ a: { b: 1 } }).to.have.nested.property('a.b', 2)),
  'length': says(() => expect('abc').to.have.lengthOf(4)),
  'throw': says(() => expect(() => { throw new TypeError('bad'); }).to.throw(TypeError, /ba/)),
  'throws nothing': says(() => expect(() => {}).to.throw()),
  'a type': says(() => expect([]).to.be.an('array')),
  'another type': says(() => expect(null).to.be.a('string')),
  'map': says(() => expect(new Map([[1, 2]])).to.deep.equal(new Map([[1, 2]]))),
  'set': says(() => expect(new Set([1])).to.deep.equal(new Set([2]))),
  'typed array': says(() => expect(new Uint8Array([1])).to.deep.equal(new Uint8Array([1]))),
  'date': says(() => expect(new Date(0)).to.deep.equal(new Date(0))),
  'close': says(() => expect(1.5).to.be.closeTo(1, 0.4)),
  'match': says(() => expect('abc').to.match(/^b/)),
  'plugin': says(() => expect(3).to.be.even()),
  'plugin negated': says(() => expect(3).not.to.be.even()),
  'should': says(() => (5).should.equal(5)),
  'assert': says(() => assert.strictEqual(1, 2, 'numbers')),
  'assert fail': says(() => assert.fail('on purpose')),
  'members': says(() => expect([1, 2, 3]).to.have.members([3, 2, 1])),
  'typo': says(() => expect(1).to.equall(1)),
  'negative zero': says(() => expect(-0).to.equal(0)),
  'NaN': says(() => expect(NaN).to.be.NaN),
  'symbol': says(() => expect(Symbol('s')).to.be.a('symbol')),
  'function': says(() => expect(function named() {}).to.equal(1)),
  'error': says(() => expect(new Error('e')).to.be.instanceOf(TypeError)),
});
