// How odd values are printed.
class Own { constructor() { this.a = 1; } get b() { return 2; } method() {} }
class Told { toString() { return 'told'; } }
class Json { toJSON() { return { j: 1 }; } }
export default function () {
  console.log(new Own(), new Told(), new Json());
  console.log([new Own()], { o: new Told() }, [new Json()]);
  console.log(new Map([['a', 1], ['b', { c: 2 }]]), new Set([1, 'x']), new WeakMap());
  console.log([new Map([['a', 1]])], { s: new Set([1]) });
  console.log(Symbol('s'), [Symbol('s')], { [Symbol('k')]: 1 });
  console.log(5n, [5n], { b: 5n });
  console.log(/a+/gi, [/a+/gi], { r: /x/ });
  console.log(Promise.resolve(1), [Promise.resolve(1)]);
  console.log(new Error('m'), new TypeError('t'), { e: new Error('in') }, Object.assign(new Error('x'), { code: 5 }));
  console.log(new String('boxed'), new Number(5), new Boolean(false), [new String('boxed')]);
  console.log(function named() {}, async () => 1, class Named {}, [function named() {}], { f() {}, g: () => 1 });
  console.log(Object.create(null), Object.create({ inherited: 1 }), Object.freeze({ a: 1 }));
  console.log({ a: { b: { c: { d: { e: { f: 1 } } } } } });
  console.log([undefined, null, , 1, NaN, Infinity, -0, 1e21, 1e-7, 0.1]); // eslint-disable-line no-sparse-arrays
  console.log({ u: undefined, n: null, x: NaN, i: -Infinity, z: -0, t: true });
  console.log({ 'a b': 1, 'ü': 2, 3: 4, '': 5, 'q"q': 6 });
  console.log(['a"b', 'a\nb', 'a\\b', '\u0001', 'ü', '\ud800', '</script>', '&']);
  console.log('%s and %d', 'x', 5, '%%', '%o');
  console.log(new Date(NaN).getTime());
  console.log([new Date(0)], { d: new Date(86400000) });
  console.log(new ArrayBuffer(3), [new ArrayBuffer(2)], { b: new ArrayBuffer(1) });
  console.log(new Float64Array([1.5, NaN]), [new Uint8Array([1])], { v: new Int16Array([-1]) }, new DataView(new ArrayBuffer(2)));
  console.log(new Proxy({ p: 1 }, {}), new Proxy([1], {}));
  console.log({ get g() { return 'got'; } });
  console.log((function () { return arguments; })(1, 2)); // eslint-disable-line
  console.log([[]], [{}], { a: [], b: {} }, [[[]]]);
  console.log('x'.repeat(5000).length, ['x'.repeat(200)]);
  const shared = { s: 1 };
  console.log([shared, shared], { a: shared, b: shared });
  const loop = [1];
  loop.push(loop);
  console.log(loop, { loop });
  console.log('', ' ', '', null, [], '');
  console.log(globalThis === global, typeof globalThis);
  console.log(JSON.stringify({ u: undefined, d: new Date(0), n: NaN, m: new Map(), s: Symbol('x'), b: new Uint8Array([1]) }));
  for (const name of ['trace', 'table', 'dir', 'assert', 'time', 'timeEnd', 'count', 'group', 'groupEnd', 'clear']) console.log(name, typeof console[name]);
  console.log(Object.keys(console).sort().join());
}
