// Globals that scripts may or may not count on.
export default function () {
  const names = ['__ENV', '__VU', '__ITER', 'open', 'console', 'setTimeout', 'setInterval', 'crypto', 'TextEncoder', 'TextDecoder', 'global', 'globalThis', 'Promise', 'Map', 'Symbol', 'Proxy', 'BigInt'];
  console.log(names.map((name) => `${name}:${typeof globalThis[name]}`).join(' '));
  console.log(__VU, __ITER, new TextDecoder().decode(new TextEncoder().encode('ü')));
  const { a, ...rest } = { a: 1, b: 2, c: 3 };
  console.log(a, JSON.stringify(rest), [1, 2, 3].at(-1), 'x'.padStart(3, '-'), [1, [2, [3]]].flat(2).length, 2 ** 10, null ?? 'd', rest?.b);
  class Counted {
    #count = 0;
    static made = 1;
    add() {
      this.#count += 1;
      return this.#count;
    }
  }
  const counted = new Counted();
  counted.add();
  console.log(counted.add(), Counted.made, /(?<year>\d{4})-\d\d/.exec('2024-05').groups.year, `${[...'añb'].length}`);
}
