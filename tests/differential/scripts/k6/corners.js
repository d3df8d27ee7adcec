// check, group, fail and sleep with what nobody expects.
import { check, group, fail, sleep, randomSeed } from 'k6';
import exec from 'k6/execution';
import { cases, throws } from '../lib/cases.js';

const message = (body) => {
  try {
    return ['gave', body()];
  } catch (e) {
    return ['threw', typeof e, e instanceof Error];
  }
};
const inside = () => exec.vu.metrics.tags.group;

export default cases({
  'check of values': () => [NaN, 0, -0, '', 'x', [], {}, null, undefined, 0n, 1n, Symbol('s'), Infinity].map((value) => check(1, { value })),
  'check by getters': () => check(1, { get got() { return true; } }),
  'check by a class': () => { class Checks { constructor() { this.own = () => true; } inherited() { return false; } } return check(1, new Checks()); },
  'check by inheritance': () => check(1, Object.create({ above: () => false }, { own: { value: () => true, enumerable: true } })),
  'check with a hidden key': () => check(1, Object.defineProperty({ seen: true }, 'hidden', { value: false })),
  'check with numbers as keys': () => check(1, { 2: true, 1: true, b: true, a: true }),
  'check with a symbol as key': () => check(1, { [Symbol('x')]: false, a: true }),
  'check of a Map': () => check(1, new Map([['a', false]])),
  'check of a text': () => message(() => check(1, 'abc')),
  'check of a number': () => message(() => check(1, 5)),
  'check of a function': () => message(() => check(1, () => false)),
  'check with a long name': () => check(1, { ['n'.repeat(300)]: true }),
  'check with letters beyond ASCII': () => check(1, { 'ü € 🌍': true }),
  'check with a line end': () => check(1, { 'a\nb': true }),
  'check with blanks': () => check(1, { ' a ': true, ' ': true }),
  'check with tags as text': () => message(() => check(1, { a: true }, 'x')),
  'check with tags of null': () => message(() => check(1, { a: true }, null)),
  'check with a tag of null': () => message(() => check(1, { a: true }, { t: null })),
  'check with a tag of an object': () => message(() => check(1, { a: true }, { t: {} })),
  'check with tags of kinds': () => check(1, { a: true }, { n: 5, b: false, f: 1.5, e: '' }),
  'check with a tag of the system': () => check(1, { a: true }, { check: 'mine', group: 'g', scenario: 's' }),
  'check in a check': () => check(1, { outer: () => check(2, { inner: (v) => v === 2 }) }),
  'check with two arguments of a condition': () => check(1, { a: (...all) => all.length === 1 }),
  'check with its this': () => check(1, { a() { return this === undefined; } }),
  'check that gives a promise': () => check(1, { a: () => Promise.resolve(false) }),
  'check of a generator': () => check(1, { a: function* () { yield false; } }),
  'check throws text': () => message(() => check(1, { a: () => { throw 'text'; }, b: true })),
  'check without anything is quiet': () => message(() => check()),
  'group gives undefined': () => group('g', () => {}),
  'group gives a promise': () => message(() => group('g', () => Promise.resolve(1)) instanceof Promise),
  'group in blanks': () => group(' a ', inside),
  'group with a slash': () => group('a/b:c', inside),
  'group in a group of the same name': () => group('g', () => group('g', inside)),
  'group of undefined': () => message(() => group(undefined, inside)),
  'group of null': () => message(() => group(null, inside)),
  'group of an object': () => message(() => group({}, inside)),
  'group with arguments': () => group('g', (...all) => all.length),
  'group with its this': () => group('g', function () { return this === undefined; }),
  'group ends at a throw': () => { message(() => group('g', () => fail('x'))); return inside(); },
  'fail in a group in a group': () => { message(() => group('a', () => group('b', () => fail('x')))); return inside(); },
  'the tag inside and behind': () => [inside(), group('g', inside), inside()],
  'fail with a number': () => { try { fail(5); } catch (e) { return [typeof e, String(e.message || e)]; } return 'nothing'; },
  'fail with an object': () => { try { fail({ a: 1 }); } catch (e) { return [typeof e, e instanceof Error, e.name]; } return 'nothing'; },
  'fail with an empty text': () => { try { fail(''); } catch (e) { return [String(e.message)]; } return 'nothing'; },
  'fail is an Error': () => { try { fail('x'); } catch (e) { return [e instanceof Error, e.name, e.message, String(e), typeof e.stack]; } return 'nothing'; },
  'sleep of what is no number': () => [throws(() => sleep('x')), throws(() => sleep(NaN)), throws(() => sleep(null)), throws(() => sleep({}))],
  'sleep of a number as text': () => throws(() => sleep('0.001')),
  'sleep gives': () => sleep(0.001),
  'randomSeed of a fraction': () => throws(() => randomSeed(1.5)),
  'randomSeed of nothing': () => throws(() => randomSeed()),
  'randomSeed below zero': () => { randomSeed(-1); const a = Math.random(); randomSeed(-1); return a === Math.random(); },
});
