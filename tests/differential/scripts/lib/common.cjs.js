// A CommonJS module.
exports.answer = 42;
exports.twice = (n) => n * 2;
