// An async default function; sleep and groups inside; the iteration ends with its promise.
import { sleep, check } from 'k6';

export const options = { iterations: 2 };

const later = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export default async function () {
  const start = Date.now();
  await later(30);
  sleep(0.02);
  check(Date.now() - start, { 'waited for both': (ms) => ms >= 49 });
  await Promise.all([later(10), later(20)]);
  console.log('done', __ITER);
}
