// Named cases that share one run. What a case returns is printed behind its name, and its samples carry the tag `case`.
import exec from 'k6/execution';

// Any value as one line: what JSON loses is written out, keys are sorted.
export function show(value) {
  if (value === undefined) return 'undefined';
  if (typeof value === 'function') return 'function';
  if (typeof value === 'symbol') return 'symbol';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof ArrayBuffer) return `ArrayBuffer(${Array.from(new Uint8Array(value)).join()})`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${Array.from(value).join()})`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (Array.isArray(value)) return `[${value.map(show).join(',')}]`;
  const pairs = Object.keys(value).sort().map((key) => `${key}:${show(value[key])}`);
  return `{${pairs.join(',')}}`;
}

// Whether it throws; the words of an error are free.
export function throws(body) {
  try {
    body();
  } catch (e) {
    return 'throws';
  }
  return 'does not throw';
}

// The function of a virtual user that runs all cases in order, each on its own.
export function cases(all) {
  return async () => {
    for (const name of Object.keys(all)) {
      exec.vu.metrics.tags.case = name;
      let result;
      try {
        result = show(await all[name]());
      } catch (e) {
        result = 'throws';
      }
      console.log(`case ${name}: ${result}`);
    }
    delete exec.vu.metrics.tags.case;
  };
}
