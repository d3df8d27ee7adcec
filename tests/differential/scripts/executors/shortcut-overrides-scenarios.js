// args: --iterations 2 --vus 2
// mask: errors
// Load from the command line instead of the script's scenarios.
export const options = { scenarios: { mine: { executor: 'per-vu-iterations', vus: 1, iterations: 5, exec: 'other' } } };
export default function () { console.log('default'); }
export function other() { console.log('other'); }
