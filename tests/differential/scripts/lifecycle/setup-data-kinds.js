// Values that JSON does not know, on their way from setup to the iterations.
export const options = { iterations: 1 };

export function setup() {
  return {
    map: new Map([['a', 1], ['b', { c: 2 }]]), set: new Set([1, 'x']), big: 5n, bytes: new Uint8Array([1, 2, 255]), words: new Int16Array([-1, 2]),
    fractions: new Float64Array([1.5]), nested: { deep: [new Set([new Map([[1, 2]])])] }, expression: /a/, boxed: [new Number(5), new Boolean(false)],
    nothing: [undefined, null], error: new Error('x'), date: new Date(86400005),
  };
}

export default function (data) {
  for (const name of Object.keys(data).sort()) console.log(name, typeof data[name], JSON.stringify(data[name]));
}
