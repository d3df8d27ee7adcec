// Functions may call themselves often.
const depth = (n) => (n === 0 ? 0 : 1 + depth(n - 1));
function sum(list) { return list.length === 0 ? 0 : list[0] + sum(list.slice(1)); }
export default function () {
  console.log(depth(2000));
  console.log(sum(Array.from({ length: 500 }, (_, i) => i)));
  let nested = [];
  for (let i = 0; i < 300; i += 1) nested = [nested];
  console.log(nested.flat(Infinity).length, JSON.stringify(nested).length);
}
