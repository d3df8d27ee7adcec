// env: FROM_SYSTEM=yes
// __ENV holds the environment of the process; writing to it stays in the VU.
export const options = {
  scenarios: {
    a: { executor: 'per-vu-iterations', vus: 1, iterations: 1, env: { PLACE: 'scenario', FROM_SYSTEM: 'changed' } },
    b: { executor: 'per-vu-iterations', vus: 1, iterations: 1 },
  },
};

const inInit = __ENV.FROM_SYSTEM;

export default function () {
  console.log(__ENV.FROM_SYSTEM, __ENV.PLACE, inInit, __ENV.HOME !== undefined, typeof __ENV);
  __ENV.MINE = 'x';
  console.log(__ENV.MINE);
}
