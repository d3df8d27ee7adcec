// TypeScript that needs code: enums, namespaces, parameter properties; types across files.
import { Shape, area } from '../lib/area.ts';
import type { Nothing } from '../lib/nowhere.ts';

enum Color { Red, Green = 5, Blue }
const enum Small { A = 'a' }
namespace Outer { export const v = 3; export namespace Inner { export const w = 4; } }
class Pair { constructor(private a: number, public readonly b = 2) {} get sum() { return this.a + this.b; } }
abstract class Base<T> { abstract make(): T; declare never: number; kept?: string; }
function over(a: string): string; function over(a: number): string;
function over(a: any) { return `${a!}`; }

export default function (): void {
  const shape = { w: 2, h: 3 } satisfies Shape;
  const made = new (class extends Base<number> { make() { return 1; } })();
  const same = <T,>(x: T): T => x;
  const none: Nothing | undefined = undefined;
  console.log(Color.Green, Color[5], Color.Blue, Small.A, Outer.v, Outer.Inner.w, new Pair(1).sum);
  console.log(area(shape), Object.keys(made), over(1), same('x'), none);
}
