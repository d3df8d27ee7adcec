// randomSeed makes Math.random repeat itself.
import { randomSeed } from 'k6';

export default function () {
  const draw = () => [Math.random(), Math.random()].join();
  randomSeed(42);
  const first = draw();
  randomSeed(42);
  const second = draw();
  randomSeed(43);
  console.log(first === second, first === draw());
}
