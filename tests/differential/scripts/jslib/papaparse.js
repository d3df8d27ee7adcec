// The real papaparse of npm, imported by URL.
// npm: papaparse@5.4.1
// env: SSL_CERT_FILE={dir}/ca.pem
import { cases } from '../lib/cases.js';

const papa = require(`${__ENV.TLS_BASE}/files/papaparse/papaparse.js`);
const minified = require(`${__ENV.TLS_BASE}/files/papaparse/papaparse.min.js`);
const TABLE = 'name,age\n"Ada, L.",36\n"Quote ""q""",7\n\nlast,';
const parsed = (text, options) => {
  const { data, errors, meta } = papa.parse(text, options);
  return { data, errors: errors.map((e) => `${e.type} ${e.code} ${e.row}`), delimiter: meta.delimiter, fields: meta.fields };
};

export default cases({
  'names': () => Object.keys(papa).sort().join(),
  'lists': () => parsed(TABLE),
  'objects': () => parsed(TABLE, { header: true, dynamicTyping: true, skipEmptyLines: true }),
  'delimiter found': () => parsed('a;b\n1;2\n'),
  'tabs': () => parsed('a\tb\n1\t2'),
  'preview': () => parsed('1\n2\n3', { preview: 2 }),
  'comments': () => parsed('#no\n1,2', { comments: '#' }),
  'broken quotes': () => parsed('a,"b\nc'),
  'transform': () => parsed('a,b\n1,2', { header: true, transformHeader: (h) => h.toUpperCase(), transform: (v) => `${v}!` }),
  'step': () => {
    const rows = [];
    papa.parse('1,2\n3,4', { step: (row) => rows.push(row.data) });
    return rows;
  },
  'complete': () => {
    let seen;
    papa.parse('1,2', { complete: (result) => (seen = result.data) });
    return seen;
  },
  'unparse objects': () => papa.unparse([{ a: 1, b: 'x,y' }, { a: null, b: '"q"' }]),
  'unparse lists': () => papa.unparse([['a', 'b'], [1, 'é\n']], { quotes: true, newline: '\n' }),
  'large': () => papa.parse('a,b,c\n'.repeat(2000)).data.length,
  'minified': () => minified.parse('1,2\n3,4', { dynamicTyping: true }).data,
});
