// Extra tags on checks; a check that throws counts as failed and ends the iteration.
import { check } from 'k6';

export const options = { vus: 1, iterations: 2 };

export default function () {
  check(1, { tagged: (v) => v === 1 }, { area: 'one', number: 7, yes: true });
  check(1, {
    first: true,
    thrower: () => {
      throw new Error('from a check');
    },
    never: true,
  });
  console.log('not reached');
}
