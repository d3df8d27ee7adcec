// More VUs than iterations is a configuration error: 104.
export const options = { scenarios: { s: { executor: 'shared-iterations', vus: 5, iterations: 2 } } };

export default function () {}
