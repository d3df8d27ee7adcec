// A field that the executor does not know is a configuration error: 104.
export const options = { scenarios: { s: { executor: 'constant-vus', duration: '1s', vuss: 2 } } };

export default function () {}
