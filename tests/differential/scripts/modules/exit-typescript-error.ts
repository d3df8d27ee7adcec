// A TypeScript file that does not follow the grammar.
const a: number = 1;
let x: = 3;
export default function () {}
