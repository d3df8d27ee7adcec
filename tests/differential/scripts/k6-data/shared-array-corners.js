// What a SharedArray keeps, and how it behaves as an array.
import { SharedArray } from 'k6/data';
import { cases } from '../lib/cases.js';

const kinds = new SharedArray('kinds', () => [1, 'two', null, true, 1.5, [1, [2]], { a: { b: 1 } }, new Date(0), 'x', 'ü', NaN, Infinity, -0, new Uint8Array([1, 2])]);
const array = new SharedArray('letters', () => ['a', 'b', 'c', 'd']);
const empty = new SharedArray('empty', () => []);
const odd = new SharedArray('odd', () => [undefined, () => 1, Symbol('x'), { f() {}, u: undefined, d: new Date(0), m: new Map([[1, 2]]), toJSON() { return { mine: 1 }; } }]);
const holes = new SharedArray('holes', () => [1, , 3]); // eslint-disable-line no-sparse-arrays
const all = {};
for (let i = 0; i < 15; i += 1) all[`kind ${i}`] = () => kinds[i];
for (let i = 0; i < 5; i += 1) all[`odd ${i}`] = () => odd[i];
for (let i = 0; i < 3; i += 1) all[`hole ${i}`] = () => holes[i];

export default cases({
  ...all,
  'lengths': () => [kinds.length, array.length, empty.length, odd.length, holes.length],
  'forEach': () => { const seen = []; array.forEach((x, i, whole) => seen.push([x, i, whole === array])); return seen; },
  'map': () => { const mapped = array.map((x) => x + x); return [mapped, Array.isArray(mapped), mapped instanceof SharedArray]; },
  'filter': () => array.filter((x) => x > 'b'),
  'reduce': () => array.reduce((sum, x) => sum + x, ''),
  'find': () => [array.find((x) => x === 'c'), array.findIndex((x) => x === 'c'), array.indexOf('d'), array.includes('e'), array.lastIndexOf('a')],
  'some and every': () => [array.some((x) => x === 'a'), array.every((x) => x === 'a')],
  'slice': () => [array.slice(1, 3), array.slice(-1)],
  'concat': () => { const joined = [].concat(array); return [joined.length, array.concat(['e']).length]; },
  'join': () => array.join('-'),
  'at': () => [array.at(-1), array.at(9)],
  'entries': () => Array.from(array.entries()),
  'values': () => Array.from(array.values()),
  'Array.from': () => Array.from(array),
  'spread': () => [...array].length,
  'for in': () => { const found = []; for (const key in array) found.push(key); return found; }, // eslint-disable-line
  'Object.keys': () => Object.keys(array),
  'Object.entries': () => Object.entries(array),
  'own names': () => Object.getOwnPropertyNames(array).sort(),
  'in': () => [0 in array, 4 in array, 'length' in array],
  'own': () => [Object.prototype.hasOwnProperty.call(array, 0), Object.prototype.hasOwnProperty.call(array, 'length')],
  'JSON': () => JSON.stringify(array),
  'text': () => String(array),
  'kind': () => [typeof array, Object.prototype.toString.call(array), Array.isArray(array)],
  'push': () => array.push('e'),
  'pop': () => array.pop(),
  'sort': () => array.sort((a, b) => (a < b ? 1 : -1)),
  'reverse': () => array.reverse(),
  'splice': () => array.splice(0, 1),
  'fill': () => array.fill('x'),
  'setting': () => { array[0] = 'z'; return array[0]; },
  'setting the length': () => { array.length = 0; return array.length; },
  'deleting': () => { delete array[0]; return array[0]; },
  'a member of its own': () => { array.mine = 1; return array.mine; },
  'frozen': () => [Object.isFrozen(array), Object.isExtensible(array), Object.isFrozen(kinds[6]), Object.isFrozen(kinds[6].a), Object.isFrozen(kinds[5])],
  'sorted copies': () => [...array].sort().reverse(),
  'numbers as text': () => [array['1'], array['01'], array['1.0'], array[1.5], array[-1]],
  'destructuring': () => { const [a, , ...rest] = array; return [a, rest]; },
  'a fresh copy each time': () => [kinds[6] === kinds[6], kinds[6].a === kinds[6].a],
});
