// require() of a file and of k6's modules, in init code.
const common = require('../lib/common.cjs.js');
const { check } = require('k6');

export default function () {
  console.log(common.answer, common.twice(4), typeof check);
}
