// TypeScript without import and export is CommonJS.
const lib = require('../lib/parts.cjs.js');
const n: number = 3;
module.exports.default = function (): void { console.log(n, lib.a); };
