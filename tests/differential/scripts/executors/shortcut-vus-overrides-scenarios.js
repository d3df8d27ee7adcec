// args: --vus 2
// A number of users from the command line instead of the script's scenarios.
export const options = { scenarios: { mine: { executor: 'per-vu-iterations', vus: 1, iterations: 5, exec: 'other' } } };
export default function () { console.log('default'); }
export function other() { console.log('other'); }
