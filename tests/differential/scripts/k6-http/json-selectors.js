// json() with and without a path: indexes, wildcards, queries, escapes, missing paths.
import http from 'k6/http';

export default function () {
  const res = http.get(`${__ENV.BASE}/json`);
  const paths = [
    'name', 'version', 'ratio', 'big', 'negative', 'open', 'nothing', 'text', 'empty.list', 'empty.text',
    'tags', 'tags.0', 'tags.1', 'tags.9', 'tags.#', 'users.#', 'users.0.name', 'users.#.name', 'users.#.age',
    'users.#(age>40).name', 'users.#(age>20)#.name', 'users.#(name=="Ada").id', 'users.#(active==true)#.id',
    'users.#(name%"L*").name', 'users.0.roles.#', 'dotted\\.key', 'na?e', 'ver*', 'matrix.1.0', 'matrix.#.1',
    'users.#(roles.#(=="admin")).name', 'missing', 'users.0.missing.deep', 'name.deep', 'users.-1', 'tags.x',
    'users.0.[name,age]', 'users.0.{name,age}', 'tags|0', 'users.#.roles|@flatten', 'tags|@reverse', 'users|#',
  ];
  for (const path of paths) {
    const value = res.json(path);
    const sorted = value !== null && typeof value === 'object' && !Array.isArray(value) ? Object.keys(value).sort() : value;
    console.log(path, '->', typeof value, JSON.stringify(sorted));
  }
  const whole = res.json();
  console.log(whole.users[2].name, whole.matrix[1][1], Object.keys(whole).length);
}
