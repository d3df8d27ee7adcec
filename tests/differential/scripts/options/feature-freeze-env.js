// env: K6_FEATURES=freeze-env
// args: -e GIVEN=1
// A frozen __ENV cannot be changed, and has the variables of its scenario.
import exec from 'k6/execution';

export const options = {
  scenarios: {
    one: { executor: 'shared-iterations', iterations: 1, env: { OF_ONE: 'yes' } },
  },
};

export function setup() {
  return { frozen: Object.isFrozen(__ENV), given: __ENV.GIVEN };
}

export default function (data) {
  const errors = [];
  for (const change of [() => (__ENV.NEW = 1), () => (__ENV.GIVEN = 2), () => delete __ENV.GIVEN]) {
    try {
      change();
    } catch (e) {
      errors.push(e.constructor.name);
    }
  }
  console.log(JSON.stringify([data.frozen, data.given, errors, Object.isFrozen(__ENV), __ENV.GIVEN, __ENV.NEW, __ENV.OF_ONE]));
  console.log(exec.scenario.name);
}
