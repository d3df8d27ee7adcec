// Every function of the console, and every kind of value.
export default function () {
  console.log('log'); console.info('info'); console.debug('debug'); console.warn('warn'); console.error('error');
  console.log(); console.log(''); console.log('a', 'b', 1, true, null, undefined);
  console.log({ a: 1, b: 'text', c: [1, 'x', null], d: { e: {} } }, [], {}, [[]]);
  console.log(new Error('message'), new TypeError('typed'));
  console.log(() => 1, Symbol('s'), 10n, NaN, Infinity, -0, 1e21);
  console.log(new Date(0), /re/g, new Map([[1, 2]]), new Set([1]));
  console.log('line\nline', 'tab\t', '"quoted"', 'ü');
  console.log('%s and %d', 'a', 5);
  const cycle = { name: 'c' }; cycle.self = cycle; console.log(cycle);
}
