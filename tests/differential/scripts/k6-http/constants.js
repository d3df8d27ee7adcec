// The constants of k6/http, and what the module exports.
import http, * as everything from 'k6/http';
import { cases } from '../lib/cases.js';

const names = Object.keys(http).filter((name) => name === name.toUpperCase()).sort();
const one = Object.fromEntries(names.map((name) => [name, () => http[name]]));

export default cases({ ...one, 'names of the module': () => Object.keys(http).sort(), 'named exports': () => Object.keys(everything).filter((name) => name !== 'default').sort() });
