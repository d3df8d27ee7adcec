// An executor that does not exist is a configuration error: 104.
export const options = { scenarios: { s: { executor: 'as-fast-as-possible' } } };

export default function () {}
