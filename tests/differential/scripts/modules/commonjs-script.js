// A script in CommonJS, options included.
const http = require('k6/http');
const { check } = require('k6');

module.exports.options = { iterations: 2 };
module.exports.setup = () => ({ path: '/fast' });
module.exports.default = function (data) {
  const res = http.get(`${__ENV.BASE}${data.path}`);
  check(res, { 'is there': (r) => r.status === 200 });
  console.log(typeof exports, typeof module, typeof require, typeof __filename);
};
