// What a SharedArray cannot be made of; names are shared.
import { SharedArray } from 'k6/data';
import { cases, throws } from '../lib/cases.js';

const made = {
  'no name': throws(() => new SharedArray('', () => [])),
  'no function': throws(() => new SharedArray('a')),
  'not a function': throws(() => new SharedArray('b', [1])),
  'not a list': throws(() => new SharedArray('c', () => ({ a: 1 }))),
  'a text': throws(() => new SharedArray('d', () => 'text')),
  'a function that throws': throws(() => new SharedArray('e', () => { throw new Error('x'); })),
  'a name that is no text': throws(() => new SharedArray(5, () => [])),
  'an async function': throws(() => new SharedArray('f', async () => [])),
};
const one = new SharedArray('same', () => [1]);
const other = new SharedArray('same', () => [2]);

export default cases({
  ...Object.fromEntries(Object.keys(made).map((name) => [name, () => made[name]])),
  'the first of a name wins': () => [one[0], other[0]],
});
