// A module that imports others beside it, as libraries do.
import { check } from 'k6';
import part, { count } from './sub/part.js';
import { Kind, name } from './typed.ts';
import { again } from '/files/by-url/sub/again.js';

export { part, count, Kind, name, again };
export * as all from './sub/part.js';
export const checked = () => check(1, { one: (n) => n === 1 });
export const beside = import.meta.resolve('./sub/part.js');
export default class Entry {
  get what() {
    return 'an entry';
  }
}
