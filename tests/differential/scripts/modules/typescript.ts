// TypeScript: types are removed, enums and generics work.
import http from 'k6/http';
import { check } from 'k6';

interface Item {
  name: string;
  count?: number;
}

enum Color {
  Red = 1,
  Green,
}

function first<T>(items: T[]): T | undefined {
  return items[0];
}

export const options = { iterations: 2 };

export default function (): void {
  const items: Item[] = [{ name: 'a', count: 2 }, { name: 'b' }];
  const res = http.get(`${__ENV.BASE}/fast` as string);
  check(res, { 'typed check': (r) => r.status === 200 });
  console.log(first(items)!.name, Color.Green, Color[1]);
}
