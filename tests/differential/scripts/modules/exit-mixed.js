// import and module.exports in one file.
import http from 'k6/http';
module.exports.default = function () { console.log(typeof http); };
