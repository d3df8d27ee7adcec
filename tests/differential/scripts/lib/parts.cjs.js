// A CommonJS module with a default of its own.
Object.defineProperty(exports, '__esModule', { value: true });
exports.default = 7;
exports.a = 1;
exports.self = function () { return this === exports; };
