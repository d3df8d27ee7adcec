// Tables, whole and row by row.
import fs from 'k6/experimental/fs';
import csv, { parse, Parser } from 'k6/experimental/csv';
import { cases } from '../lib/cases.js';

const open = () => fs.open('../data/table.csv');
const fails = async (promise) => {
  try {
    await promise();
    return 'works';
  } catch (e) {
    return 'fails';
  }
};
const table = async (options = {}) => csv.parse(await open(), options);

const rows = await table();
const objects = await table({ asObjects: true });
const skipped = await table({ skipFirstLine: true });
const part = await table({ fromLine: 1, toLine: 2 });
const later = await table({ skipFirstLine: true, fromLine: 2 });
const semicolons = await parse(await fs.open('../data/semicolons.csv'), { delimiter: ';' });
const file = await open();
const twice = [(await parse(file)).length, (await parse(file)).length];
const refused = {
  ragged: await fails(async () => parse(await fs.open('../data/ragged.csv'), { delimiter: ';' })),
  delimiter: await fails(() => table({ delimiter: ';;' })),
  negative: await fails(() => table({ fromLine: -1 })),
  backwards: await fails(() => table({ fromLine: 3, toLine: 1 })),
  'objects without names': await fails(() => table({ asObjects: true, skipFirstLine: true })),
  'objects from the middle': await fails(() => table({ asObjects: true, fromLine: 1 })),
};
const parser = new Parser(await open());
const objectParser = new Parser(await open(), { asObjects: true, toLine: 2 });

async function all(from) {
  const found = [];
  for (let i = 0; i < 10; i++) {
    const { done, value } = await from.next();
    if (done) return [...found, 'done', value];
    found.push(value);
  }
  return found;
}

export default cases({
  'the exports': () => Object.keys(csv).sort(),
  'all rows': () => rows,
  'a row is shared and cannot be changed': () => {
    rows[0] = 1;
  },
  'length and access': () => [rows.length, rows[1][2], rows[99]],
  'rows as objects': () => objects,
  'without the first line': () => skipped,
  'some lines': () => part,
  'later lines': () => later,
  'another delimiter': () => semicolons,
  'a file is read once': () => twice,
  'what is refused': () => refused,
  'row by row': () => all(parser),
  'row by row as objects': () => all(objectParser),
  'parsing while the test runs': () => fails(() => csv.parse(file)),
});
