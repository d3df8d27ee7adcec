// What can be done with a SharedArray.
import { SharedArray } from 'k6/data';
import * as data from 'k6/data';
import { cases, throws } from '../lib/cases.js';

const list = new SharedArray('list', () => [{ a: 1, deep: { b: [1, 2] } }, 'text', 3, null, [1, 2], true]);
const numbers = new SharedArray('numbers', () => [3, 1, 2]);
const empty = new SharedArray('empty', () => []);

export default cases({
  'what is exported': () => Object.keys(data).filter((name) => name !== 'default').sort(),
  length: () => [list.length, empty.length],
  'elements': () => [list[0], list[1], list[2], list[3], list[4], list[5]],
  'beyond the end': () => list[6],
  'below the start': () => list[-1],
  'a name that is no index': () => list.nothing,
  'an element is a copy': () => list[0] === list[0],
  'an element cannot be changed': () => throws(() => { list[0].a = 2; }),
  'deep inside nothing can be changed': () => throws(() => { list[0].deep.b.push(3); }),
  'the array cannot be changed': () => throws(() => { list[0] = 1; }),
  'nothing can be added': () => throws(() => list.push(1)),
  'for of': () => { const seen = []; for (const element of numbers) seen.push(element); return seen; },
  'spread': () => [...numbers],
  map: () => numbers.map((n) => n * 2),
  filter: () => numbers.filter((n) => n > 1),
  find: () => numbers.find((n) => n < 3),
  reduce: () => numbers.reduce((sum, n) => sum + n, 0),
  includes: () => numbers.includes(2),
  indexOf: () => numbers.indexOf(2),
  slice: () => numbers.slice(1),
  join: () => numbers.join('-'),
  forEach: () => { const seen = []; numbers.forEach((n, i) => seen.push([n, i])); return seen; },
  'at': () => numbers.at(-1),
  'keys': () => Object.keys(numbers),
  'is an array': () => Array.isArray(numbers),
  'instanceof': () => numbers instanceof SharedArray,
  'as JSON': () => JSON.stringify(numbers),
  'destructured': () => { const [first, ...rest] = numbers; return [first, rest]; },
  'made late': () => throws(() => new SharedArray('late', () => [])),
});
