// A scenario whose function is not exported is a configuration error: 104.
export const options = {
  scenarios: { s: { executor: 'shared-iterations', exec: 'notThere' } },
};

export default function () {}
