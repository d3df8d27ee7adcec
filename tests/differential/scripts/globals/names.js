// Global names, their kinds, and what they do.
import { cases, show, throws } from '../lib/cases.js';

const kind = (name) => () => typeof globalThis[name];

export default cases({
  __ENV: kind('__ENV'), __VU: () => __VU, __ITER: () => __ITER, open: kind('open'), require: () => typeof require, global: () => typeof global,
  'global is globalThis': () => global === globalThis,
  console: () => Object.keys(console).sort(),
  setTimeout: kind('setTimeout'), clearTimeout: kind('clearTimeout'), setInterval: kind('setInterval'), clearInterval: kind('clearInterval'),
  TextEncoder: kind('TextEncoder'), TextDecoder: kind('TextDecoder'), process: kind('process'), Buffer: kind('Buffer'), window: kind('window'),
  'open in an iteration': () => throws(() => open('../data/lines.txt')),
  'a variable of the environment': () => typeof __ENV.BASE,
  'a variable that is not there': () => __ENV.NOT_THERE,
  'a variable can be set': () => { __ENV.MINE = 'x'; return __ENV.MINE; },
  'a timer that fires': () => new Promise((resolve) => setTimeout(() => resolve('fired'), 1)),
  'a timer with arguments': () => new Promise((resolve) => setTimeout((a, b) => resolve([a, b]), 1, 'a', 2)),
  'a timer that is cleared': () => new Promise((resolve) => { const id = setTimeout(() => resolve('wrong'), 1); clearTimeout(id); setTimeout(() => resolve('right'), 20); }),
  'timers in their order': () => new Promise((resolve) => { const seen = []; setTimeout(() => { seen.push('late'); resolve(seen); }, 20); setTimeout(() => seen.push('early'), 1); }),
  'an interval': () => new Promise((resolve) => { let count = 0; const id = setInterval(() => { count += 1; if (count === 3) { clearInterval(id); resolve(count); } }, 1); }),
  'a timer of no function': () => throws(() => setTimeout('code', 1)),
  'a timer without arguments': () => throws(() => setTimeout()),
  'clearing nonsense': () => throws(() => clearTimeout(12345)),
  'a promise before a timer': () => new Promise((resolve) => { const seen = []; setTimeout(() => { seen.push('timer'); resolve(seen); }, 0); Promise.resolve().then(() => seen.push('promise')); }),
  'encoding text': () => new TextEncoder().encode('aü✓'),
  'decoding text': () => new TextDecoder().decode(new Uint8Array([97, 195, 188])),
  'the encoding has a name': () => [new TextEncoder().encoding, new TextDecoder().encoding],
});
