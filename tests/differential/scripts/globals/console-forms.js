// How values are printed, and at which level.
export default function () {
  console.log('text', 1, 1.5, true, null, undefined);
  console.info('info');
  console.warn('warn');
  console.error('error');
  console.debug('debug is not shown');
  console.log({ a: 1, b: 'two', c: [1, 'x', null, undefined], d: {}, e: [] });
  console.log([1, [2, [3]]], ['a', { b: 1 }]);
  console.log(new Error('an error'), [new Error('inside')]);
  console.log(NaN, Infinity, -0, 1e21, 1e-7, 123456789012345680000);
  console.log(() => 1, class {});
  console.log('a\nb', 'tab\there', 'quote"');
  console.log();
  console.log('');
  console.log(new Date(0));
  console.log(new Uint8Array([1, 2, 3]));
  const loop = { name: 'loop' };
  loop.self = loop;
  console.log(loop);
}
